"""Finds the least distance of meshes, like ``graze distance``."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ._arrays import Array
from .checks import objects_of, sources_of
from .meshes import ArrayLike, Mesh, MeshLike, kind_word
from .scene import Scene

if TYPE_CHECKING:
    from .pictures import Picture

FEATURES = ("inside", "corner", "edge", "face")
"""The features that contain a nearest point, by the number of vertices that span them."""


@dataclass(frozen=True, eq=False, repr=False)
class Distance:
    """The distance between the two nearest of several meshes. ``print`` shows the text of ``graze distance``.

    Attributes
    ----------
    distance : float
        Rounded; exactly 0 if they touch or overlap. With ``depths``, minus the depth of meshes that touch or overlap.
    lower, upper : float
        Bounds of the true distance, proven if ``certified`` is true.
    certified : bool
        False if the distance is minus a depth, which is an estimate.
    complete : bool
        False if a time limit ended the search: there may be a nearer pair, but not nearer than ``lower``.
    normal : ndarray, shape (3,)
        The unit direction from the first mesh to the second: moving the second along it separates the two. 0 if the
        points are equal and no depth is known.
    point_a, point_b : ndarray, shape (3,)
        Points of the two meshes at that distance.
    pair : tuple of int
        object_a, primitive_a, object_b, primitive_b.
    feature_a, feature_b : str
        The features that contain the points: "corner", "edge", "face", or "inside" if the primitives overlap.
    vertices_a, vertices_b : tuple of int
        The vertices that span the feature.
    meshes : tuple of Mesh
        The meshes with their poses applied.
    units : str or None
    """

    distance: float
    lower: float
    upper: float
    point_a: Array
    point_b: Array
    pair: tuple[int, int, int, int]
    feature_a: str
    feature_b: str
    vertices_a: tuple[int, ...]
    vertices_b: tuple[int, ...]
    meshes: tuple[Mesh, ...]
    normal: Array
    certified: bool = True
    complete: bool = True
    units: str | None = None

    def __float__(self) -> float:
        return self.distance

    def _name(self, number: int) -> str:
        """Returns the name, with the number if another mesh has the same name."""
        name = self.meshes[number].name
        repeated = sum(part.name == name for part in self.meshes) > 1
        return f"{name} (object {number})" if repeated else name

    def _side(self, number: int, primitive: int, point: Array, feature: str) -> str:
        place = "" if feature == FEATURES[0] else f", {feature}"
        return (f"  {self._name(number)}: {kind_word(self.meshes[number].kind, 1)} {primitive}{place}, "
                f"at ({_numbers(point)})")

    @property
    def verdict(self) -> str:
        """The result in one line."""
        touch = ": they touch or overlap" if self.distance <= 0 else ""
        names = f"{self._name(self.pair[0])} and {self._name(self.pair[2])}"
        return f"nearest {self._length(self.distance)} between {names}{touch}"

    def _length(self, length: float) -> str:
        return f"{length:.9g}" + ("" if self.units is None else f" {self.units}")

    def __str__(self) -> str:
        a, primitive_a, b, primitive_b = self.pair
        lines = [self.verdict, self._side(a, primitive_a, self.point_a, self.feature_a),
                 self._side(b, primitive_b, self.point_b, self.feature_b)]
        if not self.certified:
            lines.append(f"  to separate them, move the second by {self._length(-self.distance)} along "
                         f"({_numbers(self.normal)}); this is an estimate")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Distance: {self.verdict}>"

    def picture(self, *, shrink: int = 2) -> Picture:
        """Draws the meshes with the nearest primitives and the segment between them; ``shrink`` as in ``draw``."""
        from .pictures import draw
        return draw("distance", self.meshes, [], shrink=shrink)

    def show(self, path: str | None = None, *, shrink: int = 2) -> Picture:
        """Shows the picture in the notebook, writes it to a file, or opens it."""
        return self.picture(shrink=shrink).show(path)


def _numbers(values: Array) -> str:
    return ", ".join(f"{value:.9g}" for value in values)


def distance(*meshes: MeshLike | ArrayLike, poses: Sequence[Any] | None = None, depths: bool = False,
             time_limit_ms: float = 0.0, separate: bool = False, units: str | None = None, threads: int = 0,
             allow_large: bool = False, should_stop: Callable[[], bool] | None = None) -> Distance:
    """Finds the least distance of two meshes, or of the nearest two of several.

    Parameters
    ----------
    *meshes
        Two or more meshes in any form that ``check`` accepts.
    depths : bool
        For meshes that touch or overlap, the distance is minus their depth, and moving the second one by it along
        ``normal`` separates them. Both are estimates. The depth may be positive for meshes that only touch: see
        docs/guide/distance.md.
    time_limit_ms : float
        The search ends after this time; 0: never. See ``Distance.complete``.
    poses, separate, units, threads, allow_large, should_stop
        As in ``check``.

    Examples
    --------
    >>> import grazelib as gz
    >>> found = gz.distance(gz.spheres([[0, 0, 0]], 1.0), gz.spheres([[5, 0, 0]], 1.0))
    >>> found.distance, found.point_a.tolist(), found.point_b.tolist()
    (3.0, [1.0, 0.0, 0.0], [4.0, 0.0, 0.0])
    """
    objects = objects_of(sources_of(meshes), separate=separate, allow_large=allow_large)
    if len(objects) < 2:
        raise ValueError(f"distance requires at least two objects, not {len(objects)}; separate=True makes objects of "
                         "the parts of a file")
    where: Sequence[Any] = [None] * len(objects) if poses is None else poses
    if len(where) != len(objects):
        raise ValueError(f"there are {len(objects)} objects and {len(where)} poses")
    with Scene(workers=threads) as scene:
        items = [part.add_to(scene, pose=pose) for part, pose in zip(objects, where)]
        rows = scene.nearest(scope="of_all", time_limit_ms=time_limit_ms, depths=depths, should_stop=should_stop)
        if not len(rows):
            raise ValueError("there is no distance: all objects but one are empty")
        if poses is not None:
            objects = [replace(part, vertices=item.posed_positions()) for part, item in zip(objects, items)]
    row = rows[0]
    sides = [row[name]["vertices"][:row[name]["vertex_count"]].tolist() for name in ("feature_a", "feature_b")]
    a, primitive_a, b, primitive_b = row["pair"].tolist()
    return Distance(float(row["distance"]), float(row["lower"]), float(row["upper"]), row["point_a"].copy(),
                    row["point_b"].copy(), (a, primitive_a, b, primitive_b), FEATURES[len(sides[0])],
                    FEATURES[len(sides[1])], tuple(sides[0]), tuple(sides[1]), tuple(objects), row["normal"].copy(),
                    bool(row["distance"] >= 0), bool(row["complete"]), units)
