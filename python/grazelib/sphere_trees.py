"""Inner sphere trees: the shared volume or the distance of two rigid sets of spheres for any poses."""
from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _declarations as c
from ._arrays import Array, numbers_view, positions_view
from ._calls import call, default
from ._enumerations import Enumeration
from ._errors import NotARotation
from ._handles import Closing, Handle
from ._library import lib
from ._poses import explain, one_pose
from .names import value_of
from .packing import spheres_of
from .workers import Workers, backend_pointer, set_workers


@dataclass(frozen=True)
class SphereVolume:
    """The shared volume of two trees: sums over all intersecting pairs of spheres.

    ``complete``: all pairs were found, and lower = volume = upper; otherwise the budget was exhausted.
    """

    complete: bool
    pair_count: int
    volume: float
    centroid: Array
    force: Array
    torque: Array
    lower: float
    upper: float
    node_pairs: int


@dataclass(frozen=True)
class SphereDistance:
    """The two nearest spheres. ``complete``: lower = distance = upper."""

    complete: bool
    distance: float
    witness_a: Array
    witness_b: Array
    lower: float
    upper: float
    sphere_a: int
    sphere_b: int
    node_pairs: int


@dataclass(frozen=True)
class SphereTreeInfo:
    """The properties of a tree. No point is inside more than ``multiplicity`` spheres."""

    sphere_count: int
    node_count: int
    depth: int
    multiplicity: int
    bytes: int


class SphereTree(Closing):
    """An immutable tree over a rigid set of spheres. Any number of threads may query it at once.

    Parameters
    ----------
    centers : array_like, shape (n, 3)
        Or a ``Packing`` or a ``Mesh`` of spheres, which include the radii.
    radii : array_like, shape (n,), optional
        A single number is the radius of all spheres.
    builder : str
        "neural_gas", "biggest" or "extremes".
    iterations, magnification : int
        Parameters of neural gas.
    workers : int or Workers
        The threads that build the tree and run the queries of which it is the first tree.
    threading, backend, device
        As in ``Scene``.
    """

    def __init__(self, centers: Any, radii: Any = None, *, builder: str = "neural_gas", iterations: int = 0,
                 magnification: int | None = None, workers: int | Workers = 0, threading: str = "auto",
                 backend: str = "cpu", device: int | None = None) -> None:
        centers, radii = spheres_of(centers, radii)
        definition = default(c.SphereTreeDef)
        places = positions_view(centers, "centers")
        sizes = numbers_view(np.full(places.count, radii) if np.ndim(radii) == 0 else radii)
        definition.centers, definition.radii = places, sizes
        definition.builder = value_of(Enumeration.SPHERE_BUILDER, builder)
        definition.iterations = iterations
        if magnification is not None:
            definition.magnification = magnification
        definition.threading = value_of(Enumeration.THREADING, threading)
        set_workers(definition, workers)
        chosen = backend_pointer(backend, device, None)
        if chosen is not None:
            definition.backend = chosen
        self._handle = Handle(lib.graze_sphere_tree_create, byref(definition), lib.graze_sphere_tree_destroy)

    @property
    def info(self) -> SphereTreeInfo:
        """The properties of the tree."""
        info = c.SphereTreeInfo()
        call(lib.graze_sphere_tree_get_info, self.handle, byref(info))
        return SphereTreeInfo(info.sphere_count, info.node_count, info.depth, info.multiplicity, info.bytes)

    def volume(self, other: SphereTree, pose: Any = None, other_pose: Any = None, *, budget: int = 0,
               force: str = "energy", stiffness: float = 1.0, about: Any = (0, 0, 0)) -> SphereVolume:
        """Computes the volume that this tree shares with another.

        Parameters
        ----------
        other : SphereTree
        pose, other_pose : array_like or tuple, optional
            (4, 4), or a tuple (rotation, translation).
        budget : int
            The maximum number of node pairs to expand; 0: no limit.
        force, stiffness, about
            As in ``Scene.wrenches``.
        """
        options = default(c.SphereOptions)
        options.budget = budget
        options.force = value_of(Enumeration.FORCE, force)
        options.stiffness = stiffness
        options.about[:] = [float(x) for x in about]
        found = c.SphereVolume()
        self._ask(lib.graze_sphere_trees_volume, other, pose, other_pose, options, found)
        return SphereVolume(bool(found.complete), found.pair_count, found.volume, np.array(found.centroid),
                            np.array(found.force), np.array(found.torque), found.lower, found.upper, found.node_pairs)

    def distance(self, other: SphereTree, pose: Any = None, other_pose: Any = None, *,
                 budget: int = 0) -> SphereDistance:
        """Computes the distance of this tree from another; arguments as in ``volume``."""
        options = default(c.SphereOptions)
        options.budget = budget
        found = c.SphereDistance()
        self._ask(lib.graze_sphere_trees_distance, other, pose, other_pose, options, found)
        return SphereDistance(bool(found.complete), found.distance, np.array(found.witness_a),
                              np.array(found.witness_b), found.lower, found.upper, found.sphere_a, found.sphere_b,
                              found.node_pairs)

    def _ask(self, function: Any, other: SphereTree, pose: Any, other_pose: Any, options: c.Struct,
             answer: c.Struct) -> None:
        if not isinstance(other, SphereTree):
            raise TypeError(f"other must be a SphereTree, not {type(other).__name__}")
        placed = [None if given is None else one_pose(given) for given in (pose, other_pose)]
        addresses = [None if given is None else given.ctypes.data for given in placed]
        try:
            call(function, self.handle, addresses[0], other.handle, addresses[1], byref(options), byref(answer))
        except NotARotation as error:
            raise explain(np.concatenate([given for given in placed if given is not None]), error) from None

    def __repr__(self) -> str:
        return "<SphereTree: closed>" if self.closed else f"<SphereTree: {self.info.sphere_count} spheres>"
