#!/usr/bin/env python3
"""Writes two wavy sheets that cross each other as one binary PLY file of any size, to test `graze check --memory`.

usage: scripts/large_sheets.py TRIANGLES FILE.ply [--stl]

The sheets share no vertices. Vertices are in rows, triangles in tiles of 256 by 256 squares, as a mesher would write them.
Memory does not grow with the file. --stl writes the same triangles as binary STL.
"""
from __future__ import annotations

import math
import sys

import numpy as np

TILE = 256  # squares along a side of a tile


def heights(sheet: int, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Returns the height of a sheet; both have the same mean, so they cross along many curves."""
    if sheet == 0:
        return 0.02 * np.sin(9 * x + 2 * y)
    return 0.02 * np.cos(7 * y - 3 * x) + 0.001 * np.sin(50 * x)


def vertices(sheet: int, first: int, end: int, squares: int) -> np.ndarray:
    """Returns the vertices of rows first to end as rows of x, y, z."""
    y, x = np.meshgrid(np.arange(first, end) / squares, np.arange(squares + 1) / squares, indexing="ij")
    return np.stack([x, y, heights(sheet, x, y)], axis=-1).astype("<f4").reshape(-1, 3)


def tile_triangles(row: int, column: int, squares: int) -> np.ndarray:
    """Returns the triangles of a tile as rows of three vertices of its sheet."""
    i, j = np.meshgrid(
        np.arange(row, min(row + TILE, squares)), np.arange(column, min(column + TILE, squares)), indexing="ij"
    )
    a = (i * (squares + 1) + j).reshape(-1)
    b, c, d = a + 1, a + squares + 1, a + squares + 2
    return np.stack([a, b, d, a, d, c], axis=-1).reshape(-1, 3)


def tiles(squares: int):
    for sheet in range(2):
        for row in range(0, squares, TILE):
            for column in range(0, squares, TILE):
                yield sheet, row, column


def write_ply(file, squares: int) -> None:
    vertex_count = 2 * (squares + 1) ** 2
    file.write(
        f"ply\nformat binary_little_endian 1.0\nelement vertex {vertex_count}\n"
        "property float x\nproperty float y\nproperty float z\n"
        f"element face {4 * squares**2}\nproperty list uchar int vertex_indices\nend_header\n".encode()
    )
    for sheet in range(2):
        for row in range(0, squares + 1, TILE):
            file.write(vertices(sheet, row, min(row + TILE, squares + 1), squares).tobytes())
    face = np.dtype([("count", "u1"), ("corners", "<i4", 3)])
    for sheet, row, column in tiles(squares):
        corners = tile_triangles(row, column, squares)
        records = np.empty(len(corners), face)
        records["count"] = 3
        records["corners"] = corners + sheet * (squares + 1) ** 2
        file.write(records.tobytes())


def write_stl(file, squares: int) -> None:
    file.write(b"two sheets".ljust(80) + np.uint32(4 * squares**2).tobytes())
    facet = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")])
    for sheet, row, column in tiles(squares):
        rows = vertices(sheet, row, min(row + TILE, squares) + 1, squares)
        corners = tile_triangles(row, column, squares) - row * (squares + 1)
        records = np.zeros(len(corners), facet)
        records["corners"] = rows[corners]
        file.write(records.tobytes())


def main() -> int:
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--stl"]):
        print(__doc__, file=sys.stderr)
        return 2
    squares = max(1, round(math.sqrt(int(sys.argv[1]) / 4)))
    with open(sys.argv[2], "wb") as file:
        (write_stl if sys.argv[3:] else write_ply)(file, squares)
    print(f"{sys.argv[2]}: {4 * squares**2} triangles")
    return 0


if __name__ == "__main__":
    sys.exit(main())
