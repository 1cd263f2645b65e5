"""Objects of a scene."""
from __future__ import annotations

from ctypes import byref, c_double, c_size_t, c_uint32, c_uint64
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array, indices_view, numbers_view, output_view, positions_view
from ._calls import call
from ._declarations import Object, ObjectInfo, OpenEdges
from ._device import on_device
from ._enumerations import Format, Kind
from ._errors import NotARotation
from ._integers import checked
from ._library import lib
from ._poses import explain, matrix_of, one_pose

if TYPE_CHECKING:
    from .scene import Scene

ALL_CATEGORIES = 2**64 - 1


@dataclass(frozen=True)
class OpenEdge:
    """The edges at which a surface is not closed.

    Attributes
    ----------
    count : int
        The number of edges that are traversed more often in one direction; 0: the surface is closed.
    primitive : int or None
        The first primitive with such an edge.
    forward, backward : int
        How often its edge is traversed from ``start`` to ``end``, and in reverse.
    start, end : ndarray
        The ends of the edge, after the pose.
    open_count : int
        The number of edges of a single triangle.
    reversed_count : int
        The number of edges of an even number of triangles, some of which are oriented the wrong way.
    non_manifold_count : int
        The number of edges of three triangles or more, even if traversed equally often in both directions.
    """

    count: int
    primitive: int | None
    forward: int
    backward: int
    start: Array
    end: Array
    open_count: int
    reversed_count: int
    non_manifold_count: int


class SceneObject:
    """An object of a scene: primitives of one kind.

    It is a small handle: two of them are equal if they refer to the same object. Deleting it does not remove the
    object; ``remove`` does.
    """

    __slots__ = ("scene", "id", "__weakref__")

    def __init__(self, scene: Scene, identity: Object) -> None:
        self.scene = scene
        self.id = identity

    # ------------------------------------------------------------------------------------------ identity and kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SceneObject) and self.scene is other.scene and self._key == other._key

    def __hash__(self) -> int:
        return hash((id(self.scene), self._key))

    @property
    def _key(self) -> tuple[int, int]:
        return self.id.index, self.id.generation

    @property
    def index(self) -> int:
        """The object's number in the scene."""
        return int(self.id.index)

    @property
    def number(self) -> int:
        """The number of the object in pairs: its global number if it has one, otherwise its index."""
        info = self._info()
        return int(info.global_object if info.global_numbers else self.id.index)

    def _info(self) -> ObjectInfo:
        info = ObjectInfo()
        call(lib.graze_object_get_info, self.scene.handle, self.id, byref(info))
        return info

    @property
    def is_valid(self) -> bool:
        """Whether the object is still in its scene."""
        return not self.scene.closed and bool(lib.graze_object_is_valid(self.scene.handle, self.id))

    @property
    def name(self) -> str | None:
        """The name of the object."""
        name = self._info().name
        return None if name is None else name.decode("utf-8", "replace")

    @property
    def kind(self) -> Kind:
        """The kind of its primitives."""
        return Kind(self._info().kind)

    @property
    def is_solid(self) -> bool:
        """Whether its primitives are solid, so that two of them can share a volume."""
        return bool(lib.graze_kind_is_solid(self._info().kind))

    @property
    def vertex_count(self) -> int:
        """The number of vertices."""
        return int(self._info().vertex_count)

    @property
    def primitive_count(self) -> int:
        """The number of primitives, including removed ones. Primitive numbers are below this."""
        return int(self._info().primitive_count)

    @property
    def live_count(self) -> int:
        """The number of primitives, without removed ones."""
        return int(self._info().live_count)

    def __repr__(self) -> str:
        if not self.is_valid:
            return f"<SceneObject {self.id.index}: removed>"
        info = self._info()
        words = lib.graze_kind_text(info.kind, info.live_count).decode()
        name = "" if info.name is None else f" {info.name.decode('utf-8', 'replace')!r}"
        return f"<SceneObject {self.id.index}{name}: {info.live_count} {words}>"

    # ------------------------------------------------------------------------------------------ positions and pose

    @property
    def positions(self) -> Array:
        """A copy of the positions before the pose: float32 or float64, as stored.

        Setting it overwrites all positions; ``set_positions`` overwrites a part.
        """
        info = self._info()
        array = np.empty((info.vertex_count, 3), np.float32 if info.format == Format.FLOAT3 else np.float64)
        call(lib.graze_object_get_positions, self.scene.handle, self.id, 0, output_view(array, info.format))
        return array

    @positions.setter
    def positions(self, values: Any) -> None:
        count = self.vertex_count
        if np.ndim(values) and len(values) != count:
            raise ValueError(f"the object has {count} vertices, but there are {len(values)} positions")
        self.set_positions(values)

    def set_positions(self, values: Any, first: int = 0) -> None:
        """Overwrites positions [first, first + n), before the pose; values of shape (n, 3).

        Every later update reads arrays on the scene's device in place: see ``Scene.set_device_positions``.
        """
        if on_device(values):
            if first:
                raise ValueError("positions on a device must be those of the whole object: first must be 0")
            self.scene.set_device_positions(self, values)
            return
        view = positions_view(values)
        self.scene.changed()
        call(lib.graze_object_set_positions, self.scene.handle, self.id, checked(c_size_t, first, "first"), view)
        if view.count:  # all of them, if only the device had them
            self.scene.release_positions(self.id)

    def append_positions(self, values: Any) -> int:
        """Appends vertices; returns the number of the first."""
        view = positions_view(values)
        first = c_uint32()
        self.scene.changed()
        call(lib.graze_object_append_positions, self.scene.handle, self.id, view, byref(first))
        return first.value

    def posed_positions(self) -> Array:
        """The positions after the pose, in float64: the coordinates of the exact tests."""
        array = np.empty((self.vertex_count, 3))
        call(lib.graze_object_get_posed_positions, self.scene.handle, self.id, 0, output_view(array, Format.DOUBLE3))
        return array

    @property
    def radii(self) -> Array:
        """A copy of the radii of spheres, in float64. Setting it overwrites all; ``set_radii`` overwrites a part."""
        array = np.empty(self.vertex_count)
        call(lib.graze_object_get_radii, self.scene.handle, self.id, 0, output_view(array, Format.DOUBLE))
        return array

    @radii.setter
    def radii(self, values: Any) -> None:
        count = self.vertex_count
        if np.ndim(values) == 0:
            values = np.full(count, values)
        if len(values) != count:
            raise ValueError(f"the object has {count} spheres, but there are {len(values)} radii")
        self.set_radii(values)

    def set_radii(self, values: Any, first: int = 0) -> None:
        """Overwrites radii [first, first + n) of spheres."""
        view = numbers_view(values)
        self.scene.changed()
        call(lib.graze_object_set_radii, self.scene.handle, self.id, checked(c_size_t, first, "first"), view)

    @property
    def pose(self) -> Array:
        """The pose as a 4x4 matrix. Can be set to a 4x4 matrix or a tuple (rotation, translation).

        Rotations in float32 that deviate by up to 1e-3 are re-orthonormalized.
        """
        pose = self._info().pose
        return matrix_of([*pose.rotation, *pose.translation])

    @pose.setter
    def pose(self, value: Any) -> None:
        pose = one_pose(value)
        self.scene.changed()
        try:
            call(lib.graze_object_set_pose, self.scene.handle, self.id, pose.ctypes.data)
        except NotARotation as error:
            raise explain(pose, error) from None

    def box(self) -> tuple[Array, Array]:
        """The lower and upper corner of the bounding box of all vertices after the pose."""
        low, high = (c_double * 3)(), (c_double * 3)()
        call(lib.graze_object_get_box, self.scene.handle, self.id, low, high)
        return np.array(low), np.array(high)

    # ------------------------------------------------------------------------------------------ primitives

    def append_primitives(self, elements: Any) -> int:
        """Appends triangles (n, 3) or tetrahedra (n, 4); returns the number of the first."""
        columns = 4 if self.kind == Kind.TETRAHEDRON else 3
        view = indices_view(elements, columns, "elements")
        first = c_uint32()
        self.scene.changed()
        call(lib.graze_object_append_primitives, self.scene.handle, self.id, view, byref(first))
        self.scene.primitive_total += int(view.count)
        return first.value

    def append_spheres(self, centers: Any, radii: Any) -> int:
        """Appends spheres; returns the number of the first."""
        positions, sizes = positions_view(centers, "centers"), numbers_view(radii)
        first = c_uint32()
        self.scene.changed()
        call(lib.graze_object_append_spheres, self.scene.handle, self.id, positions, sizes, byref(first))
        self.scene.primitive_total += int(positions.count)
        return first.value

    def remove_primitives(self, primitives: Any) -> None:
        """Removes primitives by their numbers: all of them or none."""
        numbers = np.asarray(primitives)
        if numbers.size and numbers.dtype.kind not in "iu":
            raise TypeError(f"numbers of primitives must have a dtype of integers, not {numbers.dtype}")
        if numbers.size and (numbers.min() < 0 or numbers.max() >= 2**32):
            raise IndexError(f"there is no primitive {numbers.min() if numbers.min() < 0 else numbers.max()}")
        numbers = np.ascontiguousarray(numbers.reshape(-1), dtype=np.uint32)
        self.scene.changed()
        call(lib.graze_object_remove_primitives, self.scene.handle, self.id, numbers.ctypes.data, len(numbers))

    def remove(self) -> None:
        """Removes the object from its scene."""
        self.scene.remove(self)

    def global_primitives(self) -> Array:
        """The global number of each primitive; the object's own numbers if it has no global numbers."""
        numbers = np.empty(self.primitive_count, np.uint32)
        call(lib.graze_object_get_global_primitives, self.scene.handle, self.id, 0, len(numbers), numbers.ctypes.data)
        return numbers

    def global_vertices(self) -> Array:
        """The global number of each vertex; the object's own numbers if it has no global numbers."""
        numbers = np.empty(self.vertex_count, np.uint32)
        call(lib.graze_object_get_global_vertices, self.scene.handle, self.id, 0, len(numbers), numbers.ctypes.data)
        return numbers

    def open_edges(self) -> OpenEdge:
        """Counts the open edges of a surface; ``count`` is 0 if it is closed."""
        self.scene.updated()
        edges = OpenEdges()
        call(lib.graze_object_find_open_edges, self.scene.handle, self.id, byref(edges))
        return OpenEdge(int(edges.count), int(edges.primitive) if edges.count else None, int(edges.forward),
                        int(edges.backward), np.array(getattr(edges, "from")), np.array(edges.to),
                        int(edges.open_count), int(edges.reversed_count), int(edges.non_manifold_count))

    def inward_shells(self) -> tuple[int, int]:
        """Counts the shells of a closed surface that are inside out, except cavities; also returns the first primitive
        of one."""
        self.scene.updated()
        count, primitive = c_uint32(), c_uint32()
        call(lib.graze_object_count_inward_shells, self.scene.handle, self.id, byref(count), byref(primitive))
        return count.value, primitive.value

    # ------------------------------------------------------------------------------------------ filter and data

    @property
    def category(self) -> int:
        """Bits of the object's categories."""
        return int(self._info().category)

    @category.setter
    def category(self, bits: int) -> None:
        self.set_filter(category=bits)

    @property
    def mask(self) -> int:
        """Bits of the categories that it is tested against."""
        return int(self._info().mask)

    @mask.setter
    def mask(self, bits: int) -> None:
        self.set_filter(mask=bits)

    @property
    def self_pairs(self) -> bool:
        """Whether pairs within the object are found."""
        return bool(self._info().self)

    @self_pairs.setter
    def self_pairs(self, wanted: bool) -> None:
        self.set_filter(self_pairs=wanted)

    def set_filter(self, *, category: int | None = None, mask: int | None = None,
                   self_pairs: bool | None = None) -> None:
        """Sets category, mask and self_pairs, if given."""
        info = self._info()
        self.scene.changed()
        call(lib.graze_object_set_filter, self.scene.handle, self.id,
             bits_of(info.category if category is None else category), bits_of(info.mask if mask is None else mask),
             bool(info.self) if self_pairs is None else self_pairs)

    @property
    def user_data(self) -> Any:
        """Any Python value of the caller; initially None."""
        return self.scene.user_data.get(lib.graze_object_user_data(self.scene.handle, self.id))

    @user_data.setter
    def user_data(self, value: Any) -> None:
        self.scene.user_data.pop(lib.graze_object_user_data(self.scene.handle, self.id), None)
        token = None if value is None else self.scene.keep_user_data(value)
        call(lib.graze_object_set_user_data, self.scene.handle, self.id, token)


def bits_of(bits: int) -> int:
    """Returns the bits of a category or mask; -1 means all bits."""
    return checked(c_uint64, ALL_CATEGORIES if index(bits) == -1 else bits, "a category or mask")
