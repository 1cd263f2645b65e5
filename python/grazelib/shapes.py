"""Shapes: positions and primitives that any number of objects share."""
from __future__ import annotations

from ctypes import byref, pointer
from typing import Any

from . import _meshes
from ._calls import default
from ._declarations import ShapeDef
from ._enumerations import Kind
from ._handles import Closing, Handle
from ._library import lib
from .workers import Workers, set_workers


class Shape(Closing):
    """Positions and primitives of one kind, for ``Scene.add_shape``.

    Create it with ``Shape.triangles``, ``polygons``, ``tetrahedra``, ``polyhedra`` or ``spheres``, which have the
    arguments of the scene's ``add_triangles`` etc. Scenes on several threads may use it. Objects keep it alive, so it
    may be closed once they are added.
    """

    def __init__(self, definition: _meshes.Definition, *, workers: int | Workers = 1,
                 prepare_tree: bool = True) -> None:
        shape = default(ShapeDef)
        shape.mesh = pointer(definition.mesh)
        shape.kind = definition.kind
        shape.prepare_tree = prepare_tree
        set_workers(shape, workers)
        self._handle = Handle(lib.graze_shape_create, byref(shape), lib.graze_shape_destroy)
        self.kind: Kind = definition.kind
        self.name = definition.name
        self.primitive_count = definition.primitive_count

    @classmethod
    def triangles(cls, vertices: Any, faces: Any, *, name: str | None = None, workers: int | Workers = 1,
                  prepare_tree: bool = True) -> Shape:
        """Creates a shape of triangles: vertices (n, 3) and indices (m, 3)."""
        return cls(_meshes.triangles(vertices, faces, name), workers=workers, prepare_tree=prepare_tree)

    @classmethod
    def polygons(cls, vertices: Any, faces: Any, *, face_sizes: Any = None, face_starts: Any = None,
                 name: str | None = None, workers: int | Workers = 1, prepare_tree: bool = True) -> Shape:
        """Creates a shape of polygons; see ``Scene.add_polygons``."""
        return cls(_meshes.polygons(vertices, faces, face_sizes, face_starts, name), workers=workers,
                   prepare_tree=prepare_tree)

    @classmethod
    def tetrahedra(cls, vertices: Any, cells: Any, *, name: str | None = None, workers: int | Workers = 1,
                   prepare_tree: bool = True) -> Shape:
        """Creates a shape of tetrahedra: vertices (n, 3) and indices (m, 4)."""
        return cls(_meshes.tetrahedra(vertices, cells, name), workers=workers, prepare_tree=prepare_tree)

    @classmethod
    def polyhedra(cls, vertices: Any, cells: Any, *, face_sizes: Any = None, face_starts: Any = None,
                  cell_sizes: Any = None, cell_starts: Any = None, name: str | None = None,
                  workers: int | Workers = 1, prepare_tree: bool = True) -> Shape:
        """Creates a shape of convex cells; see ``Scene.add_polyhedra``."""
        definition = _meshes.polyhedra(vertices, cells, face_sizes, face_starts, cell_sizes, cell_starts, name)
        return cls(definition, workers=workers, prepare_tree=prepare_tree)

    @classmethod
    def spheres(cls, centers: Any, radii: Any, *, name: str | None = None, workers: int | Workers = 1,
                prepare_tree: bool = True) -> Shape:
        """Creates a shape of spheres: centers (n, 3) and radii (n,)."""
        return cls(_meshes.spheres(centers, radii, name), workers=workers, prepare_tree=prepare_tree)

    def __repr__(self) -> str:
        words = lib.graze_kind_text(self.kind, self.primitive_count).decode()
        return f"<Shape{' ' + repr(self.name) if self.name else ''}: {self.primitive_count} {words}>"
