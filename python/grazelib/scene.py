"""Scenes of objects, and their queries."""
from __future__ import annotations

import itertools
import threading as threads
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_uint32, pointer
from typing import TYPE_CHECKING, Any

from . import _declarations as c
from . import _meshes
from ._arrays import Array
from ._calls import call, default
from ._device import require_cuda
from ._enumerations import Enumeration, Kind
from ._errors import NotARotation
from ._handles import Handle
from ._integers import checked
from ._library import lib
from ._meshes import GlobalNumbers
from ._poses import explain, one_pose, pose_array
from .lists import fields_of
from .names import value_of
from .objects import SceneObject, bits_of
from .pose_batches import PoseBatches
from .queries import ObjectLike
from .shapes import Shape
from .workers import Workers, backend_pointer, set_workers

if TYPE_CHECKING:
    from .meshes import MeshLike

class _ObjectDef:
    """A graze_object_def, and the arrays that it references."""

    def __init__(self, name: str | None, category: int, mask: int, self_pairs: bool, pose: Any,
                 numbers: GlobalNumbers | None) -> None:
        self.struct = made = default(c.ObjectDef)
        made.name = _meshes.name_bytes(name)
        made.category, made.mask, made.self = bits_of(category), bits_of(mask), self_pairs
        self._kept = [] if numbers is None else _meshes.set_numbers(made, numbers)
        self._pose = None if pose is None else one_pose(pose)
        if self._pose is not None:
            made.pose = self._pose.ctypes.data

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Adds the reason to the error of a pose that is not a rotation."""
        try:
            yield
        except NotARotation as error:
            assert self._pose is not None
            raise explain(self._pose, error) from None


class Scene(PoseBatches):
    """A scene of objects of triangles, polygons, tetrahedra, polyhedra and spheres.

    Parameters
    ----------
    workers : int or Workers, optional
        The number of threads, or ``Workers`` that several scenes share; 0: one thread for each available processor.
    threading : str, optional
        The kind of threads: "auto", "pthreads", "openmp" or "serial".
    backend : str, optional
        The backend for updates and queries: "cpu" or "cuda".
    device : int, optional
        The number of the CUDA device.
    stream : int, optional
        The address of a CUDA stream for all work of the scene.
    method : str, optional
        The broad-phase method; see ``set_method``.

    Notes
    -----
    Changes take effect at the next query, which updates the scene automatically, or at a call of ``update``. Queries
    may run on several threads at once while nothing changes the scene. Calls that change it must not run concurrently
    with any other call.

    Examples
    --------
    >>> with Scene() as scene:
    ...     a = scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], name="a")
    ...     b = scene.add_spheres([[0.2, 0.2, 0.1]], 0.5, name="b")
    ...     scene.touching().names
    [('a', 'b')]
    """

    def __init__(self, *, workers: int | Workers = 0, threading: str = "auto", backend: str = "cpu",
                 device: int | None = None, stream: int | None = None, method: str | None = None) -> None:
        definition = default(c.SceneDef)
        set_workers(definition, workers)
        definition.threading = value_of(Enumeration.THREADING, threading)
        chosen = backend_pointer(backend, device, stream)
        if chosen is not None:
            definition.backend = chosen
        self._handle = Handle(lib.graze_scene_create, byref(definition), lib.graze_scene_destroy)
        self._backend = backend
        self.device = device or 0
        self._resident = {}
        self._current = False
        self._update_lock = threads.Lock()
        self._tokens = itertools.count(1)
        self._by_name: dict[str, dict[SceneObject, None]] = {}  # in the order of addition
        self._name_of_number: dict[int, str] = {}
        self.user_data: dict[int, Any] = {}
        self.primitive_total = 0
        if method is not None:
            self.set_method(method)

    # ------------------------------------------------------------------------------------------ lifetime

    def __repr__(self) -> str:
        if self.closed:
            return "<Scene: closed>"
        count = len(self)
        return f"<Scene: {count} object{'' if count == 1 else 's'}, backend {self._backend}>"

    def changed(self) -> None:
        """Marks the scene as changed. Every method that changes the scene calls it first."""
        self._current = False

    def update(self) -> None:
        """Applies all changes since the last update."""
        self.follow_producers()
        call(lib.graze_scene_update, self.handle)
        self._current = True

    def updated(self) -> None:
        """Updates the scene if it has changed."""
        if not self._current:
            with self._update_lock:
                if not self._current:
                    self.update()

    def trim(self) -> None:
        """Frees the memory that the scene keeps for its next frame."""
        lib.graze_scene_trim(self.handle)

    # ------------------------------------------------------------------------------------------ objects

    def _add(self, definition: _meshes.Definition, category: int, mask: int, self_pairs: bool, pose: Any,
             numbers: GlobalNumbers | None) -> SceneObject:
        """Adds a mesh from its definition."""
        resident = definition.take_device_positions()
        if resident is not None:
            require_cuda("the positions lie", self._backend)
        mesh, kept = definition.mesh, _ObjectDef(definition.name, category, mask, self_pairs, pose, numbers)
        identity = c.Object()
        self.changed()
        with kept.explained():
            call(lib.graze_scene_add, self.handle, int(definition.kind), byref(mesh), byref(kept.struct),
                 byref(identity))
        if resident is not None:
            try:
                self.set_device_positions(SceneObject(self, identity), resident)
            except BaseException:
                call(lib.graze_scene_remove_object, self.handle, identity)
                raise
        return self.register(identity, definition.name, numbers, definition.primitive_count)

    def register(self, identity: c.Object, name: str | None, numbers: GlobalNumbers | None,
                 primitive_count: int) -> SceneObject:
        """Records an object that was added to the graze_scene: its name, number and size."""
        added = SceneObject(self, identity)
        self.primitive_total += primitive_count
        if name is not None:
            self._by_name.setdefault(name, {})[added] = None
            self._name_of_number[identity.index if numbers is None else numbers.object] = name
        return added

    def add(self, source: MeshLike, *, name: str | None = None, category: int = 1, mask: int = -1,
            self_pairs: bool = True, pose: Any = None, numbers: GlobalNumbers | None = None) -> SceneObject:
        """Adds a mesh of any kind: a file, a ``Mesh``, a pair (vertices, faces), or an object of another package.

        Parameters
        ----------
        source
            Anything that ``gz.mesh`` accepts.
        name : str, optional
            By default the name of the mesh or file.
        category, mask, self_pairs, pose, numbers
            As in ``add_triangles``.
        """
        from .meshes import mesh
        return mesh(source).add_to(self, name=name, category=category, mask=mask, self_pairs=self_pairs, pose=pose,
                                   numbers=numbers)

    def add_triangles(self, vertices: Any, faces: Any, *, name: str | None = None, category: int = 1, mask: int = -1,
                      self_pairs: bool = True, pose: Any = None, numbers: GlobalNumbers | None = None) -> SceneObject:
        """Adds an object of triangles; the scene copies the arrays.

        Parameters
        ----------
        vertices : array_like, shape (n, 3)
            Any real dtype; float32 and float64 are read in place, with any strides. Or an array on the scene's device,
            which every update reads in place; see ``set_device_positions``.
        faces : array_like of int, shape (m, 3)
            Indices of vertices.
        name : str, optional
            For messages and for ``scene[name]``.
        category, mask : int
            Bits of the object's categories, and of the categories that it is tested against; -1: all.
        self_pairs : bool
            Whether pairs within the object are found.
        pose : array_like or tuple, optional
            (4, 4), or a tuple (rotation, translation).
        numbers : GlobalNumbers, optional
            Numbers for pairs that replace the scene's own numbers.
        """
        return self._add(_meshes.triangles(vertices, faces, name), category, mask, self_pairs, pose, numbers)

    def add_polygons(self, vertices: Any, faces: Any, *, face_sizes: Any = None, face_starts: Any = None,
                     name: str | None = None, category: int = 1, mask: int = -1, self_pairs: bool = True,
                     pose: Any = None, numbers: GlobalNumbers | None = None) -> SceneObject:
        """Adds an object of polygons.

        Parameters
        ----------
        vertices : array_like, shape (n, 3)
        faces : array_like of int, shape (m, k), or a sequence of rows of different lengths
            Or a flat array of all corners, with sizes or starts.
        face_sizes, face_starts : array_like of int, optional
            The number of corners of each face; or the first corner of each face, and the end.
        name, category, mask, self_pairs, pose, numbers
            As in ``add_triangles``.
        """
        definition = _meshes.polygons(vertices, faces, face_sizes, face_starts, name)
        return self._add(definition, category, mask, self_pairs, pose, numbers)

    def add_tetrahedra(self, vertices: Any, cells: Any, *, name: str | None = None, category: int = 1, mask: int = -1,
                       self_pairs: bool = True, pose: Any = None, numbers: GlobalNumbers | None = None) -> SceneObject:
        """Adds an object of tetrahedra: indices of shape (m, 4). Other parameters are those of ``add_triangles``."""
        return self._add(_meshes.tetrahedra(vertices, cells, name), category, mask, self_pairs, pose, numbers)

    def add_polyhedra(self, vertices: Any, cells: Any, *, face_sizes: Any = None, face_starts: Any = None,
                      cell_sizes: Any = None, cell_starts: Any = None, name: str | None = None, category: int = 1,
                      mask: int = -1, self_pairs: bool = True, pose: Any = None,
                      numbers: GlobalNumbers | None = None) -> SceneObject:
        """Adds an object of convex cells.

        Parameters
        ----------
        vertices : array_like, shape (n, 3)
        cells : sequence of cells, each a sequence of faces, each a sequence of indices
            Or a flat array of all corners, with sizes or starts of faces and of cells.
        face_sizes, face_starts, cell_sizes, cell_starts : array_like of int, optional
            The number of corners of each face and of faces of each cell; or the first of each, and the end.
        name, category, mask, self_pairs, pose, numbers
            As in ``add_triangles``.
        """
        definition = _meshes.polyhedra(vertices, cells, face_sizes, face_starts, cell_sizes, cell_starts, name)
        return self._add(definition, category, mask, self_pairs, pose, numbers)

    def add_spheres(self, centers: Any, radii: Any, *, name: str | None = None, category: int = 1, mask: int = -1,
                    self_pairs: bool = True, pose: Any = None, numbers: GlobalNumbers | None = None) -> SceneObject:
        """Adds an object of spheres: centers (n, 3), and radii (n,) or one for all. Other parameters are those of
        ``add_triangles``."""
        return self._add(_meshes.spheres(centers, radii, name), category, mask, self_pairs, pose, numbers)

    def add_shape(self, shape: Shape, *, name: str | None = None, category: int = 1, mask: int = -1,
                   self_pairs: bool = True, pose: Any = None, numbers: GlobalNumbers | None = None) -> SceneObject:
        """Adds an object that shares the positions and primitives of a shape.

        The options are those of ``add_triangles``.
        """
        if not isinstance(shape, Shape):
            raise TypeError(f"add_shape requires a Shape, not {type(shape).__name__}; use add for meshes")
        kept = _ObjectDef(name, category, mask, self_pairs, pose, numbers)
        identity = c.Object()
        self.changed()
        with kept.explained():
            call(lib.graze_scene_add_shape, self.handle, shape.handle, byref(kept.struct), byref(identity))
        return self.register(identity, name, numbers, shape.primitive_count)

    def remove(self, item: ObjectLike) -> None:
        """Removes an object from the scene."""
        identity = self.id_of(item)
        item = SceneObject(self, identity)
        count, name, number = item.primitive_count, item.name, item.number
        token = lib.graze_object_user_data(self.handle, identity)
        self.changed()
        call(lib.graze_scene_remove_object, self.handle, identity)
        self.release_positions(identity)
        self.primitive_total -= count
        self.user_data.pop(token, None)
        if name is not None:
            same_name = self._by_name.get(name, {})
            same_name.pop(item, None)
            if not same_name:
                self._by_name.pop(name, None)
            self._name_of_number.pop(number, None)

    def __len__(self) -> int:
        return int(lib.graze_scene_object_count(self.handle))

    def __iter__(self) -> Iterator[SceneObject]:
        found = c.Object()
        while True:
            found = lib.graze_scene_next_object(self.handle, found)
            if found.generation == 0:
                return
            yield SceneObject(self, found)

    def __getitem__(self, name: str) -> SceneObject:
        """Returns the object that was last added with this name."""
        found = self._by_name.get(name) if isinstance(name, str) else None
        if not found:
            known = [repr(key) for key in itertools.islice(self._by_name, 10)]
            more = ", ..." if len(self._by_name) > 10 else ""
            raise KeyError(f"there is no object {name!r}; the names are {', '.join(known) or 'none'}{more}")
        return next(reversed(found))

    def __contains__(self, item: object) -> bool:
        if isinstance(item, SceneObject):
            return item.scene is self and item.is_valid
        return item in self._by_name

    def _object(self, index: int, generation: int) -> SceneObject:
        identity = c.Object()
        identity.index, identity.generation = index, generation
        return SceneObject(self, identity)

    def name_of(self, number: int) -> str:
        """Returns the name of the object with this number in pairs; the number if it has no name."""
        return self._name_of_number.get(number, str(number))

    def find_primitive(self, object_number: int, primitive_number: int) -> tuple[SceneObject, int]:
        """Returns the object and its primitive number for an object and primitive number of a pair."""
        self.updated()
        identity, primitive = c.Object(), c_uint32()
        call(lib.graze_scene_find_primitive, self.handle, checked(c_uint32, object_number, "object_number"),
             checked(c_uint32, primitive_number, "primitive_number"), byref(identity), byref(primitive))
        return SceneObject(self, identity), primitive.value

    def keep_user_data(self, value: Any) -> int:
        """Stores a value; returns its token for the library."""
        token = next(self._tokens)
        self.user_data[token] = value
        return token

    # ------------------------------------------------------------------------------------------ poses and exclusions

    def set_poses(self, objects: Iterable[ObjectLike] | Array, poses: Any) -> None:
        """Sets the poses of several objects at once: all of them or none.

        Parameters
        ----------
        objects : sequence of n SceneObjects or names
            Or their ids from ``object_ids``, which is faster if reused for many frames.
        poses : array_like or tuple
            (n, 4, 4), or a tuple (rotations, translations). Rotations in float32 that deviate by up to 1e-3 are
            re-orthonormalized; others raise an error with the index and the deviation.
        """
        ids, placed = self.object_ids(objects), pose_array(poses)
        if len(ids) != len(placed):
            raise ValueError(f"there are {len(ids)} objects and {len(placed)} poses")
        self.changed()
        try:
            call(lib.graze_scene_set_poses, self.handle, ids.ctypes.data, len(ids), placed.ctypes.data)
        except NotARotation as error:
            raise explain(placed, error) from None

    def ignore(self, a: ObjectLike, b: ObjectLike, ignored: bool = True) -> None:
        """Excludes the pairs of two objects or names from all queries; False includes them again."""
        first, second = self.id_of(a), self.id_of(b)
        self.changed()
        call(lib.graze_scene_exclude, self.handle, first, second, ignored)

    def ignore_pairs(self, pairs: Iterable[tuple[ObjectLike, ObjectLike]], ignored: bool = True) -> None:
        """Like ``ignore``, for many pairs: all of them or none."""
        ids = self.object_ids(item for pair in pairs for item in pair)
        self.changed()
        call(lib.graze_scene_exclude_pairs, self.handle, ids.ctypes.data, len(ids) // 2, ignored)

    def is_ignored(self, a: ObjectLike, b: ObjectLike) -> bool:
        """Whether the pairs of two objects are excluded."""
        return bool(lib.graze_scene_is_excluded(self.handle, self.id_of(a), self.id_of(b)))

    @property
    def ignored_count(self) -> int:
        """The number of excluded pairs of objects."""
        return int(lib.graze_scene_exclusion_count(self.handle))

    # ------------------------------------------------------------------------------------------ methods and costs

    def set_method(self, name: str = "auto", *, simd: str = "auto", tree_builder: str = "auto",
                   tree_update: str = "auto", clusters: int = 0, axis: str = "principal", metric: str = "l2",
                   fuzziness: float | None = None) -> None:
        """Selects the broad-phase method: "auto", or one of ``methods()``. All methods find the same pairs.

        Parameters
        ----------
        name : str
        simd : str
            "auto", "scalar", "128" or "256".
        tree_builder, tree_update : str
            For the method "tree": "auto", "morton" or "splits"; "auto", "refit" or "rebuild".
        clusters, axis, metric, fuzziness
            For the method "clusters".
        """
        definition = default(c.MethodDef)
        definition.name = name.encode()
        definition.simd = value_of(Enumeration.SIMD, simd)
        definition.tree_builder = value_of(Enumeration.TREE_BUILDER, tree_builder)
        definition.tree_update = value_of(Enumeration.TREE_UPDATE, tree_update)
        definition.clusters = clusters
        definition.axis = value_of(Enumeration.AXIS, axis)
        definition.metric = value_of(Enumeration.METRIC, metric)
        if fuzziness is not None:
            definition.fuzziness = fuzziness
        self.changed()
        call(lib.graze_scene_set_method, self.handle, byref(definition))

    @property
    def method(self) -> str:
        """The method that queries use; "auto" before the first update."""
        name: bytes = lib.graze_scene_method(self.handle, None)
        return name.decode()

    @property
    def method_reason(self) -> str:
        """Why that method was chosen."""
        reason = c_char_p()
        lib.graze_scene_method(self.handle, byref(reason))
        return (reason.value or b"").decode()

    @property
    def backend(self) -> str:
        """The backend of updates and queries: "cpu" or "cuda"."""
        return self._backend

    def set_backend(self, name: str = "cpu", *, device: int | None = None, stream: int | None = None) -> None:
        """Selects the backend for later updates and queries; parameters as in ``Scene``."""
        chosen = backend_pointer(name, device, stream)
        self.changed()
        call(lib.graze_scene_set_backend, self.handle, chosen)
        self._backend, self.device = name, device or 0
        if name != "cuda":
            self._resident.clear()

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds of the stages of the last update."""
        timings = c.Timings()
        call(lib.graze_scene_get_timings, self.handle, byref(timings))
        return fields_of(pointer(timings))

    @property
    def counters(self) -> dict[str, int]:
        """The counters of the last update, and the memory that the scene holds now."""
        counters = c.Counters()
        call(lib.graze_scene_get_counters, self.handle, byref(counters))
        return fields_of(pointer(counters))
