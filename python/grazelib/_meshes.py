"""Makes mesh definitions for scenes, shapes and packings: converts arrays to a graze_mesh_def."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import indices_view, numbers_view, positions_view
from ._calls import default
from ._declarations import MeshDef, ObjectDef, View
from ._device import device_view, on_device, on_host
from ._enumerations import Kind


@dataclass(frozen=True)
class GlobalNumbers:
    """The numbers of an object in a larger model, of which the scene contains a part.

    Pairs then have ``object`` for the object, and ``primitive`` + i for its primitive i. Objects with the same
    ``object`` are parts of one object: vertices of two parts are one vertex if their numbers and positions are equal.

    Parameters
    ----------
    object, primitive, vertex : int
        The number of the object, and those of its first primitive and vertex.
    primitives, vertices : array_like of int, optional
        A number for each primitive or vertex, in place of consecutive ones.
    """

    object: int
    primitive: int = 0
    vertex: int = 0
    primitives: Any = None
    vertices: Any = None


def set_numbers(definition: ObjectDef, numbers: GlobalNumbers) -> list[View]:
    """Sets the global numbers of an object; returns the views that must be kept until it is added."""
    if not isinstance(numbers, GlobalNumbers):
        raise TypeError(f"numbers must be GlobalNumbers, not {type(numbers).__name__}")
    definition.global_numbers = True
    definition.global_object = numbers.object
    definition.global_primitive = numbers.primitive
    definition.global_vertex = numbers.vertex
    kept = []
    for field, given in (("primitives", numbers.primitives), ("vertices", numbers.vertices)):
        if given is not None:
            kept.append(indices_view(given, 1, f"global numbers of {field}"))
            setattr(definition, f"global_{field}", kept[-1])
    return kept


def name_bytes(name: str | None) -> bytes | None:
    """Returns a name as a C string.

    Raises
    ------
    TypeError, ValueError
        It is not a str, or contains a null character.
    """
    if name is None:
        return None
    if not isinstance(name, str):
        raise TypeError(f"a name must be a str, not {type(name).__name__}")
    if "\0" in name:
        raise ValueError(f"a name must not have a null character: {name!r}")
    return name.encode()


class Definition:
    """A graze_mesh_def, its kind, and the arrays that it references.

    Parameters
    ----------
    kind : Kind
    positions : array_like, shape (n, 3)
    name : str, optional
    """

    def __init__(self, kind: Kind, positions: Any, name: str | None = None) -> None:
        self.kind = kind
        self._mesh = default(MeshDef)
        self._kept: list[View] = []
        self._on_device = positions if on_device(positions) else None
        if self._on_device is not None:  # updates read them on the device; until then the object has zeros
            shape = device_view(positions, "positions").shape
            positions = np.zeros((shape[0] if shape else 0, 3), np.float32)
        self.set_view("positions", positions_view(positions))
        self.name = name
        self._mesh.name = name_bytes(name)

    @property
    def mesh(self) -> MeshDef:
        """The graze_mesh_def."""
        if self._on_device is not None:
            raise TypeError("positions on a device are for objects of scenes, not for polyhedra. Copy them to the "
                            "host: array.cpu() in PyTorch, array.get() in CuPy")
        return self._mesh

    def take_device_positions(self) -> Any:
        """The positions on a device for the new object; None if they are on the host."""
        if self.kind == Kind.POLYHEDRON:
            return None
        positions, self._on_device = self._on_device, None
        return positions

    def set_view(self, field: str, view: View) -> None:
        """Sets a view and keeps its array alive."""
        setattr(self._mesh, field, view)
        self._kept.append(view)

    @property
    def vertex_count(self) -> int:
        """The number of vertices."""
        return int(self._mesh.positions.count)

    @property
    def primitive_count(self) -> int:
        """The number of primitives."""
        mesh = self.mesh
        if self.kind == Kind.TRIANGLE:
            return int(mesh.triangles.count)
        if self.kind == Kind.TETRAHEDRON:
            return int(mesh.tetrahedra.count)
        if self.kind == Kind.SPHERE:
            return int(mesh.positions.count)
        sizes, starts = (mesh.face_sizes, mesh.face_starts) if self.kind == Kind.POLYGON else \
            (mesh.cell_sizes, mesh.cell_starts)
        return max(int(sizes.count), int(starts.count) - 1, 0)


def triangles(vertices: Any, faces: Any, name: str | None = None) -> Definition:
    """Defines triangles: vertices (n, 3) and indices (m, 3)."""
    definition = Definition(Kind.TRIANGLE, vertices, name)
    definition.set_view("triangles", indices_view(on_host(faces), 3, "faces"))
    return definition


def tetrahedra(vertices: Any, cells: Any, name: str | None = None) -> Definition:
    """Defines tetrahedra: vertices (n, 3) and indices (m, 4)."""
    definition = Definition(Kind.TETRAHEDRON, vertices, name)
    definition.set_view("tetrahedra", indices_view(on_host(cells), 4, "tetrahedra"))
    return definition


def spheres(centers: Any, radii: Any, name: str | None = None) -> Definition:
    """Defines spheres: centers (n, 3) and radii (n,), or one radius for all."""
    definition = Definition(Kind.SPHERE, centers, name)
    if np.ndim(radii) == 0:
        radii = np.full(definition.vertex_count, radii)
    definition.set_view("radii", numbers_view(on_host(radii), "radii"))
    return definition


def flatten(rows: Sequence[Any]) -> tuple[Any, Any]:
    """Returns rows of different lengths as one array, and their lengths."""
    if not all(hasattr(row, "__len__") for row in rows):
        raise ValueError("faces must be rows of indices. A flat array of corners requires sizes or starts")
    sizes = np.array([len(row) for row in rows], dtype=np.uint32)
    if not len(rows):
        return np.empty(0, np.uint32), sizes
    return np.concatenate([np.asarray(row) for row in rows]), sizes


def _set_faces(definition: Definition, faces: Any, sizes: Any, starts: Any) -> None:
    """Sets corners: an array (m, k), rows of different lengths, or a flat array with sizes or starts."""
    if sizes is None and starts is None:
        if isinstance(faces, np.ndarray) and faces.ndim == 2:
            sizes = np.full(len(faces), faces.shape[1], np.uint32)
            faces = faces.reshape(-1)
        else:
            faces, sizes = flatten(faces)
    definition.set_view("corners", indices_view(faces, 1, "corners"))
    if sizes is not None:
        definition.set_view("face_sizes", indices_view(sizes, 1, "face_sizes"))
    if starts is not None:
        definition.set_view("face_starts", indices_view(starts, 1, "face_starts"))


def polygons(vertices: Any, faces: Any, face_sizes: Any = None, face_starts: Any = None,
             name: str | None = None) -> Definition:
    """Defines polygons: indices (m, k), rows of different lengths, or a flat array with sizes or starts."""
    definition = Definition(Kind.POLYGON, vertices, name)
    _set_faces(definition, faces, face_sizes, face_starts)
    return definition


def polyhedra(vertices: Any, cells: Any, face_sizes: Any = None, face_starts: Any = None, cell_sizes: Any = None,
              cell_starts: Any = None, name: str | None = None) -> Definition:
    """Defines convex cells: nested sequences of cells, faces and indices; or a flat array with sizes or starts.
    """
    definition = Definition(Kind.POLYHEDRON, vertices, name)
    if cell_sizes is None and cell_starts is None:
        cell_sizes = np.array([len(cell) for cell in cells], dtype=np.uint32)
        cells = [face for cell in cells for face in cell]
    _set_faces(definition, cells, face_sizes, face_starts)
    if cell_sizes is not None:
        definition.set_view("cell_sizes", indices_view(cell_sizes, 1, "cell_sizes"))
    if cell_starts is not None:
        definition.set_view("cell_starts", indices_view(cell_starts, 1, "cell_starts"))
    return definition
