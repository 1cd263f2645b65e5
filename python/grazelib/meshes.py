"""Makes meshes from files, arrays and objects of other packages.

Supports trimesh, Open3D, PyVista and meshio without requiring them. An object is identified by its attributes, not by
its class: ``.vertices`` with ``.faces`` or ``.triangles``, ``.points`` with ``.faces`` or ``.cells``.
Arrays are not copied; the library reads them in place.
"""
from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Iterable, Sequence
from ctypes import byref
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

import numpy as np

from . import _declarations as c
from . import _meshes as definitions
from ._arrays import Array, OwnedList
from ._calls import call_io, default
from ._device import on_host
from ._enumerations import Enumeration, Kind
from ._handles import Handle
from ._library import io_lib, lib
from .files import MeshFile
from .names import value_of

if TYPE_CHECKING:
    from ._meshes import GlobalNumbers
    from .objects import SceneObject
    from .scene import Scene


class _HasVertices(Protocol):
    @property
    def vertices(self) -> Any: ...


class _HasPoints(Protocol):
    @property
    def points(self) -> Any: ...


class _HasVertex(Protocol):
    @property
    def vertex(self) -> Any: ...


class _HasShape(Protocol):
    @property
    def shape(self) -> Any: ...


MeshLike = str | os.PathLike[str] | tuple[Any, Any] | _HasVertices | _HasPoints | _HasVertex
"""A file name, a ``Mesh``, a pair (vertices, faces), or an object of another package."""

ArrayLike = Sequence[Any] | _HasShape
"""Nested sequences, or an array of any package. Numbers alone, which numpy accepts, are not in it."""

UNNAMED = ("mesh", "spheres")
"""The default names of meshes."""


@dataclass(frozen=True, eq=False, repr=False)
class Mesh:
    """Primitives of one kind. ``gz.mesh``, ``gz.spheres`` and ``gz.read`` make them.

    Attributes
    ----------
    kind : Kind
    vertices : ndarray, shape (n, 3)
        For spheres, the centers.
    corners : ndarray or None
        Triangles: shape (m, 3). Tetrahedra: (m, 4). Polygons and polyhedra: the corners of all faces, concatenated.
        Spheres: None.
    face_starts, cell_starts : ndarray or None
        Polygons and polyhedra: the first corner of each face, and the end. Polyhedra: the first face of each cell, and
        the end.
    radii : ndarray, shape (n,), or None
        Only for spheres.
    name : str
        The name in messages; for files, the path as passed.
    note : str or None
        What the reader skipped.
    """

    kind: Kind
    vertices: Array
    corners: Array | None = None
    face_starts: Array | None = None
    cell_starts: Array | None = None
    radii: Array | None = None
    name: str = UNNAMED[0]
    note: str | None = None

    @property
    def count(self) -> int:
        """The number of primitives."""
        if self.kind == Kind.SPHERE:
            return len(self.vertices)
        starts = self.face_starts if self.kind == Kind.POLYGON else self.cell_starts
        rows = self.corners if starts is None else starts
        assert rows is not None
        return len(rows) - (starts is not None)

    @property
    def faces(self) -> Any:
        """The indices of triangles, shape (m, 3), or of tetrahedra, shape (m, 4); a list of arrays for polygons."""
        if self.kind == Kind.POLYGON:
            assert self.corners is not None and self.face_starts is not None
            return np.split(self.corners, np.asarray(self.face_starts[1:-1], np.int64))
        return self.corners

    def _arguments(self) -> dict[str, Any]:
        starts = {"face_starts": self.face_starts, "cell_starts": self.cell_starts}
        return {"name": self.name, **{key: value for key, value in starts.items() if value is not None}}

    def definition(self) -> definitions.Definition:
        """Returns the definition of the mesh for the library."""
        make: Callable[..., definitions.Definition] = getattr(definitions, kind_word(self.kind, 2))
        return make(self.vertices, self.radii if self.kind == Kind.SPHERE else self.corners, **self._arguments())

    def add_to(self, scene: Scene, *, name: str | None = None, category: int = 1, mask: int = -1,
               self_pairs: bool = True, pose: Any = None, numbers: GlobalNumbers | None = None) -> SceneObject:
        """Adds the mesh to a scene as an object; the options are those of ``Scene.add_triangles``. Its default name is
        that of the mesh."""
        add: Callable[..., SceneObject] = getattr(scene, f"add_{kind_word(self.kind, 2)}")
        arguments = self._arguments() if name is None else {**self._arguments(), "name": name}
        return add(self.vertices, self.radii if self.kind == Kind.SPHERE else self.corners, category=category,
                   mask=mask, self_pairs=self_pairs, pose=pose, numbers=numbers, **arguments)

    def __repr__(self) -> str:
        return f"<Mesh '{self.name}': {len(self.vertices)} vertices, {self.count} {kind_word(self.kind, self.count)}>"


def kind_word(kind: Kind, count: int) -> str:
    """Returns the singular or plural name of a kind: "triangle", "tetrahedra"."""
    word: bytes = lib.graze_kind_text(kind, count)
    return word.decode()


# ------------------------------------------------------------------------------------------------ arrays

def mesh(source: MeshLike | ArrayLike, faces: Any = None, *, kind: str | Kind | None = None,
         name: str | None = None) -> Mesh:
    """Makes a mesh from arrays, a file, or an object of trimesh, Open3D, PyVista or meshio.

    Parameters
    ----------
    source : array_like, str, path or object
        Vertices, shape (n, 3), if ``faces`` is given. Otherwise a file, a ``Mesh``, a pair (vertices, faces), or an
        object with ``.vertices`` and ``.faces``, ``.vertices`` and ``.triangles``, ``.points`` and ``.faces``, or
        ``.points`` and ``.cells``.
    faces : array_like, optional
        Indices, shape (m, 3), or rows of different lengths: polygons.
    kind : str or Kind, optional
        "triangle", "polygon", "tetrahedron" or "polyhedron". Required for four columns, which are quadrilaterals or
        tetrahedra. Cells of polyhedra are lists of faces, each a list of indices.
    name : str, optional
        The name in messages and results.

    Examples
    --------
    >>> import grazelib as gz
    >>> gz.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], name="a triangle")
    <Mesh 'a triangle': 3 vertices, 1 triangle>
    """
    if faces is not None:
        made = _of_arrays(source, faces, kind)
    elif kind is not None:
        raise TypeError("kind is only for vertices and faces; a file or an object has its own kind")
    else:
        made = _of_source(source)
    return made if name is None else replace(made, name=name)


def spheres(centers: Any, radii: Any, *, name: str | None = None) -> Mesh:
    """Makes a mesh of spheres, which are solid balls.

    Parameters
    ----------
    centers : array_like, shape (n, 3)
    radii : array_like, shape (n,), or float
        A single number is the radius of all spheres.
    name : str, optional
    """
    centers = _vertices(centers, "centers")
    radii = np.asarray(on_host(radii))
    if radii.shape == (len(centers), 1):
        radii = radii[:, 0]
    if radii.ndim == 0:
        radii = np.full(len(centers), radii, np.float64 if radii.dtype.kind != "f" else radii.dtype)
    if radii.shape != (len(centers),):
        raise ValueError(f"there are {len(centers)} centers, but radii of the shape {radii.shape}")
    return Mesh(Kind.SPHERE, centers, radii=radii, name=name or UNNAMED[1])


def _vertices(data: Any, what: str = "vertices") -> Array:
    array = np.asarray(on_host(data))
    if array.size == 0 and array.ndim <= 2:
        return np.empty((0, 3))
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{what} must have the shape (n, 3), not {array.shape}")
    return array


def _starts(sizes: Iterable[int]) -> Array:
    return np.concatenate([[0], np.cumsum(np.fromiter(sizes, np.int64))]).astype(np.uint32)


def _ragged(rows: Sequence[Any]) -> tuple[Array, Array]:
    """Returns rows of different lengths as one array, and the start of each row."""
    flat, sizes = definitions.flatten(rows)
    return flat, _starts(sizes)


def _polygons(vertices: Array, faces: Any) -> Mesh:
    if isinstance(faces, np.ndarray) and faces.ndim == 2:
        starts = np.arange(len(faces) + 1, dtype=np.uint32) * np.uint32(faces.shape[1])
        return as_triangles(Mesh(Kind.POLYGON, vertices, faces.reshape(-1), starts))
    corners, starts = _ragged(faces)
    return as_triangles(Mesh(Kind.POLYGON, vertices, corners, starts))


def as_triangles(polygons: Mesh) -> Mesh:
    """Converts polygons to triangles if all have three corners, as for files; returns others unchanged."""
    if polygons.kind != Kind.POLYGON or polygons.corners is None or polygons.face_starts is None:
        return polygons
    if (np.diff(polygons.face_starts) != 3).any():
        return polygons
    return replace(polygons, kind=Kind.TRIANGLE, corners=polygons.corners.reshape(-1, 3), face_starts=None)


def _polyhedra(vertices: Array, cells: Sequence[Sequence[Any]]) -> Mesh:
    corners, face_starts = _ragged([face for cell in cells for face in cell])
    return Mesh(Kind.POLYHEDRON, vertices, corners, face_starts, _starts(len(cell) for cell in cells))


def _rows(faces: Any) -> Any:
    """Returns faces of equal length as a two-dimensional array; returns others unchanged."""
    if isinstance(faces, np.ndarray):
        return faces
    if isinstance(faces, (list, tuple)):
        lengths = {len(row) if hasattr(row, "__len__") else -1 for row in faces}
        if len(lengths) > 1 and -1 not in lengths:
            return faces
    return np.asarray(on_host(faces))


def _of_arrays(vertices: Any, faces: Any, kind: str | Kind | None = None) -> Mesh:
    points = _vertices(vertices)
    chosen = None if kind is None else Kind(value_of(Enumeration.KIND, kind))
    if chosen == Kind.SPHERE:
        return spheres(points, faces)
    if chosen == Kind.POLYHEDRON:
        return _polyhedra(points, faces)
    rows = _rows(faces)
    if not isinstance(rows, np.ndarray):
        if chosen is not None and chosen != Kind.POLYGON:
            raise ValueError(f"faces of different lengths are polygons, not {kind_word(chosen, 2)}")
        return _polygons(points, rows)
    if rows.size == 0 and rows.ndim <= 2:
        rows = np.empty((0, 4 if chosen == Kind.TETRAHEDRON else 3), np.uint32)
    if rows.ndim != 2 or rows.shape[1] < 3:
        raise ValueError(f"faces must have the shape (m, 3) or be rows of indices, not an array of shape {rows.shape}")
    if rows.shape[1] == 4 and chosen is None:
        raise ValueError("faces with 4 columns are quadrilaterals or tetrahedra: pass gz.mesh(vertices, faces, "
                         "kind='polygon') or kind='tetrahedron'")
    columns = {Kind.TRIANGLE: 3, Kind.TETRAHEDRON: 4}
    if chosen is None:
        chosen = Kind.TRIANGLE if rows.shape[1] == 3 else Kind.POLYGON
    if rows.shape[1] != columns.get(chosen, rows.shape[1]):
        raise ValueError(f"{kind_word(chosen, 2)} have {columns[chosen]} columns, not {rows.shape[1]}")
    return _polygons(points, rows) if chosen == Kind.POLYGON else Mesh(chosen, points, rows)


# ------------------------------------------------------------------------------------------------ other packages

# Supported cells of meshio, and of PyVista by their VTK numbers.
_CELLS = {"triangle": "triangle", "quad": "polygon", "polygon": "polygon", "tetra": "tetrahedron",
          5: "triangle", 7: "polygon", 9: "polygon", 10: "tetrahedron"}


def is_file(source: Any) -> TypeGuard[str | os.PathLike[str]]:
    """Whether the source is a file name."""
    return isinstance(source, (str, os.PathLike))


def is_mesh_like(source: Any) -> bool:
    """Whether the source is a mesh on its own: anything except a bare array."""
    if is_file(source) or isinstance(source, Mesh):
        return True
    if isinstance(source, tuple):  # (vertices, faces), not a row of vertices
        return len(source) == 2 and np.shape(source[0]) != (3,)
    return any(hasattr(source, name) for name in ("vertices", "points")) or hasattr(source, "vertex")


def _of_source(source: Any) -> Mesh:
    if isinstance(source, Mesh):
        return source
    if is_file(source):
        return read(source)
    if isinstance(source, tuple):
        if len(source) != 2:
            raise ValueError(f"a tuple must be (vertices, faces); this one has {len(source)} items")
        return _of_arrays(*source)
    if hasattr(source, "vertices"):
        return _of_vertices(source)
    if hasattr(source, "points"):
        return _of_points(source)
    if hasattr(source, "vertex") and hasattr(source, "triangle"):  # Open3D's tensors
        return Mesh(Kind.TRIANGLE, _vertices(source.vertex["positions"].numpy()), source.triangle["indices"].numpy())
    if hasattr(source, "__array__"):
        raise TypeError("an array alone is not a mesh: pass vertices and faces, or gz.spheres(centers, radii)")
    if hasattr(source, "geometry"):
        raise TypeError("a trimesh scene is not a mesh: pass scene.dump(), which returns the placed meshes")
    raise TypeError(f"cannot make a mesh from {reprlib.repr(source)}, type {type(source).__name__}: pass a file name, "
                    "(vertices, faces), or an object of trimesh, Open3D, PyVista or meshio")


def _of_vertices(source: Any) -> Mesh:
    """Makes a mesh from trimesh or Open3D."""
    vertices = _vertices(source.vertices)
    if hasattr(source, "tetras"):
        return _of_arrays(vertices, np.asarray(source.tetras), Kind.TETRAHEDRON)
    for name in ("faces", "triangles"):
        if hasattr(source, name):
            rows = _rows(getattr(source, name))
            quads = isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.shape[1] == 4
            return _of_arrays(vertices, rows, Kind.POLYGON if quads else None)
    raise TypeError(f"this {type(source).__name__} has .vertices, but neither .faces nor .triangles")


def _unpad(padded: Array) -> Sequence[Any] | Array:
    """Returns PyVista's faces, each preceded by its number of corners, as rows."""
    size = int(padded[0]) if len(padded) else 3
    if len(padded) % (size + 1) == 0 and (padded[::size + 1] == size).all():
        return padded.reshape(-1, size + 1)[:, 1:]
    rows, at = [], 0
    while at < len(padded):
        rows.append(padded[at + 1:at + 1 + int(padded[at])])
        at += 1 + int(padded[at])
    return rows


def _of_points(source: Any) -> Mesh:
    """Makes a mesh from PyVista or meshio."""
    points = _vertices(source.points)
    if hasattr(source, "faces"):
        faces = np.asarray(source.faces)
        rows = _unpad(faces) if faces.ndim == 1 else faces
        regular = isinstance(rows, np.ndarray) and rows.shape[1] == 3
        return _of_arrays(points, rows, Kind.TRIANGLE if regular else Kind.POLYGON)
    if hasattr(source, "cells_dict"):
        return _of_cells(points, source.cells_dict)
    raise TypeError(f"this {type(source).__name__} has .points, but neither .faces nor .cells_dict: its surface may "
                    "have them, in PyVista mesh.extract_surface()")


def _of_cells(points: Array, blocks: dict[Any, Any]) -> Mesh:
    """Makes a mesh of tetrahedra if there are any, otherwise of triangles and polygons, as for files."""
    known = {name: _CELLS[name] for name in blocks if name in _CELLS}
    solid = "tetrahedron" in known.values()
    taken = [name for name in known if (known[name] == "tetrahedron") == solid]
    if not taken:
        raise ValueError("there are no triangles, polygons or tetrahedra among the cells: "
                         + (", ".join(map(str, blocks)) or "none"))
    left = [str(name) for name in blocks if name not in taken]
    note = f"cells that are not {'tetrahedra' if solid else 'faces'} were skipped: {', '.join(left)}" if left else None
    if solid or all(known[name] == "triangle" for name in taken):
        rows = np.concatenate([np.asarray(blocks[name]) for name in taken])
        return replace(_of_arrays(points, rows, Kind.TETRAHEDRON if solid else Kind.TRIANGLE), note=note)
    return replace(_polygons(points, [row for name in taken for row in blocks[name]]), note=note)


# ------------------------------------------------------------------------------------------------ files

class _FileArrays(OwnedList):
    """Arrays of the meshes of a file; the file stays open while an array refers to it."""

    __slots__ = ("file",)

    def __init__(self, file: MeshFile) -> None:
        self.file = file

    def __del__(self) -> None:
        """Does nothing: the file is closed when it is no longer referenced."""


def read_all(path: str | os.PathLike[str], *, separate: bool = False, allow_large: bool = False) -> list[Mesh]:
    """Reads the meshes of a file.

    Parameters
    ----------
    path : str or path
        OBJ, PLY, STL, OFF, glTF, 3MF, Gmsh, MEDIT, VTK, TetGen; CSV and SPH for spheres; each also with .gz.
    separate : bool, optional
        Groups of an OBJ file, solids of an STL file and placed meshes of a glTF or 3MF file become separate meshes.
    allow_large : bool, optional
        Allow compressed files of any expanded size.

    Raises
    ------
    FileFailed
        The file cannot be read, or no primitive of it, such as in a point cloud. The message contains the file, the line
        and the reason.
    """
    place = os.fspath(path)
    if not isinstance(place, str):
        raise TypeError("a path must be a str or a Path; gz.MeshFile reads the bytes of a file")
    file = MeshFile(place, separate=separate, allow_large=allow_large)
    return [_of_file(file, i, place, separate) for i in range(len(file))]


def read(path: str | os.PathLike[str], *, allow_large: bool = False) -> Mesh:
    """Reads a file as one mesh; see ``read_all`` for the parameters."""
    return read_all(path, allow_large=allow_large)[0]


def _of_file(file: MeshFile, number: int, path: str, separate: bool) -> Mesh:
    info, definition, owned = file.info(number), default(c.MeshDef), _FileArrays(file)
    call_io(io_lib().graze_io_get_def, file.handle, number, byref(definition))
    kind = info.kind

    def array(view: Any, dtype: Any, columns: int = 0) -> Array:
        return owned.array(view.data, (view.count, columns) if columns else (view.count,), dtype)

    parts: dict[str, Any] = {"vertices": array(definition.positions, np.float64, 3)}
    if kind == Kind.SPHERE:
        parts["radii"] = array(definition.radii, np.float64)
    elif kind in (Kind.TRIANGLE, Kind.TETRAHEDRON):
        triangles = kind == Kind.TRIANGLE
        parts["corners"] = array(definition.triangles if triangles else definition.tetrahedra, np.uint32,
                                 3 if triangles else 4)
    else:
        parts["corners"] = array(definition.corners, np.uint32)
        parts["face_starts"] = array(definition.face_starts, np.uint32)
        if kind == Kind.POLYHEDRON:
            parts["cell_starts"] = array(definition.cell_starts, np.uint32)
    return Mesh(kind, name=f"{path}[{info.name}]" if separate else path, note=info.note, **parts)


def write(path: str | os.PathLike[str], *meshes: MeshLike, text: bool = False) -> None:
    """Writes meshes to one file; the extension selects the format.

    Parameters
    ----------
    path : str or path
    *meshes
        Anything that ``mesh`` accepts. All must be surfaces, all solids, or all spheres.
    text : bool, optional
        For PLY, STL, Gmsh and VTK: text instead of binary.
    """
    if not meshes:
        raise TypeError("write requires a mesh after the path")
    io = io_lib()
    handle = Handle(io.graze_io_meshes_create, None, io.graze_io_meshes_destroy, call_io)
    for source in meshes:
        part = mesh(source)
        definition = part.definition()
        call_io(io.graze_io_append, handle, part.kind, byref(definition.mesh))
    options = default(c.IoWriteOptions)
    options.text = text
    call_io(io.graze_io_write_file, os.fsencode(path), handle, byref(options))
