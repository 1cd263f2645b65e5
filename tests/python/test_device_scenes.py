"""Tests scenes on a device emulated on the host: positions, pairs, contacts and poses that stay there.

GRAZE_LIBRARY must name the library that is linked with the emulated device; skipped without it."""
from __future__ import annotations

import gc
import pickle
import weakref

import numpy as np
import pytest

import grazelib as gz
from fake_device import DlpackArray, InterfaceArray
from grazelib._library import lib
from ctypes import create_string_buffer

WORDS = create_string_buffer(256)
EMULATED = lib.graze_cuda_describe(0, WORDS, len(WORDS)) == 0 and b"loops on the host" in WORDS.value
needs_device = pytest.mark.skipif(not EMULATED, reason="the library has no emulated device")


def soup(count, seed=3):
    """Vertices and faces of separate triangles, many of which intersect."""
    generator = np.random.default_rng(seed)
    corners = generator.uniform(0, 1, (count, 1, 3)) + generator.uniform(-0.15, 0.15, (count, 3, 3))
    return corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)


def host_memory(array):
    """The memory of a DeviceArray, which the emulation has on the host."""
    interface = dict(array.__cuda_array_interface__)

    class Shown:
        __array_interface__ = interface
        owner = array
    return np.asarray(Shown())


@needs_device
@pytest.mark.parametrize("producer", [InterfaceArray, DlpackArray])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_positions_and_pairs(producer, dtype):
    vertices, faces = soup(200)
    vertices = vertices.astype(dtype)
    with gz.Scene() as scene:
        scene.add_triangles(vertices, faces)
        expected = scene.pairs()
    with gz.Scene(backend="cuda") as scene:
        scene.add_triangles(producer(vertices), faces)
        pairs, here = scene.pairs_on_device(), scene.pairs()
    assert len(expected) > 50 and pairs.hash == here.hash == expected.hash
    assert np.array_equal(host_memory(pairs.array), expected.array)
    assert pairs.timings and pairs.counters and "hash" in repr(pairs)


@needs_device
def test_positions_move():
    vertices, faces = soup(200)
    moving = DlpackArray(vertices.copy())
    with gz.Scene(backend="cuda") as scene, gz.Scene() as reference:
        item = scene.add_triangles(np.zeros_like(vertices), faces)
        item.set_positions(moving)
        same = reference.add_triangles(vertices, faces)
        hashes = set()
        for frame in range(3):
            moving.array += 0.1 * np.sin(9 * vertices + frame)
            scene.update()
            same.set_positions(moving.array)
            assert scene.pairs_on_device().hash == reference.pairs().hash
            hashes.add(reference.pairs().hash)
        assert len(hashes) == 3
        assert len(moving.streams) == 1 + 3 and set(moving.streams) == {1}  # the update after set_positions is the first
        item.set_positions(vertices)  # back to the host
        same.set_positions(vertices)
        assert scene.pairs().hash == reference.pairs().hash
        assert len(moving.streams) == 4


@needs_device
def test_scene_keeps_positions():
    vertices, faces = soup(50)
    array = vertices.copy()
    alive = weakref.ref(array)
    with gz.Scene(backend="cuda") as scene:
        item = scene.add_triangles(DlpackArray(array), faces)
        del array
        gc.collect()
        assert alive() is not None and len(scene.pairs()) > 0
        item.remove()
        gc.collect()
        assert alive() is None


@needs_device
def test_contacts():
    vertices, faces = soup(200)
    with gz.Scene() as scene:
        scene.add_triangles(vertices, faces)
        expected = scene.contacts()
    with gz.Scene(backend="cuda") as scene:
        scene.add_triangles(InterfaceArray(vertices), faces)
        contacts = scene.contacts_on_device()
        pairs = scene.pairs_on_device()
        again = scene.contacts_on_device(pairs)
        of_array = scene.contacts_on_device(pairs.array.view(np.int32))
        with pytest.raises(ValueError, match=r"shape \(-1, 4\)"):
            scene.contacts_on_device(InterfaceArray(np.zeros(4, np.uint32)))
        with pytest.raises(KeyError, match="no field 'colour'; there are pair, kind"):
            contacts.field("colour")
    for found in (contacts, again, of_array):
        assert len(found) == len(expected)
        assert np.allclose(host_memory(found.points), expected.points)
        assert np.array_equal(host_memory(found.field("kind")), expected.array["kind"])
        assert np.allclose(host_memory(found.field("normal")), expected.array["normal"])
        assert host_memory(found.field("pair")).tolist() == [list(pair) for pair in expected.array["pair"].tolist()]


def robot():
    """Vertices and faces of two links and of a wall."""
    links = [soup(12, seed) for seed in (1, 2)]
    return links, soup(40, 9)


def packed(matrices):
    return np.ascontiguousarray(np.concatenate([matrices[..., :3, :3].reshape(*matrices.shape[:-2], 9),
                                                matrices[..., :3, 3]], axis=-1))


def motions(count, links):
    generator = np.random.default_rng(5)
    matrices = np.tile(np.eye(4), (count, links, 1, 1))
    matrices[..., :3, :3] = np.linalg.qr(generator.normal(size=(count, links, 3, 3)))[0]
    matrices[..., :3, :3] *= np.linalg.det(matrices[..., :3, :3])[..., None, None]
    matrices[..., :3, 3] = generator.uniform(-2, 2, (count, links, 3))
    return matrices


@needs_device
@pytest.mark.parametrize("answer, dtype", [("any", np.uint8), ("any", np.bool_), ("counts", np.uint64),
                                           ("counts", np.int64), ("object_pairs", np.uint8)])
def test_configurations(answer, dtype):
    matrices = motions(60, 2)
    answers = []
    for backend in ("cpu", "cuda"):
        with gz.Scene(backend=backend, method="tree") as scene:
            links, wall = robot()
            moving = [scene.add_triangles(*link) for link in links]
            scene.add_triangles(*wall)
            if backend == "cpu":
                answers.append(scene.test_configurations(moving, matrices, answer=answer))
                continue
            out = InterfaceArray(np.full(answers[0].shape, 77, dtype))
            given = InterfaceArray(packed(matrices))
            assert scene.test_configurations(moving, given, answer=answer, out=out) is out
            answers.append(out.array)
            with pytest.raises(TypeError, match="`out`"):
                scene.test_configurations(moving, given, answer=answer)
            for refused, error in ((np.zeros((3, 3), dtype), ValueError), (np.zeros(answers[0].shape), TypeError)):
                with pytest.raises(error, match="answers"):
                    scene.test_configurations(moving, given, answer=answer, out=InterfaceArray(refused))
            with pytest.raises(ValueError, match="poses on a device"):
                scene.test_configurations(moving, InterfaceArray(packed(matrices)[:, :1].copy()), answer=answer, out=out)
            bent = packed(matrices)
            bent[7, 1, 0] += 0.5
            with pytest.raises(gz.NotARotation, match="configuration 7"):
                scene.test_configurations(moving, InterfaceArray(bent), answer=answer, out=out)
    assert 0 < answers[0].astype(bool).sum() < answers[0].size
    assert np.array_equal(answers[0].astype(np.int64), answers[1].astype(np.int64))


@needs_device
@pytest.mark.parametrize("each_pair", [False, True])
def test_distances(each_pair):
    matrices = motions(60, 2)
    with gz.Scene(workers=1) as here, gz.Scene(backend="cuda", method="tree") as scene:
        links, wall = robot()
        same, moving = ([one.add_triangles(*link) for link in links] for one in (here, scene))
        still = [one.add_triangles(*wall) for one in (here, scene)]
        expected = here.measure_configurations(same, matrices, each_pair=each_pair)
        assert expected.tobytes() == scene.measure_configurations(moving, matrices, each_pair=each_pair).tobytes()
        given, out = InterfaceArray(packed(matrices)), InterfaceArray(np.full((*expected.shape, 19), 77.0))
        found = scene.measure_configurations(moving, given, each_pair=each_pair, out=out)
        assert found.rows is out and found.shape == expected.shape and len(found) == 60
        assert out.array.tobytes() == expected.tobytes() and "DeviceNearestList" in repr(found)
        for name in ("distance", "lower", "complete", "point_a", "normal"):
            assert np.array_equal(host_memory(found.field(name)), expected[name])
        for name in ("pair", "feature_b"):
            there = host_memory(found.field(name))
            assert there.shape == (*expected.shape, 4) and there.tobytes() == expected[name].tobytes()
        one = InterfaceArray(np.zeros((60, 19)))
        lone = scene.measure_poses(still[1], moving[0], InterfaceArray(packed(matrices)[:, 0].copy()), out=one)
        assert one.array.tobytes() == here.measure_poses(still[0], same[0], matrices[:, 0]).tobytes() and len(lone) == 60
        with pytest.raises(KeyError, match="no field 'colour'"):
            found.field("colour")
        with pytest.raises(TypeError, match="`out`"):
            scene.measure_configurations(moving, given, each_pair=each_pair)
        for refused, error in ((np.zeros((3, 19)), ValueError), (np.zeros(out.array.shape, np.float32), TypeError)):
            with pytest.raises(error, match="rows"):
                scene.measure_configurations(moving, given, each_pair=each_pair, out=InterfaceArray(refused))
        bent = packed(matrices)
        bent[7, 1, 0] += 0.5
        with pytest.raises(gz.NotARotation, match="configuration 7"):
            scene.measure_configurations(moving, InterfaceArray(bent), each_pair=each_pair, out=out)
        kept = found.field("distance")
        alive = weakref.ref(out)
        del found, out, lone
        gc.collect()
        assert alive() is not None and host_memory(kept).shape == expected.shape


def torch_on_device():
    """A maker of tensors of PyTorch that claim to lie on the device."""
    torch = pytest.importorskip("torch")

    class Tensor(torch.Tensor):
        def __dlpack_device__(self):
            return 2, 0

        def __dlpack__(self, *, stream=None):
            return DlpackArray(self.as_subclass(torch.Tensor).numpy()).__dlpack__(stream=stream)

    Tensor.__module__ = "torch"  # by which the package knows the library of a tensor
    return lambda array: torch.from_numpy(array).as_subclass(Tensor)


@needs_device
def test_tensors_of_torch():
    """Matrices go in, and tensors of the same library come out, without an ``out``."""
    put, matrices = torch_on_device(), motions(60, 2)
    with gz.Scene(workers=1) as here, gz.Scene(backend="cuda", method="tree") as scene:
        links, wall = robot()
        same, moving = ([one.add_triangles(*link) for link in links] for one in (here, scene))
        still = [one.add_triangles(*wall, name="wall") for one in (here, scene)]
        poses = put(matrices)
        for answer in ("any", "counts", "object_pairs"):
            found = scene.test_configurations(moving, poses, answer=answer)
            expected = here.test_configurations(same, matrices, answer=answer)
            assert type(found) is type(poses) and np.array_equal(np.array(found.tolist()), expected)
        for each_pair in (False, True):
            rows = scene.measure_configurations(moving, poses, each_pair=each_pair)
            expected = here.measure_configurations(same, matrices, each_pair=each_pair)
            assert type(rows.rows) is type(poses) and rows.rows.dtype == poses.dtype
            assert rows.shape == expected.shape and rows.rows.numpy().tobytes() == expected.tobytes()
            assert np.array_equal(host_memory(rows.field("distance")), expected["distance"])
        parts = put(matrices[:, 0, :3, :3].copy()), put(matrices[:, 0, :3, 3].copy())
        expected = here.measure_poses(still[0], same[0], matrices[:, 0])
        assert scene.measure_poses("wall", moving[0], parts).rows.numpy().tobytes() == expected.tobytes()
        assert scene.measure_poses("wall", moving[0], poses[:0, 0]).shape == (0,)


@needs_device
def test_refusals():
    vertices, faces = soup(5)
    with gz.Scene(backend="cuda") as scene:
        item = scene.add_triangles(vertices, faces)
        for given, error, words in (
                (InterfaceArray(vertices[1:]), ValueError, r"shape \(15, 3\)"),
                (InterfaceArray(vertices.astype(np.int64)), TypeError, "float32 or float64"),
                (DlpackArray(vertices, device=2), ValueError, "device 2"),
                (InterfaceArray(vertices, data=(vertices.ctypes.data + 1, False)), gz.InvalidArgument, "multiple of 8")):
            with pytest.raises(error, match=words):
                item.set_positions(given)
        with pytest.raises(ValueError, match="whole object"):
            item.set_positions(InterfaceArray(vertices), first=3)
        before = len(scene)
        with pytest.raises(TypeError):
            scene.add_triangles(InterfaceArray(vertices.astype(np.float16)), faces)
        assert len(scene) == before
        with pytest.raises(TypeError, match="not for polyhedra"):
            scene.add_polyhedra(InterfaceArray(np.eye(4, 3)), [[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]])
        with pytest.raises(gz.NotFinite):
            item.set_positions(InterfaceArray(np.where(vertices < 0.1, np.nan, vertices)))
            scene.pairs()
        item.set_positions(vertices)
        scene.pairs()
        with pytest.raises(gz.Unsupported, match="pair_limit"):
            scene.pairs_on_device(pair_limit=1)
        with pytest.raises(TypeError, match="pickled"):
            pickle.dumps(scene.pairs_on_device())
    with pytest.raises(TypeError, match="objects of scenes"):
        gz.Shape.triangles(InterfaceArray(vertices), faces)


def test_processor_says_what_to_do():
    vertices, faces = soup(5)
    with gz.Scene() as scene:
        item = scene.add_triangles(vertices, faces)
        wanted = r"Scene\(backend=\"cuda\"\)" if EMULATED else "libgraze with CUDA support"
        for attempt, instead in ((lambda: item.set_positions(InterfaceArray(vertices)), "array.cpu"),
                                 (lambda: scene.add_triangles(DlpackArray(vertices), faces), "array.cpu"),
                                 (scene.pairs_on_device, r"call pairs\(\)"),
                                 (scene.contacts_on_device, r"call contacts\(\)"),
                                 (lambda: scene.test_configurations([item], InterfaceArray(np.zeros((2, 12)))),
                                  "array.cpu"),
                                 (lambda: scene.measure_poses(item, item, InterfaceArray(np.zeros((2, 12)))),
                                  "array.cpu")):
            with pytest.raises(gz.Unsupported, match=f"{wanted}.*{instead}"):
                attempt()
        assert len(scene) == 1
        with pytest.raises(TypeError, match="test_configurations"):
            scene.test_poses(item, item, InterfaceArray(np.zeros((2, 12))))


@pytest.mark.skipif(EMULATED, reason="the library has a device")
def test_absence_is_described():
    with pytest.raises((gz.Unsupported, gz.NoDevice), match="CUDA|device"):
        gz.describe_cuda()
