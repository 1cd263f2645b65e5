"""The results of queries: numpy views of library lists, with timings and counters.

A view keeps its list alive; nothing is copied. A pickled list contains copies of its arrays.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._arrays import Array, OwnedList
from ._enumerations import Clash, CurveKind
from ._library import lib

NEAREST = np.dtype(c.Nearest)


def fields_of(struct: Any) -> dict[str, Any]:
    """Returns the fields of a filled struct of timings or counters by name; empty for a null pointer."""
    if not struct:
        return {}
    contents = struct.contents if hasattr(struct, "contents") else struct
    return {name.removesuffix("_ms"): getattr(contents, name) for name, _ in contents._fields_[1:]}


class Answer:
    """Base of all lists.

    Attributes
    ----------
    timings : dict of str to float
        Milliseconds of each stage of the call, and of the update before it.
    counters : dict of str to int
        The counters of the call; empty if its list has none.
    """

    struct: ClassVar[type[c.Struct]]
    free: ClassVar[Callable[..., None]]

    def __init__(self, owned: OwnedList) -> None:
        self._owned: OwnedList | None = owned
        self._costs: dict[str, dict[str, Any]] = {}
        self._read(owned, owned.struct)

    def _read(self, owned: OwnedList, struct: Any) -> None:
        """Sets the attributes from the filled list."""
        raise NotImplementedError

    @classmethod
    def new(cls) -> OwnedList:
        """Returns an empty list for a call to fill."""
        return OwnedList(cls.struct, cls.free)

    def _cost(self, what: str) -> dict[str, Any]:
        if what not in self._costs and self._owned is not None:
            self._costs[what] = fields_of(getattr(self._owned.struct, what, None))
        return self._costs.get(what, {})

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds of each stage."""
        return self._cost("timings")

    @property
    def counters(self) -> dict[str, int]:
        """The counters of the call."""
        return self._cost("counters")

    def __getstate__(self) -> dict[str, Any]:
        self._cost("timings")
        self._cost("counters")
        return {**self.__dict__, "_owned": None}


class Rows(Answer):
    """A list that is one array of rows.

    Attributes
    ----------
    array : ndarray
        The rows.
    """

    array: Array

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array)

    def __getitem__(self, item: Any) -> Any:
        return self.array[item]

    def __array__(self, dtype: npt.DTypeLike = None, copy: bool | None = None) -> Array:
        """Returns the rows, copied if requested or if the dtype differs. NumPy 1 does not pass ``copy``."""
        if copy:
            return np.array(self.array, dtype=dtype)
        converted = np.asarray(self.array, dtype=dtype)
        if copy is False and converted is not self.array:
            raise ValueError(f"rows of {self.array.dtype} become {converted.dtype} only with a copy")
        return converted

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} rows>"


class Pairs(Rows):
    """Pairs of primitives, sorted.

    Attributes
    ----------
    array : ndarray of uint32, shape (k, 4)
        object_a, primitive_a, object_b, primitive_b of each pair.
    hash : int
        The 64-bit hash of the list, independent of method, threads and backend.
    limit_reached : bool
        There are more pairs than the ``pair_limit``.
    """

    struct = c.Pairs
    free = lib.graze_pairs_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.array = owned.array(struct.pairs, (struct.count, 4), np.uint32)
        self.hash = int(struct.hash)
        self.limit_reached = bool(struct.limit_reached)

    def __repr__(self) -> str:
        return f"<Pairs: {len(self)} pairs, hash {self.hash:016x}>"


class ObjectPairs(Rows):
    """Pairs of objects that intersect, sorted, each listed once.

    Attributes
    ----------
    array : ndarray of uint32, shape (k, 2)
        object_a, object_b; both equal for pairs within one object.
    names : list of tuple of str
        The names of the two objects; the number as text for an object without a name.
    hash : int
    limit_reached : bool
    """

    struct = c.ObjectPairs
    free = lib.graze_object_pairs_free
    names: list[tuple[str, str]]

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.array = owned.array(struct.pairs, (struct.count, 2), np.uint32)
        self.hash = int(struct.hash)
        self.limit_reached = bool(struct.limit_reached)


class RowsOfPairs(Rows):
    """A list with a row for each pair."""

    @property
    def pairs(self) -> Array:
        """The pair of each row, shape (k, 4)."""
        pairs: Array = np.ascontiguousarray(self.array["pair"]).view(np.uint32).reshape(-1, 4)
        return pairs


class Contacts(RowsOfPairs):
    """The contacts of the pairs, in the order of the pairs.

    Attributes
    ----------
    array : structured ndarray, shape (k,)
        Fields of graze_contact: pair, kind, first_point, point_count, flags, normal, depth, volume, centroid, area,
        witness_a, witness_b.
    points : ndarray of float64, shape (m, 3)
        The points of all contacts; ``points_of`` returns those of one.
    """

    struct = c.Contacts
    free = lib.graze_contacts_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.array = owned.array(struct.contacts, (struct.count,), np.dtype(c.Contact))
        self.points = owned.array(struct.points, (struct.point_count, 3), np.float64)

    def points_of(self, contact: int) -> Array:
        """Returns the points of a contact, shape (n, 3)."""
        row = self.array[contact]
        first = int(row["first_point"])
        return self.points[first:first + int(row["point_count"])]


class Distances(RowsOfPairs):
    """The distance of each pair, in the order of the pairs.

    Attributes
    ----------
    array : structured ndarray, shape (k,)
        Fields of graze_distance: pair, distance, point_a, point_b, feature_a, feature_b.
    nearest : int or None
        The first row with the least distance, as rounded; None without rows.
    """

    struct = c.Distances
    free = lib.graze_distances_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.array = owned.array(struct.distances, (struct.count,), np.dtype(c.Distance))
        self.nearest = int(struct.nearest) if struct.count else None


class Wrenches(Rows):
    """Forces and torques between objects of solids, sorted by (object_a, object_b).

    Attributes
    ----------
    array : structured ndarray, shape (k,)
        Fields of graze_wrench: object_a, object_b, pair_count, volume, centroid, gradient, gradient_moment, force,
        torque.
    """

    struct = c.Wrenches
    free = lib.graze_wrenches_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.array = owned.array(struct.wrenches, (struct.count,), np.dtype(c.Wrench))


class Containments(Rows):
    """Objects inside the closed surface of another object, sorted by (inner, outer).

    Attributes
    ----------
    array : structured ndarray, shape (k,)
        Fields of graze_containment: inner, outer, inside_count, primitive_count.
    """

    struct = c.Containments
    free = lib.graze_containments_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.array = owned.array(struct.containments, (struct.count,), np.dtype(c.Containment))


class NearestList(RowsOfPairs):
    """Least distances of objects.

    Attributes
    ----------
    array : structured ndarray, shape (k,)
        Fields of graze_nearest: pair, object, complete, distance, lower, upper, point_a, point_b, normal,
        feature_a, feature_b.
    complete : bool
        Every row is complete and no row is missing: neither the visit limit nor the time limit was reached.
    visit_count, measure_count : int
        The numbers of visited pairs of tree blocks and of measured pairs of primitives.
    """

    struct = c.NearestList
    free = lib.graze_nearest_list_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.array = owned.array(struct.nearests, (struct.count,), NEAREST)
        self.complete = bool(struct.complete)
        self.visit_count = int(struct.visit_count)
        self.measure_count = int(struct.measure_count)


class Crowding(Answer):
    """The k-free measure of an object, which describes how crowded its primitives are.

    Attributes
    ----------
    k : int
        The largest k of its primitives.
    mean, deviation, neighbor_mean, neighbor_deviation : float
    smallest, largest, height : float
        Diameters of smallest enclosing balls, and log2 of their ratio.
    primitive_count, levels, bound_factor : int
    k_of, neighbors_of : ndarray of uint32
        A number for each primitive; 0 for removed primitives.
    diameter_of : ndarray of float64
    """

    struct = c.Crowding
    free = lib.graze_crowding_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.k = int(struct.k)
        self.primitive_count = int(struct.primitive_count)
        self.mean, self.deviation = float(struct.mean), float(struct.deviation)
        self.neighbor_mean, self.neighbor_deviation = float(struct.neighbor_mean), float(struct.neighbor_deviation)
        self.smallest, self.largest, self.height = float(struct.smallest), float(struct.largest), float(struct.height)
        self.levels = int(struct.levels)
        self.bound_factor = int(struct.bound_factor)
        self.k_of = owned.array(struct.k_of, (struct.count,), np.uint32)
        self.neighbors_of = owned.array(struct.neighbors_of, (struct.count,), np.uint32)
        self.diameter_of = owned.array(struct.diameter_of, (struct.count,), np.float64)

    def __repr__(self) -> str:
        return f"<Crowding: k = {self.k}, mean {self.mean:.3g}, {self.primitive_count} primitives>"


class Regions(Rows):
    """Pairs grouped into clashes.

    Attributes
    ----------
    array : structured ndarray, shape (k,)
        The regions, with the fields of graze_region: object_a, object_b, clash, point_count, first_pair, pair_count,
        first_point, first_curve, curve_count, clash_counts, id, box_min, box_max, depth.
    pairs : ndarray of uint32, shape (n, 4)
        All pairs, grouped by region.
    clashes : ndarray of uint8, shape (n,)
        The class of each pair, a ``Clash``.
    points, curves, vertices, objects : structured ndarray
        Fields of graze_region_point, graze_curve, graze_curve_vertex and graze_region_objects.
    hash : int
        The hash of all pairs.
    """

    struct = c.Regions
    free = lib.graze_regions_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.array = owned.array(struct.regions, (struct.count,), np.dtype(c.Region))
        self.pairs = owned.array(struct.pairs, (struct.pair_count, 4), np.uint32)
        self.clashes = owned.array(struct.clashes, (struct.pair_count,), np.uint8)
        self.points = owned.array(struct.points, (struct.point_count,), np.dtype(c.RegionPoint))
        self.curves = owned.array(struct.curves, (struct.curve_count,), np.dtype(c.Curve))
        self.vertices = owned.array(struct.vertices, (struct.vertex_count,), np.dtype(c.CurveVertex))
        self.objects = owned.array(struct.objects, (struct.object_pair_count,), np.dtype(c.RegionObjects))
        self.hash = int(struct.hash)

    def pairs_of(self, region: int) -> Array:
        """Returns the pairs of a region, shape (n, 4)."""
        row = self.array[region]
        first = int(row["first_pair"])
        return self.pairs[first:first + int(row["pair_count"])]

    def clash_of(self, region: int) -> Clash:
        """Returns the strongest class of the pairs of a region."""
        return Clash(int(self.array[region]["clash"]))

    def polyline(self, curve: int) -> Array:
        """Returns the points of a curve in order, shape (n, 3). A closed curve repeats its first point at the end."""
        row = self.curves[curve]
        first = int(row["first_vertex"])
        points: Array = self.vertices["position"][first:first + int(row["vertex_count"])]
        return np.concatenate([points, points[:1]]) if row["closed"] else points

    def polylines(self, region: int | None = None, kind: CurveKind | None = None) -> list[Array]:
        """Returns the polylines of all curves, or of those of one region or one kind."""
        chosen = [i for i, row in enumerate(self.curves)
                  if (region is None or row["region"] == region) and (kind is None or row["kind"] == kind)]
        return [self.polyline(i) for i in chosen]

    def __repr__(self) -> str:
        return f"<Regions: count={len(self)}, pairs={len(self.pairs)}, curves={len(self.curves)}>"
