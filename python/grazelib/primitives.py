"""Exact tests, intersections, distances and penetrations of two triangles or two convex cells, without a scene.

All coordinates are converted to float64 and must be finite.
"""
from __future__ import annotations

import math
from ctypes import byref, c_double
from typing import Any

import numpy as np

from ._arrays import Array
from ._library import lib


def _corners(points: Any, count: int | None, what: str) -> Array:
    """Returns corners in the form that the library reads."""
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
    """Tests exactly whether two triangles, shape (3, 3), intersect."""
    p, q = _corners(a, 3, "triangle a"), _corners(b, 3, "triangle b")
    return bool(lib.graze_triangles_intersect(p.ctypes.data, q.ctypes.data))


def triangles_intersection(a: Any, b: Any) -> Array:
    """Returns the rounded intersection of two triangles, shape (n, 3): a point, a segment, a polygon, or empty.
    """
    p, q = _corners(a, 3, "triangle a"), _corners(b, 3, "triangle b")
    points = np.empty((6, 3))
    count = lib.graze_triangles_intersection(p.ctypes.data, q.ctypes.data, points.ctypes.data)
    return points[:count].copy()


def triangles_distance(a: Any, b: Any) -> tuple[float, Array, Array]:
    """Returns the distance of two triangles and a nearest point of each; 0 if and only if they intersect."""
    p, q = _corners(a, 3, "triangle a"), _corners(b, 3, "triangle b")
    points = np.empty((2, 3))
    distance = lib.graze_triangles_distance(p.ctypes.data, q.ctypes.data, points[0].ctypes.data, points[1].ctypes.data)
    return float(distance), points[0], points[1]


def convex_intersect(a: Any, b: Any) -> bool:
    """Tests exactly whether the convex hulls of two sets of corners, shape (n, 3), intersect."""
    p, q = _corners(a, None, "cell a"), _corners(b, None, "cell b")
    return bool(lib.graze_convex_intersect(p.ctypes.data, len(p), q.ctypes.data, len(q)))


def convex_distance(a: Any, b: Any) -> tuple[float, Array | None, Array | None]:
    """Returns the distance of two convex cells and a nearest point of each; infinite without points if one is empty."""
    p, q = _corners(a, None, "cell a"), _corners(b, None, "cell b")
    points = np.empty((2, 3))
    distance = lib.graze_convex_distance(p.ctypes.data, len(p), q.ctypes.data, len(q), points[0].ctypes.data,
                                         points[1].ctypes.data)
    if not len(p) or not len(q):
        return math.inf, None, None
    return float(distance), points[0], points[1]


def convex_penetration(a: Any, b: Any) -> tuple[Array, float] | None:
    """Returns the smallest translation that separates two convex cells, as a unit normal and a depth by which b moves.
    None if they do not intersect."""
    p, q = _corners(a, None, "cell a"), _corners(b, None, "cell b")
    normal, depth = np.empty(3), c_double()
    if not lib.graze_convex_penetration(p.ctypes.data, len(p), q.ctypes.data, len(q), normal.ctypes.data,
                                        byref(depth)):
        return None
    return normal, depth.value
