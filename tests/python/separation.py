"""An oracle in integer arithmetic: whether convex hulls of a few points with integer coordinates intersect.

Two hulls are disjoint if and only if an axis separates them strictly. The candidate axes are those of the hull of all
differences of points: normals of its faces if it is a solid, and those below if it is flat.
"""
from __future__ import annotations

import itertools

import numpy as np


def _axes(differences: np.ndarray) -> np.ndarray:
    """Axes, one of which separates the origin from the hull of the differences where any does."""
    pairs = np.array(list(itertools.combinations(range(len(differences)), 2)), dtype=int).reshape(-1, 2)
    edges = np.unique(differences[pairs[:, 0]] - differences[pairs[:, 1]], axis=0)
    crossed = np.array(list(itertools.combinations(range(len(edges)), 2)), dtype=int).reshape(-1, 2)
    normals = np.unique(np.cross(edges[crossed[:, 0]], edges[crossed[:, 1]]), axis=0).reshape(-1, 3)
    found = normals[np.any(normals != 0, axis=1)]
    first = differences[:1]
    flat = np.cross(found[:1], edges) if len(found) else np.empty((0, 3), int)          # a polygon: normals of its edges
    straight = first * (edges * edges).sum(1)[:, None] - edges * (edges @ first[0])[:, None]  # a segment: to its line
    return np.concatenate([found, flat, straight, edges, first])


def hulls_meet(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether the hulls of two arrays of points, of integers, have a point in common."""
    differences = np.unique((a[:, None] - b[None]).reshape(-1, 3).astype(np.int64), axis=0)
    heights = _axes(differences) @ differences.T
    return not bool((np.all(heights > 0, axis=1) | np.all(heights < 0, axis=1)).any())
