"""Queries of a scene: pairs, contacts, distances, forces, regions, containments, crowding."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from ctypes import addressof, byref, c_bool, c_char_p
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _declarations as c
from ._arrays import Array
from ._calls import Stopper, call, default, run_stoppable
from ._enumerations import Enumeration, NearestScope, Scope
from ._errors import NoSuchObject
from ._handles import Closing
from ._library import lib
from ._signatures import takes
from .lists import (Answer, Contacts, Containments, Crowding, Distances, NearestList, ObjectPairs, Pairs, Regions,
                    Wrenches)
from .names import member_of, value_of
from .objects import SceneObject

LONG_CALL_PRIMITIVES = 20_000
"""Queries of scenes with at least this many primitives run on a second thread, so that Ctrl-C stops them."""

LONG_CALL_OBJECTS = 200
"""So do distances in scenes of at least this many objects, which have a row for every pair of objects."""

ObjectLike = SceneObject | str
"""An object of a scene, or its name."""

Subject = ObjectLike | Sequence[ObjectLike] | None


@dataclass(frozen=True)
class Query:
    """Selects the pairs that a query finds.

    Parameters
    ----------
    within : bool
        Pairs of primitives of one object.
    between : bool
        Pairs of primitives of two objects.
    neighbors : str
        Primitives of one object that share a vertex index: "skip" ignores them; "beyond" lists those that intersect
        beyond the shared vertices.
    test : str
        The test for solids: "sat" or "gjk". The pairs are the same.
    candidates_only : bool
        Pairs with intersecting bounding boxes, without the exact test.
    about : SceneObject, name, or two of them, optional
        Pairs with at least one primitive of this object, or with one primitive of each of two objects.
    box : tuple of two points, optional
        Pairs in a closed box, given by its lower and upper corner.
    pair_limit : int
        The query lists the first ``pair_limit`` pairs in sorted order; 0: all.
    stop_after : int
        The query ends after this many pairs, which are unspecified ones; 0: all.
    clearance : float
        Pairs whose distance is at most this; 0: pairs that intersect.
    clearance_rings : int
        Within an object, pairs that do not intersect must be more than this many rings apart.
    should_stop : callable, optional
        Called regularly, on any thread; if it returns true, the query raises ``Stopped``.
    """

    within: bool = True
    between: bool = True
    neighbors: str = "skip"
    test: str = "sat"
    candidates_only: bool = False
    about: Subject = None
    box: Any = None
    pair_limit: int = 0
    stop_after: int = 0
    clearance: float = 0.0
    clearance_rings: int = 1
    should_stop: Callable[[], bool] | None = None

    def struct(self, scene: Queries) -> c.Query:
        """The graze_query."""
        query = default(c.Query)
        if not (self.within or self.between):
            raise ValueError("a query requires within, between or both")
        query.scope = (Scope.WITHIN if self.within else 0) | (Scope.BETWEEN if self.between else 0)
        # Fields with default values are not set: setting one takes 0.4 us.
        if self.neighbors is not Query.neighbors:
            query.neighbors = value_of(Enumeration.NEIGHBORS, self.neighbors)
        if self.test is not Query.test:
            query.test = value_of(Enumeration.TEST, self.test)
        if self.candidates_only:
            query.candidates_only = self.candidates_only
        set_about(query, scene, self.about)
        if self.box is not None:
            corners = np.asarray(self.box, dtype=np.float64)
            if corners.shape != (2, 3):
                raise ValueError(f"a box has two corners, shape (2, 3), not {corners.shape}")
            query.in_box = True
            query.box_min[:], query.box_max[:] = corners[0].tolist(), corners[1].tolist()
        if self.pair_limit is not Query.pair_limit:
            query.pair_limit = self.pair_limit
        if self.stop_after is not Query.stop_after:
            query.stop_after = self.stop_after
        if self.clearance is not Query.clearance:
            query.clearance = self.clearance
        if self.clearance_rings is not Query.clearance_rings:
            query.clearance_rings = self.clearance_rings
        return query


# Templates: the fields of Query, alone and with other keywords. A test compares them.

def query_keywords(self: Any, *, within: bool = True, between: bool = True, neighbors: str = "skip", test: str = "sat",
                   candidates_only: bool = False, about: Subject = None, box: Any = None, pair_limit: int = 0,
                   stop_after: int = 0, clearance: float = 0.0, clearance_rings: int = 1,
                   should_stop: Callable[[], bool] | None = None) -> None:
    """The keywords of methods that take a query."""


def _wrenches(self: Any, pairs: Any = None, *, force: str = "energy", stiffness: float = 1.0,
              about_point: Any = (0, 0, 0), wrench_test: str | None = None, within: bool = True, between: bool = True,
              neighbors: str = "skip", test: str = "sat", candidates_only: bool = False, about: Subject = None,
              box: Any = None, pair_limit: int = 0, stop_after: int = 0, clearance: float = 0.0,
              clearance_rings: int = 1, should_stop: Callable[[], bool] | None = None) -> None: ...


def _regions(self: Any, pairs: Any = None, *, depths: bool = True, curves: bool = True, object_depths: bool = True,
             object_names: Sequence[str] = (), within: bool = True, between: bool = True, neighbors: str = "skip",
             test: str = "sat", candidates_only: bool = False, about: Subject = None, box: Any = None,
             pair_limit: int = 0, stop_after: int = 0, clearance: float = 0.0, clearance_rings: int = 1,
             should_stop: Callable[[], bool] | None = None) -> None: ...


def set_about(struct: c.Struct, scene: Queries, about: Subject) -> None:
    """Sets about_count, about_a and about_b."""
    if about is None:
        return
    objects = about if isinstance(about, (tuple, list)) else (about,)
    if not 1 <= len(objects) <= 2:
        raise ValueError(f"about must be one or two objects, not {len(objects)}")
    struct.about_count = len(objects)
    struct.about_a = scene.id_of(objects[0])
    if len(objects) == 2:
        struct.about_b = scene.id_of(objects[1])


def pair_array(pairs: Any, columns: int = 4) -> Array:
    """Returns pairs as uint32: (k, 4), or (k, 2) for objects."""
    array = np.asarray(pairs)
    if array.size == 0:
        return np.empty((0, columns), np.uint32)
    if array.ndim != 2 or array.shape[1] != columns:
        raise ValueError(f"pairs must have the shape (k, {columns}), not {array.shape}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"pairs must have a dtype of integers, not {array.dtype}")
    if array.dtype != np.uint32 and (array.min() < 0 or array.max() >= 2**32):
        raise ValueError("pairs contain numbers that do not fit into 32 bits")
    return np.ascontiguousarray(array, dtype=np.uint32)


def pairs_hash(pairs: Any) -> int:
    """Returns the 64-bit hash of pairs (k, 4), independent of their order; hashes of parts add up modulo 2^64."""
    array = pair_array(pairs)
    return int(lib.graze_pairs_hash(array.ctypes.data, len(array)))


class Queries(Closing):
    """The queries of a scene. Each updates the scene first if it has changed.

    Methods with ``**options`` accept the fields of ``Query`` by name: ``scene.pairs(within=False, clearance=0.1)``.
    """

    primitive_total: int

    def updated(self) -> None:
        """Updates the scene if it has changed."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> SceneObject:
        """Returns the object with a name."""
        raise NotImplementedError

    def id_of(self, subject: ObjectLike) -> c.Object:
        """Returns the id of an object of this scene, which may be given by its name."""
        if isinstance(subject, str):
            subject = self[subject]
        if not isinstance(subject, SceneObject):
            raise TypeError(f"an object must be a SceneObject or a name, not {type(subject).__name__}")
        if subject.scene is not self:
            raise NoSuchObject(f"{subject!r} belongs to another scene")
        return subject.id

    def object_ids(self, objects: Iterable[ObjectLike] | Array) -> Array:
        """Returns the ids of objects, shape (n, 2). Such an array is returned unchanged."""
        if isinstance(objects, (SceneObject, str)):
            raise TypeError("a sequence of objects is required, not one object")
        if isinstance(objects, np.ndarray) and objects.dtype == np.uint32:
            return np.ascontiguousarray(objects.reshape(-1, 2))
        ids = [self.id_of(item) for item in objects]
        return np.array([(one.index, one.generation) for one in ids], dtype=np.uint32).reshape(-1, 2)

    def _find(self, options: dict[str, Any], function: Callable[..., int], *outputs: Any) -> None:
        """Runs a call whose second argument is the query."""
        self.updated()
        may_take_long = self.primitive_total >= LONG_CALL_PRIMITIVES
        if not options and not may_take_long:
            call(function, self.handle, None, *outputs)
            return
        query = Query(**options)
        struct = query.struct(self)
        stopper = Stopper(query.should_stop)
        if may_take_long or query.should_stop is not None:
            stopper.attach(struct)
        run_stoppable(stopper, may_take_long, function, self.handle, byref(struct), *outputs)

    @takes(query_keywords)
    def pairs(self, **options: Any) -> Pairs:
        """Finds all intersecting pairs, sorted; see ``Query`` for the options."""
        owned = Pairs.new()
        self._find(options, lib.graze_scene_find_pairs, byref(owned.struct))
        return Pairs(owned)

    @takes(query_keywords)
    def any_pair(self, **options: Any) -> Array | None:
        """Finds one pair, shape (4,), or None if there is none. The existence is exact; which pair is returned is
        unspecified."""
        owned = Pairs.new()
        found = c_bool()
        self._find(options, lib.graze_scene_any_pair, byref(found), byref(owned.struct))
        if not found.value:
            return None
        pair: Array = Pairs(owned).array[0]
        return pair

    @takes(query_keywords)
    def collides(self, **options: Any) -> bool:
        """Tests whether any pair intersects; stops at the first. Surfaces are not filled: an object inside a closed
        surface that it does not touch does not collide. ``containments`` finds such objects."""
        found = c_bool()
        self._find(options, lib.graze_scene_any_pair, byref(found), None)
        return found.value

    @takes(query_keywords)
    def touching(self, **options: Any) -> ObjectPairs:
        """Finds the pairs of objects that intersect, each once, with numbers and names."""
        owned = ObjectPairs.new()
        self._find(options, lib.graze_scene_find_object_pairs, byref(owned.struct))
        answer = ObjectPairs(owned)
        answer.names = [(self.name_of(int(a)), self.name_of(int(b))) for a, b in answer.array.tolist()]
        return answer

    def name_of(self, number: int) -> str:
        """Returns the name of the object with this number in pairs; the number if it has no name."""
        raise NotImplementedError

    def _of_pairs(self, pairs: Any, kind: type[Answer], function: Callable[..., int], *options: Any) -> Any:
        """Runs a call with pairs, options and a list as arguments."""
        self.updated()
        array = pair_array(pairs)
        owned = kind.new()
        call(function, self.handle, array.ctypes.data, len(array), *options, byref(owned.struct))
        return kind(owned)

    def contacts(self, pairs: Any = None, *, test: str = "sat") -> Contacts:
        """Computes the contacts of intersecting pairs, shape (k, 4); of all pairs if none are passed."""
        options = default(c.ContactOptions)
        options.test = value_of(Enumeration.TEST, test)
        chosen = self.pairs(test=test) if pairs is None else pairs
        answer: Contacts = self._of_pairs(chosen, Contacts, lib.graze_scene_make_contacts, byref(options))
        return answer

    def distances(self, pairs: Any) -> Distances:
        """Computes the distances of any pairs, shape (k, 4), with nearest points and their features."""
        answer: Distances = self._of_pairs(pairs, Distances, lib.graze_scene_make_distances)
        return answer

    @takes(_wrenches)
    def wrenches(self, pairs: Any = None, *, force: str = "energy", stiffness: float = 1.0,
                 about_point: Any = (0, 0, 0), wrench_test: str | None = None, **options: Any) -> Wrenches:
        """Computes volumes, forces and torques between objects of solids.

        Parameters
        ----------
        pairs : array_like, shape (k, 4), optional
            The pairs to sum; by default those of a query with ``**options``.
        force : str
            The magnitude of the force of two objects: "energy", "volume" or "gradient" (graze/contacts.h).
        stiffness : float
            The factor of the force.
        about_point : array_like, shape (3,)
            The reference point of torques.
        wrench_test : str, optional
            The test that measures depths and normals, "sat" or "gjk"; by default that of the query.
        **options
            The fields of ``Query``, if no pairs are passed.
        """
        struct = default(c.ContactOptions)
        struct.force = value_of(Enumeration.FORCE, force)
        struct.stiffness = stiffness
        struct.about[:] = [float(x) for x in about_point]
        struct.test = value_of(Enumeration.TEST, str(wrench_test or options.get("test", "sat")))
        if pairs is not None:
            if options:
                raise ValueError(f"{', '.join(options)}: query options cannot be combined with pairs")
            answer: Wrenches = self._of_pairs(pairs, Wrenches, lib.graze_scene_make_wrenches, byref(struct))
            return answer
        owned = Wrenches.new()
        self._find(options, lib.graze_scene_find_wrenches, byref(struct), byref(owned.struct))
        return Wrenches(owned)

    @takes(_regions)
    def regions(self, pairs: Any = None, *, depths: bool = True, curves: bool = True, object_depths: bool = True,
                object_names: Sequence[str] = (), **options: Any) -> Regions:
        """Groups pairs into clashes, with depths and curves.

        Parameters
        ----------
        pairs : array_like, shape (k, 4), optional
            All pairs of a query; by default those of a query with ``**options``.
        depths, curves, object_depths : bool
            Optional results. ``object_depths`` requires ``depths``.
        object_names : sequence of str, optional
            Names that enter the ids of regions, indexed by the numbers of objects in pairs.
        **options
            The fields of ``Query``; with pairs, only ``test``.
        """
        struct = default(c.RegionOptions)
        struct.depths, struct.curves, struct.object_depths = depths, curves, object_depths and depths
        struct.test = value_of(Enumeration.TEST, options.get("test", "sat"))
        names = (c_char_p * len(object_names))(*(name.encode(errors="surrogateescape") for name in object_names))
        struct.object_names, struct.object_name_count = addressof(names), len(object_names)
        if pairs is not None:
            others = set(options) - {"test"}
            if others:
                raise ValueError(f"{', '.join(sorted(others))}: query options cannot be combined with pairs")
            answer: Regions = self._of_pairs(pairs, Regions, lib.graze_scene_make_regions, byref(struct))
            return answer
        owned = Regions.new()
        self._find(options, lib.graze_scene_find_regions, byref(struct), byref(owned.struct))
        return Regions(owned)

    @takes(query_keywords)
    def curves(self, **options: Any) -> list[Array]:
        """Returns the intersection curves as polylines of shape (n, 3). Options are those of ``Query``."""
        return self.regions(depths=False, **options).polylines()

    def containments(self, touching: Any = None, *, should_stop: Callable[[], bool] | None = None) -> Containments:
        """Finds objects inside the closed surface of another object without touching it.

        Parameters
        ----------
        touching : ObjectPairs or array_like, shape (k, 2), optional
            The pairs of different objects that intersect, if known; by default the call finds them.
        should_stop : callable, optional
            As in ``Query``.
        """
        self.updated()
        options = default(c.ContainmentOptions)
        stopper = Stopper(should_stop)
        stopper.attach(options)
        if touching is not None:
            known = pair_array(touching, 2)
            listed = np.zeros((len(known) + 1, 2), np.uint32)  # NULL means unknown, so an empty list has an address
            listed[:-1] = known
            options.touching = listed.ctypes.data
            options.touching_count = len(known)
        owned = Containments.new()
        run_stoppable(stopper, self.primitive_total >= LONG_CALL_PRIMITIVES, lib.graze_scene_find_containments,
                      self.handle, byref(options), byref(owned.struct))
        return Containments(owned)

    def nearest(self, about: Subject = None, *, scope: str = "object_pairs", max_distance: float = math.inf,
                visit_limit: int = 0, time_limit_ms: float = 0.0, depths: bool = False,
                should_stop: Callable[[], bool] | None = None) -> NearestList:
        """Finds the least distances of objects, with their primitives and points.

        Parameters
        ----------
        about : SceneObject, name, or two of them, optional
            Only rows with this object, or with both of two objects; None: all objects.
        scope : str
            "object_pairs": a row for every pair of objects; "each_object": a row for each object and its nearest other
            object; "of_all": one row.
        max_distance : float
            Pairs of objects farther apart have no row.
        visit_limit : int
            The maximum number of visits for two objects; 0: no limit.
        time_limit_ms : float
            The search ends after this time, with ``complete`` false; 0: no limit.
        depths : bool
            The distance of objects that touch or overlap is minus their depth, and ``normal`` is its direction. Rows
            with a distance below 0 are estimates. Objects that only touch may have one.
        should_stop : callable, optional
            As in ``Query``.
        """
        self.updated()
        options = default(c.NearestOptions)
        options.scope = member_of(NearestScope, scope, "scope")
        set_about(options, self, about)
        options.max_distance = max_distance
        options.visit_limit = visit_limit
        options.time_limit_ms, options.depths = time_limit_ms, depths
        stopper = Stopper(should_stop)
        stopper.attach(options)
        owned = NearestList.new()
        may_take_long = self.primitive_total >= LONG_CALL_PRIMITIVES or \
            lib.graze_scene_object_count(self.handle) >= LONG_CALL_OBJECTS
        run_stoppable(stopper, may_take_long, lib.graze_scene_find_nearest, self.handle, byref(options),
                      byref(owned.struct))
        return NearestList(owned)

    def crowding(self, subject: ObjectLike) -> Crowding:
        """Computes the k-free measure of an object."""
        self.updated()
        owned = Crowding.new()
        call(lib.graze_scene_measure_crowding, self.handle, self.id_of(subject), byref(owned.struct))
        return Crowding(owned)
