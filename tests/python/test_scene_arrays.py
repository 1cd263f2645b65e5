"""Tests arrays to and from a scene: every readable dtype and stride, and views that keep their list alive."""
from __future__ import annotations

import gc
import pickle

import numpy as np
import pytest

import grazelib as gz
from grazelib import _arrays

VERTICES = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -1], [1, 2, 1], [2, 1, 1]], dtype=np.float64)
FACES = np.array([[0, 1, 2], [3, 4, 5]])
EXPECTED = [[0, 0, 0, 1]]


def pairs_of(vertices: object, faces: object) -> list[list[int]]:
    with gz.Scene() as scene:
        scene.add_triangles(vertices, faces)
        return [[int(x) for x in row] for row in scene.pairs()]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", "i1", "i2", "i4", "i8", "u1", ">f4", ">f8", ">i4"])
def test_dtypes_of_positions(dtype: str) -> None:
    shifted = VERTICES + 1 if dtype == "u1" else VERTICES
    assert pairs_of(shifted.astype(dtype), FACES) == EXPECTED


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8"])
def test_dtypes_of_faces(dtype: str) -> None:
    assert pairs_of(VERTICES, FACES.astype(dtype)) == EXPECTED


def strided(array: np.ndarray) -> list[np.ndarray]:
    """The same rows in memory of many forms."""
    wide = np.zeros((len(array), 7), array.dtype)
    wide[:, 2:5] = array
    every_second = np.zeros((2 * len(array), 3), array.dtype)
    every_second[::2] = array
    packed = np.zeros(len(array) * 3 * array.itemsize + 1, np.uint8)
    unaligned = packed[1:].view(array.dtype).reshape(-1, 3)
    unaligned[:] = array
    reading = array.copy()
    reading.flags.writeable = False
    columns = np.asfortranarray(array)
    return [wide[:, 2:5], every_second[::2], array[::-1].copy()[::-1], unaligned, reading, columns,
            array[:, ::-1].copy()[:, ::-1]]


@pytest.mark.parametrize("form", range(7))
def test_strides(form: int) -> None:
    assert pairs_of(strided(VERTICES.astype(np.float32))[form], strided(FACES)[form]) == EXPECTED
    assert pairs_of(strided(VERTICES)[form], strided(FACES.astype(np.int32))[form]) == EXPECTED


def test_nothing_is_copied_that_need_not_be() -> None:
    for form, array in enumerate(strided(VERTICES)):
        view = _arrays.positions_view(array)
        copied = form in (5, 6)  # columns that do not follow each other
        assert (view.data == array.ctypes.data) != copied
    for dtype in (np.int32, np.int64, np.uint32, np.uint64):
        faces = FACES.astype(dtype)[::-1]
        assert _arrays.indices_view(faces, 3, "faces").data == faces.ctypes.data


def test_rows_that_overlap_are_copied() -> None:
    same = np.broadcast_to(np.zeros(3), (5, 3))
    view = _arrays.positions_view(same)
    assert view.count == 5 and view.data != same.ctypes.data


def test_empty_arrays() -> None:
    assert pairs_of([], []) == []
    assert pairs_of(np.empty((0, 3)), np.empty((0, 3), int)) == []
    assert pairs_of(VERTICES, []) == []


@pytest.mark.parametrize(("vertices", "faces", "error"), [
    (VERTICES[:, :2], FACES, ValueError), (VERTICES[0], FACES, ValueError), (VERTICES, FACES[0], ValueError),
    (VERTICES, FACES[:, :2], ValueError), (VERTICES, FACES.astype(float), TypeError),
    (VERTICES.astype(complex), FACES, TypeError), (VERTICES.astype(object), FACES, TypeError),
    (VERTICES.astype(str), FACES, TypeError), (VERTICES, FACES > 0, TypeError), (VERTICES, FACES + 1, IndexError),
    (VERTICES, FACES - 1, IndexError), (VERTICES * np.nan, FACES, gz.NotFinite), (VERTICES + np.inf, FACES, ValueError),
    (VERTICES, FACES + 2**40, gz.IndexOutOfRange), (None, FACES, (TypeError, ValueError)), (3.0, FACES, ValueError)])
def test_refused(vertices: object, faces: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        pairs_of(vertices, faces)


def test_views_keep_their_list() -> None:
    with gz.Scene() as scene:
        scene.add_triangles(VERTICES, FACES)
        pairs = scene.pairs()
        array, contacts = pairs.array, scene.contacts(pairs)
        rows, points = contacts.array, contacts.points
        del pairs, contacts
    del scene
    gc.collect()
    for _ in range(100):
        np.zeros(64)
    assert array.tolist() == EXPECTED
    assert rows["pair"].tolist() == [(0, 0, 0, 1)] and len(points) == rows[0]["point_count"] == 2
    with pytest.raises(ValueError):
        array[0, 0] = 1


def test_lists_are_freed() -> None:
    freed = []
    owned = _arrays.OwnedList(gz.lists.Pairs.struct, lambda struct: freed.append(struct))
    with gz.Scene() as scene:
        scene.add_triangles(VERTICES, FACES)
        buffer = scene.pairs().array.copy()
    view = owned.array(buffer.ctypes.data, (1, 4), np.uint32)[0]
    del owned
    gc.collect()
    assert not freed and view.tolist() == EXPECTED[0]
    del view
    gc.collect()
    assert len(freed) == 1


def test_memory_does_not_grow() -> None:
    import resource
    vertices, faces = np.repeat(VERTICES, 200, axis=0), np.arange(1200).reshape(-1, 3)
    with gz.Scene() as scene:
        scene.add_triangles(vertices, faces)
        for _ in range(5):
            scene.pairs(candidates_only=True)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        size = scene.pairs(candidates_only=True).array.nbytes
        for _ in range(60):
            scene.pairs(candidates_only=True)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert size > 100_000
    assert grown * 1024 < 20 * size


def test_pickle() -> None:
    with gz.Scene() as scene:
        scene.add_triangles(VERTICES, FACES, name="one")
        answers = [scene.pairs(), scene.contacts(), scene.regions(), scene.touching()]
    for answer in answers:
        again = pickle.loads(pickle.dumps(answer))
        assert type(again) is type(answer) and again.array.dtype == answer.array.dtype
        assert again.array.tobytes() == answer.array.tobytes()
        assert again.timings == answer.timings and again.counters == answer.counters and again.timings
    assert pickle.loads(pickle.dumps(answers[0])).hash == answers[0].hash
    error = pickle.loads(pickle.dumps(gz.NotFinite("vertex 3")))
    assert isinstance(error, gz.NotFinite) and error.message == "vertex 3" and error.code == gz.Result.NOT_FINITE


def test_positions_come_back() -> None:
    with gz.Scene() as scene:
        for dtype in (np.float32, np.float64):
            item = scene.add_triangles(VERTICES.astype(dtype), FACES)
            assert item.positions.dtype == dtype and (item.positions == VERTICES).all()
            item.positions = VERTICES[::-1]
            assert (item.positions == VERTICES[::-1]).all()
            item.set_positions(VERTICES[:2].astype(np.int16), 4)
            assert (item.positions[4:] == VERTICES[:2]).all() and (item.positions[:4] == VERTICES[::-1][:4]).all()
            with pytest.raises(ValueError, match="6 vertices"):
                item.positions = VERTICES[:3]


def test_lists_as_arrays() -> None:
    """The protocol of NumPy 2: copy=True copies, copy=False never does, None does where the dtype differs."""
    with gz.Scene() as scene:
        scene.add_triangles(VERTICES, FACES)
        pairs = scene.pairs()
    assert pairs.__array__() is pairs.array and pairs.__array__(np.dtype(np.uint32), copy=False) is pairs.array
    copied = pairs.__array__(copy=True)
    assert copied.flags.writeable and copied.tolist() == EXPECTED
    assert pairs.__array__(np.float64).dtype == np.float64 and np.asarray(pairs, dtype="i8").tolist() == EXPECTED
    with pytest.raises(ValueError, match="uint32 become int64 only with a copy"):
        pairs.__array__(np.int64, copy=False)
