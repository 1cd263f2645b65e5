"""Tests gz.check on random meshes: arrays of any layout give equal pairs; components equal those of a plain search."""
from __future__ import annotations

from typing import Any

import grazelib as gz
import numpy as np
import pytest

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

# Corners on a small lattice: triangles share vertices, touch, lie in one plane, repeat and degenerate.
LATTICE = st.integers(0, 4)
MESHES = st.integers(1, 14).flatmap(lambda count: st.tuples(
    st.lists(st.tuples(LATTICE, LATTICE, LATTICE), min_size=count, max_size=count),
    st.lists(st.tuples(*[st.integers(0, count - 1)] * 3), max_size=20)))
QUICK = settings(max_examples=60, deadline=None, derandomize=True)


def arrays_of(mesh: tuple[list[Any], list[Any]]) -> tuple[Any, Any]:
    """Vertices and faces."""
    return np.array(mesh[0], float).reshape(-1, 3), np.array(mesh[1], int).reshape(-1, 3)


@QUICK
@given(MESHES, st.sampled_from(["f2", "f4", "f8", ">f8", "i1", "u2", "i8"]),
       st.sampled_from(["u1", "i2", "i4", "u4", ">i8", "u8"]), st.booleans())
def test_layouts(mesh: Any, real: str, integer: str, reverse: bool) -> None:
    vertices, faces = arrays_of(mesh)
    expected = gz.check(vertices, faces)
    wide = np.zeros((len(vertices), 7), real)
    wide[:, 2:5] = vertices
    other = np.asfortranarray(faces.astype(integer))
    if reverse:
        wide, other = wide[::-1], (len(vertices) - 1 - faces).astype(integer)
    strided = wide[:, 2:5]
    strided.flags.writeable = False
    result = gz.check(strided, other)
    np.testing.assert_array_equal(result.pairs, expected.pairs)
    assert result.hash == expected.hash


@QUICK
@given(MESHES)
def test_methods_and_masks(mesh: Any) -> None:
    vertices, faces = arrays_of(mesh)
    expected = gz.check(vertices, faces, method="brute", threads=1)
    for method in ("grid", "tree", "clusters"):
        assert gz.check(vertices, faces, method=method).hash == expected.hash
    assert sorted(set(expected.pairs.ravel().tolist())) == np.flatnonzero(expected.faces).tolist()
    if expected.count:
        assert sum(len(expected.regions().pairs_of(i)) for i in range(len(expected.regions()))) == expected.count
    apart = gz.check((vertices, faces), (vertices + 100, faces), within=True)
    assert apart.count == 2 * expected.count


def plain_components(vertices: Any, faces: Any) -> list[list[int]]:
    """The faces of each component by the definition: faces that share a place are joined until none is left."""
    places = [{tuple(vertices[corner]) for corner in face} for face in faces]
    left, found = list(range(len(faces))), []
    while left:
        part, reached = [left.pop(0)], set()
        while True:
            reached = set().union(*(places[i] for i in part))
            more = [i for i in left if places[i] & reached]
            if not more:
                break
            part += more
            left = [i for i in left if i not in more]
        found.append(sorted(part))
    return found


@QUICK
@given(MESHES)
def test_components(mesh: Any) -> None:
    vertices, faces = arrays_of(mesh)
    parts = gz.components((vertices, faces))
    expected = plain_components(vertices, faces)
    assert [part.count for part in parts] == ([len(part) for part in expected] or [0])
    for part, numbers in zip(parts, expected):
        np.testing.assert_array_equal(part.vertices[part.faces], vertices[faces[numbers]])


@QUICK
@given(MESHES)
def test_weld(mesh: Any) -> None:
    vertices, faces = arrays_of(mesh)
    welded = gz.weld((vertices, faces))
    np.testing.assert_array_equal(np.asarray(welded.vertices)[welded.faces], vertices[faces])
    used = np.unique(welded.faces)
    assert len(np.unique(vertices[used], axis=0)) == len(used)
