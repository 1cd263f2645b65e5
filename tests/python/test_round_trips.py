"""Tests random small scenes: values are returned unchanged, pairs are those of brute force in integer arithmetic."""
from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

pytest.importorskip("hypothesis")
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays

import grazelib as gz
from separation import hulls_meet

settings.register_profile("graze", max_examples=80, deadline=None, derandomize=True, database=None)
settings.load_profile("graze")

COORDINATES = st.integers(-4, 4)
SMALL_DTYPES = st.sampled_from([np.int8, np.int16, np.int64, np.uint8, np.float16, np.float32, np.float64, np.longdouble])


def test_oracle():
    triangle = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]])
    for other, meets in (([[1, 1, -1], [1, 1, 1], [2, 2, 5]], True), ([[1, 1, 1], [1, 1, 2], [2, 2, 5]], False),
                         ([[2, 2, 0], [5, 5, 1], [5, 5, -1]], True), ([[3, 3, 0], [5, 5, 1], [5, 5, -1]], False),
                         ([[1, 1, 0]] * 3, True), ([[3, 3, 0]] * 3, False), ([[-1, 2, 0], [9, 2, 0], [4, 2, 0]], True),
                         ([[-1, 5, 0], [9, 5, 0], [4, 5, 0]], False), ([[0, 0, 1]] * 3, False),
                         ([[1, 1, 0], [2, 1, 0], [1, 2, 0]], True), ([[5, 0, 0], [9, 0, 0], [7, 0, 0]], False)):
        assert hulls_meet(triangle, np.array(other)) == meets
        assert hulls_meet(np.array(other), triangle) == meets


@st.composite
def meshes(draw, corners):
    """Vertices with small integer coordinates, and primitives that share some of them."""
    vertices = draw(arrays.arrays(np.int64, st.tuples(st.integers(corners, 9), st.just(3)), elements=COORDINATES))
    rows = st.lists(st.integers(0, len(vertices) - 1), min_size=corners, max_size=corners, unique=True)
    return vertices, np.array(draw(st.lists(rows, min_size=2, max_size=6)))


def expected_pairs(objects):
    """Pairs by brute force: hulls that meet and share no vertex of an object."""
    named = [(number, i, vertices[row], set(row.tolist()))
             for number, (vertices, rows) in enumerate(objects) for i, row in enumerate(rows)]
    return [[a[0], a[1], b[0], b[1]] for a, b in itertools.combinations(named, 2)
            if (a[0] != b[0] or not a[3] & b[3]) and hulls_meet(a[2], b[2])]


@given(meshes(3), meshes(3), SMALL_DTYPES)
def test_triangles_against_brute_force(first, second, dtype):
    if dtype is np.uint8:
        first, second = ((vertices + 4, rows) for vertices, rows in (first, second))
    with gz.Scene(workers=1) as scene:
        for vertices, rows in (first, second):
            scene.add_triangles(vertices.astype(dtype), rows)
        pairs = scene.pairs()
        expected = expected_pairs([first, second])
        assert pairs.array.tolist() == expected
        assert pairs.hash == gz.pairs_hash(expected) and scene.collides() == bool(expected)
        between = [pair for pair in expected if pair[0] != pair[2]]
        assert scene.pairs(within=False).array.tolist() == between
        assert scene.touching(within=False).array.tolist() == ([[0, 1]] if between else [])
        copied = pickle.loads(pickle.dumps(pairs))
        assert copied.hash == pairs.hash and copied.array.tolist() == expected


@given(meshes(4))
def test_tetrahedra_against_brute_force(mesh):
    vertices, rows = mesh
    with gz.Scene(workers=1) as scene:
        scene.add_tetrahedra(vertices, rows)
        assert scene.pairs().array.tolist() == expected_pairs([mesh])


@given(arrays.arrays(np.int64, st.tuples(st.integers(1, 12), st.just(3)), elements=COORDINATES), st.data())
def test_spheres_against_brute_force(centers, data):
    radii = data.draw(arrays.arrays(np.int64, len(centers), elements=st.integers(0, 3)))
    with gz.Scene(workers=1) as scene:
        scene.add_spheres(centers, radii)
        expected = [[0, i, 0, j] for i, j in itertools.combinations(range(len(centers)), 2)
                    if ((centers[i] - centers[j])**2).sum() <= (radii[i] + radii[j])**2]
        assert scene.pairs().array.tolist() == expected


def layouts(array):
    """The same numbers laid out in other ways."""
    wide = np.zeros((2 * len(array), array.shape[1] + 2), array.dtype)
    wide[::2, 1:-1] = array
    raw = np.zeros(array.nbytes + 1, np.uint8)
    unaligned = raw[1:].view(array.dtype).reshape(array.shape)
    unaligned[...] = array
    frozen = array.copy()
    frozen.flags.writeable = False
    return {"strided": wide[::2, 1:-1], "reversed": array[::-1].copy()[::-1], "columns": np.asfortranarray(array),
            "mirrored columns": array[:, ::-1].copy()[:, ::-1], "unaligned": unaligned, "frozen": frozen,
            "big endian": array.astype(array.dtype.newbyteorder(">")), "list": array.tolist(),
            "object of __array__": type("Holder", (), {"__array__": lambda self, dtype=None, copy=None: array})()}


@given(arrays.arrays(np.float64, (12, 3), elements=st.floats(-1, 1)))
def test_layouts(vertices):
    faces = np.arange(12, dtype=np.int32).reshape(4, 3)
    with gz.Scene(workers=1) as scene:
        scene.add_triangles(vertices, faces)
        expected = scene.pairs().hash
    for way, given_vertices in layouts(vertices).items():
        for other, given_faces in layouts(faces).items():
            with gz.Scene(workers=1) as scene:
                item = scene.add_triangles(given_vertices, given_faces)
                assert scene.pairs().hash == expected, (way, other)
                assert np.array_equal(item.positions, vertices), way


@given(arrays.arrays(st.sampled_from([np.float32, np.float64]), (9, 3),
                     elements=st.floats(-1000, 1000, width=32)), st.integers(0, 8), st.integers(0, 2**64 - 1))
def test_what_is_set_comes_back(vertices, first, bits):
    with gz.Scene(workers=1) as scene:
        item = scene.add_triangles(vertices, np.arange(9).reshape(3, 3), category=bits, mask=bits, name="ä",
                                   self_pairs=False)
        assert (item.category, item.mask, item.self_pairs, item.name) == (bits, bits, False, "ä")
        assert item.positions.dtype == vertices.dtype and np.array_equal(item.positions, vertices)
        item.set_positions(vertices[first:] + 1, first)
        assert np.array_equal(item.positions[first:], vertices[first:] + 1)
        assert np.array_equal(item.positions[:first], vertices[:first])
        pose = np.array([[0, -1, 0, 5], [1, 0, 0, 6], [0, 0, 1, 7], [0, 0, 0, 1]])
        item.pose = pose
        assert np.array_equal(item.pose, pose)
        low, high = item.box()
        assert np.array_equal(low, item.posed_positions().min(0)) and np.array_equal(high, item.posed_positions().max(0))
        item.remove_primitives([1])
        assert item.live_count == 2 and item.primitive_count == 3


def test_torch_on_the_host():
    torch = pytest.importorskip("torch")
    vertices = np.random.default_rng(1).random((60, 3))
    faces = np.arange(60).reshape(-1, 3)
    with gz.Scene() as scene, gz.Scene() as reference:
        item = scene.add_triangles(torch.from_numpy(vertices), torch.from_numpy(faces))
        reference.add_triangles(vertices, faces)
        assert scene.pairs().hash == reference.pairs().hash
        item.pose = torch.eye(4, dtype=torch.float64)
        poses = torch.eye(4, dtype=torch.float64).repeat(5, 1, 1, 1)
        assert scene.test_configurations([item], poses).shape == (5,)
        with pytest.raises(RuntimeError, match="detach"):
            scene.add_triangles(torch.from_numpy(vertices).requires_grad_(), faces)
