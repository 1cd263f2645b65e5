"""Sphere packings of closed meshes, and packings that follow a deforming body."""
from __future__ import annotations

from collections.abc import Callable
from ctypes import byref
from typing import Any

import numpy as np

from . import _declarations as c
from . import _meshes
from ._arrays import OwnedList, indices_view, positions_view
from ._calls import Stopper, call, default, run_stoppable
from ._enumerations import Kind
from ._handles import Closing, Handle
from ._library import lib
from ._progress import Bar
from .lists import Rows
from .workers import Workers, backend_pointer

SPHERE = np.dtype(c.Sphere)
PackingProgress = Callable[[int, float], None]


class Packing(Rows):
    """Spheres that fill a closed mesh, approximately from the largest to the smallest.

    Attributes
    ----------
    array : structured ndarray, shape (k,)
        Fields of graze_sphere: center, radius.
    centers : ndarray of float64, shape (k, 3)
    radii : ndarray of float64, shape (k,)
    fill_rate, mesh_volume, sphere_volume : float
    largest_gap, largest_gap_bound, p95_gap : float
        Measures of the space between the spheres.
    certified : bool
        An exact check has proven that no sphere overlaps another or extends outside the mesh.
    shell_count, cavity_count : int
    inverted : bool
        The mesh faces inward and was treated as reversed.
    self_crossing_count : int
        The number of crossing pairs of triangles of the mesh; ``self_crossing_more``: there are more.
    self_crossing_first : tuple of two int
    packing_ms, certifying_ms : float
    """

    struct = c.Packing
    free = lib.graze_packing_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        numbers = owned.array(struct.spheres, (struct.count, 4), np.float64)
        self.array = owned.array(struct.spheres, (struct.count,), SPHERE)
        self.centers, self.radii = numbers[:, :3], numbers[:, 3]
        self.fill_rate = float(struct.fill_rate)
        self.mesh_volume, self.sphere_volume = float(struct.mesh_volume), float(struct.sphere_volume)
        self.largest_gap, self.largest_gap_bound = float(struct.largest_gap), float(struct.largest_gap_bound)
        self.p95_gap = float(struct.p95_gap)
        self.certified = bool(struct.certified)
        self.shell_count, self.cavity_count = int(struct.shell_count), int(struct.cavity_count)
        self.inverted = bool(struct.inverted)
        self.self_crossing_count = int(struct.self_crossing_count)
        self.self_crossing_more = bool(struct.self_crossing_more)
        self.self_crossing_first = (int(struct.self_crossing_first[0]), int(struct.self_crossing_first[1]))
        self.packing_ms, self.certifying_ms = float(struct.packing_ms), float(struct.certifying_ms)

    def __repr__(self) -> str:
        return f"<Packing: {len(self)} spheres, fill rate {self.fill_rate:.4f}>"


class Carried(Rows):
    """Spheres of one frame of a carrier, in the order of the carrier's spheres.

    Attributes
    ----------
    array : structured ndarray, shape (k,)
        Fields of graze_sphere: center, radius.
    centers : ndarray of float64, shape (k, 3)
    radii : ndarray of float64, shape (k,)
    certified : bool
    gone_count : int
        The number of spheres with radius 0 in this frame.
    sphere_volume : float
    """

    struct = c.Carried
    free = lib.graze_carried_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        numbers = owned.array(struct.spheres, (struct.count, 4), np.float64)
        self.array = owned.array(struct.spheres, (struct.count,), SPHERE)
        self.centers, self.radii = numbers[:, :3], numbers[:, 3]
        self.certified = bool(struct.certified)
        self.gone_count = int(struct.gone_count)
        self.sphere_volume = float(struct.sphere_volume)


def pack_spheres(source: Any, faces: Any = None, *, count: int = 10_000, fill_rate: float = 1.0,
                 smallest_radius: float = 0.0, seed: int = 0, workers: Workers | None = None, backend: str = "cpu",
                 device: int | None = None, progress: PackingProgress | bool | None = None,
                 should_finish: Callable[[], bool] | None = None,
                 should_stop: Callable[[], bool] | None = None) -> Packing:
    """Fills a closed mesh of triangles with spheres that do not overlap.

    The same mesh and options give bit-identical spheres for any number of workers and on any backend. Ctrl-C stops a
    packing.

    Parameters
    ----------
    source : array_like, shape (n, 3)
        Vertices. Without faces: anything that ``gz.mesh`` accepts.
    faces : array_like of int, shape (m, 3), optional
    count : int
        The maximum number of spheres.
    fill_rate : float
        The packing ends when the spheres fill this share of the mesh's volume.
    smallest_radius : float
        The minimum radius; 0: 1e-6 of the diagonal of the bounding box.
    seed : int
    workers : Workers, optional
    backend : str
        The backend for prototypes: "cpu" or "cuda".
    device : int, optional
    progress : callable or bool, optional
        Called after each round with the number of spheres and the fill rate. True: a progress bar, if tqdm is
        installed.
    should_finish : callable, optional
        Called after each round. If it returns true, the packing ends, and its spheres are certified and returned.
    should_stop : callable, optional
        Called regularly, on any thread. If it returns true, the packing raises ``Stopped``.

    Examples
    --------
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> pack_spheres(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], count=100).certified
    True
    """
    if faces is None:
        from .meshes import kind_word, mesh
        definition = mesh(source).definition()
        if definition.kind != Kind.TRIANGLE:
            raise ValueError(f"a packing requires a mesh of triangles, not of {kind_word(definition.kind, 2)}")
    else:
        definition = _meshes.triangles(source, faces)
    options = default(c.PackingOptions)
    options.count, options.fill_rate, options.smallest_radius, options.seed = count, fill_rate, smallest_radius, seed
    chosen = backend_pointer(backend, device, None)
    if chosen is not None:
        options.backend = chosen
    if workers is not None:
        options.workers = workers.handle.value
    stopper = Stopper(should_stop)
    options.should_stop = stopper.callback
    bar = Bar(count, "spheres") if progress is True else None
    if bar is not None or callable(progress):
        show = bar.move_to if bar is not None else progress
        tell = stopper.guard(show)  # type: ignore[arg-type]

        def report_progress(_context: int | None, placed: int, filled: float) -> None:
            tell(placed, filled)

        options.progress = c.Progress(report_progress)
    if should_finish is not None:
        ask = stopper.guard(should_finish)
        options.should_finish = c.ShouldFinish(lambda _context: bool(ask()))
    owned = Packing.new()
    try:
        run_stoppable(stopper, True, lib.graze_pack_spheres, byref(definition.mesh), byref(options),
                      byref(owned.struct))
    finally:
        if bar is not None:
            bar.close()
    return Packing(owned)


def spheres_of(centers: Any, radii: Any) -> tuple[Any, Any]:
    """Returns the centers and radii of arrays, a packing or a mesh of spheres."""
    if isinstance(centers, (Packing, Carried)):
        return centers.centers, centers.radii
    if getattr(centers, "kind", None) == Kind.SPHERE:
        return centers.vertices, centers.radii
    if radii is None:
        raise ValueError("spheres require centers and radii, a packing, or a mesh of spheres")
    return centers, radii


class Carrier(Closing):
    """Moves spheres along with the tetrahedra of a deforming body.

    Parameters
    ----------
    vertices : array_like, shape (n, 3)
        The rest positions.
    tetrahedra : array_like of int, shape (m, 4)
    centers : array_like, shape (k, 3)
        Each in a tetrahedron; or a ``Packing`` or a ``Mesh`` of spheres, which include the radii.
    radii : array_like, shape (k,), optional
    workers : Workers, optional

    Notes
    -----
    Calls of ``move`` must not run concurrently.
    """

    def __init__(self, vertices: Any, tetrahedra: Any, centers: Any, radii: Any = None, *,
                 workers: Workers | None = None) -> None:
        centers, radii = spheres_of(centers, radii)
        spheres = np.empty((len(centers), 4))
        spheres[:, :3], spheres[:, 3] = centers, radii
        definition = default(c.CarrierDef)
        positions, cells = positions_view(vertices), indices_view(tetrahedra, 4, "tetrahedra")
        definition.positions, definition.tetrahedra = positions, cells
        definition.spheres, definition.sphere_count = spheres.ctypes.data, len(spheres)
        if workers is not None:
            definition.workers = workers.handle.value
        self._handle = Handle(lib.graze_carrier_create, byref(definition), lib.graze_carrier_destroy)
        self._count = len(spheres)

    def move(self, positions: Any) -> Carried:
        """Returns the spheres for these positions of the body's vertices, shape (n, 3)."""
        view = positions_view(positions)
        owned = Carried.new()
        call(lib.graze_carrier_move, self.handle, view, byref(owned.struct))
        return Carried(owned)

    def __repr__(self) -> str:
        return "<Carrier: closed>" if self.closed else f"<Carrier: {self._count} spheres>"
