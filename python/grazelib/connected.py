"""Welds vertices with equal coordinates and finds connected components of meshes."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ._arrays import Array
from ._enumerations import Kind
from .meshes import Mesh, MeshLike, as_triangles, mesh


def _places(vertices: Array) -> Array:
    """Returns for each vertex the first one with the same coordinates."""
    points = np.asarray(vertices, np.float64) + 0.0  # makes -0 and 0 equal
    order = np.lexsort(points.T)
    new = np.ones(len(points), bool)
    new[1:] = (points[order[1:]] != points[order[:-1]]).any(axis=1)
    first = np.empty(len(points), np.int64)
    first[order] = order[new][np.cumsum(new) - 1]
    return first


def weld(source: MeshLike) -> Mesh:
    """Returns the mesh with vertices of equal coordinates merged, so that faces that meet there are neighbors.

    The vertex array does not change; unused vertices are kept.
    """
    part = mesh(source)
    if part.kind == Kind.SPHERE or part.corners is None or not part.corners.size:
        return part
    return replace(part, corners=_places(part.vertices)[part.corners])


def components(source: MeshLike) -> list[Mesh]:
    """Returns the connected components of a mesh, ordered by first primitive, each with only its own vertices.

    Vertices with equal coordinates connect. Spheres remain one mesh. The names are "part.stl#0", "part.stl#1", etc.
    """
    part = mesh(source)
    if part.kind == Kind.SPHERE or part.count == 0:
        return [replace(part, name=f"{part.name}#0")]
    assert part.corners is not None
    corner_starts = _corner_starts(part)
    corners = np.asarray(part.corners, np.int64).reshape(-1)
    owner = np.repeat(np.arange(part.count), np.diff(corner_starts))
    labels = _labels(_places(part.vertices)[corners], corner_starts, owner, len(part.vertices))
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    number = rank[inverse.reshape(-1)]
    chosen = np.split(np.argsort(number, kind="stable"), np.cumsum(np.bincount(number))[:-1])
    return [_part(part, corners, corner_starts, elements, f"{part.name}#{i}") for i, elements in enumerate(chosen)]


def _corner_starts(part: Mesh) -> Array:
    """Returns the first corner of each primitive, and the end."""
    if part.kind in (Kind.TRIANGLE, Kind.TETRAHEDRON):
        return np.arange(part.count + 1) * (3 if part.kind == Kind.TRIANGLE else 4)
    assert part.face_starts is not None
    starts = np.asarray(part.face_starts, np.int64)
    return starts if part.cell_starts is None else starts[np.asarray(part.cell_starts, np.int64)]


def _labels(corners: Array, starts: Array, owner: Array, vertex_count: int) -> Array:
    """Returns a label for each primitive, equal if connected: merges sets of vertices until none changes."""
    label = np.arange(vertex_count)
    first = corners[starts[:-1]][owner]
    while True:
        a, b = label[first], label[corners]
        if (a == b).all():
            result: Array = label[corners[starts[:-1]]]
            return result
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while (label != label[label]).any():
            label = label[label]


def _ranges(starts: Array, chosen: Array) -> tuple[Array, Array]:
    """Returns the concatenated numbers of the chosen ranges, and the first position of each range."""
    sizes = starts[chosen + 1] - starts[chosen]
    new_starts = np.concatenate([[0], np.cumsum(sizes)])
    return np.arange(new_starts[-1]) + np.repeat(starts[chosen] - new_starts[:-1], sizes), new_starts


def _part(whole: Mesh, corners: Array, corner_starts: Array, elements: Array, name: str) -> Mesh:
    """Returns the mesh of some primitives, with only the vertices that they use."""
    taken, _ = _ranges(corner_starts, elements)
    used, renumbered = np.unique(corners[taken], return_inverse=True)
    made = replace(whole, vertices=np.asarray(whole.vertices)[used], corners=renumbered.reshape(-1), name=name,
                   note=None)
    if whole.kind in (Kind.TRIANGLE, Kind.TETRAHEDRON):
        return replace(made, corners=renumbered.reshape(len(elements), -1))
    if whole.cell_starts is None:
        return as_triangles(replace(made, face_starts=_ranges(corner_starts, elements)[1].astype(np.uint32)))
    assert whole.face_starts is not None
    faces, cell_starts = _ranges(np.asarray(whole.cell_starts, np.int64), elements)
    face_starts = _ranges(np.asarray(whole.face_starts, np.int64), faces)[1]
    return replace(made, face_starts=face_starts.astype(np.uint32), cell_starts=cell_starts.astype(np.uint32))
