"""Two triangles, or two convex cells, without a scene: exact tests, common parts, distances and penetrations.

All coordinates are taken as float64 and must be finite.
"""
from __future__ import annotations

import math
from ctypes import byref, c_double
from typing import Any

import numpy as np

from ._arrays import Array
from ._library import lib


def _corners(points: Any, count: int | None, what: str) -> Array:
    """Corners as the library reads them."""
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.size == 0 and count is None:
        return np.empty((0, 3))
    if array.ndim != 2 or array.shape[1] != 3 or (count is not None and len(array) != count):
        wanted = f"({count if count is not None else 'n'}, 3)"
        raise ValueError(f"{what} must have the shape {wanted}, not {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{what} has a coordinate that is not finite")
    return array


def triangles_intersect(a: Any, b: Any) -> bool:
    """Whether two triangles, shape (3, 3), have a point in common: exact."""
    p, q = _corners(a, 3, "triangle a"), _corners(b, 3, "triangle b")
    return bool(lib.graze_triangles_intersect(p.ctypes.data, q.ctypes.data))


def triangles_intersection(a: Any, b: Any) -> Array:
    """The common part of two triangles, rounded: no point, one, the two of a segment, or 3 to 6 of a polygon; (n, 3).
    """
    p, q = _corners(a, 3, "triangle a"), _corners(b, 3, "triangle b")
    points = np.empty((6, 3))
    count = lib.graze_triangles_intersection(p.ctypes.data, q.ctypes.data, points.ctypes.data)
    return points[:count].copy()


def triangles_distance(a: Any, b: Any) -> tuple[float, Array, Array]:
    """The distance of two triangles and a nearest point of each; 0 exactly when they intersect."""
    p, q = _corners(a, 3, "triangle a"), _corners(b, 3, "triangle b")
    points = np.empty((2, 3))
    distance = lib.graze_triangles_distance(p.ctypes.data, q.ctypes.data, points[0].ctypes.data, points[1].ctypes.data)
    return float(distance), points[0], points[1]


def convex_intersect(a: Any, b: Any) -> bool:
    """Whether the convex hulls of two sets of corners, shape (n, 3), have a point in common: exact."""
    p, q = _corners(a, None, "cell a"), _corners(b, None, "cell b")
    return bool(lib.graze_convex_intersect(p.ctypes.data, len(p), q.ctypes.data, len(q)))


def convex_distance(a: Any, b: Any) -> tuple[float, Array | None, Array | None]:
    """The distance of two convex cells and a nearest point of each; infinite, without points, where one is empty."""
    p, q = _corners(a, None, "cell a"), _corners(b, None, "cell b")
    points = np.empty((2, 3))
    distance = lib.graze_convex_distance(p.ctypes.data, len(p), q.ctypes.data, len(q), points[0].ctypes.data,
                                         points[1].ctypes.data)
    if not len(p) or not len(q):
        return math.inf, None, None
    return float(distance), points[0], points[1]


def convex_penetration(a: Any, b: Any) -> tuple[Array, float] | None:
    """The least move that separates two convex cells: b moves along the unit normal by the depth. None where they do
    not intersect."""
    p, q = _corners(a, None, "cell a"), _corners(b, None, "cell b")
    normal, depth = np.empty(3), c_double()
    if not lib.graze_convex_penetration(p.ctypes.data, len(p), q.ctypes.data, len(q), normal.ctypes.data,
                                        byref(depth)):
        return None
    return normal, depth.value
