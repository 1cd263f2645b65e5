"""Tests arrays on a device: the supported parts of DLPack and __cuda_array_interface__, and errors."""
from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from fake_device import DlpackArray, InterfaceArray, tensor_of
from grazelib import Unsupported, _declarations as c
from grazelib import _device as device
from grazelib._arrays import OwnedList
from grazelib._enumerations import Format

TRIPLES = np.arange(12.0).reshape(4, 3)


@pytest.mark.parametrize("producer", [InterfaceArray, DlpackArray])
def test_reads_positions(producer):
    for dtype, form in ((np.float32, Format.FLOAT3), (np.float64, Format.DOUBLE3)):
        array = TRIPLES.astype(dtype)
        given = producer(array)
        assert device.on_device(given)
        view, found = device.device_positions(given, 4, 0)
        assert (view.address, view.shape, view.dtype, found) == (array.ctypes.data, (4, 3), array.dtype, form)
        assert view.stream == device.LEGACY_STREAM and view.contiguous()


def test_streams():
    given = DlpackArray(TRIPLES)
    view = device.device_view(given, "positions")
    assert given.streams == [1]
    view.follow_producer()
    assert given.streams == [1, 1]
    assert device.device_view(InterfaceArray(TRIPLES, stream=4711), "positions").stream == 4711
    assert device.device_view(InterfaceArray(TRIPLES, stream=2), "positions").stream == 2
    assert device.device_view(InterfaceArray(TRIPLES, version=2), "positions").stream == 1


def test_gradients_are_detached():
    given = DlpackArray(TRIPLES, requires_grad=True)
    assert device.device_view(given, "positions").address == TRIPLES.ctypes.data


def test_host_memory_is_not_on_a_device():
    for given in (TRIPLES, TRIPLES.tolist(), (1, 2), DlpackArray(TRIPLES, kind=1), DlpackArray(TRIPLES, kind=3), object()):
        assert not device.on_device(given)
    assert device.on_device(DlpackArray(TRIPLES, kind=13))  # managed
    with pytest.raises(TypeError, match="kind 10 of DLPack.*copy"):
        device.on_device(DlpackArray(TRIPLES, kind=10))


@pytest.mark.parametrize("producer", [InterfaceArray, DlpackArray])
@pytest.mark.parametrize("array, error, words", [
    (TRIPLES.astype(np.float16), TypeError, "float32 or float64, not float16.*astype"),
    (TRIPLES.astype(np.int32), TypeError, "float32 or float64, not int32"),
    (TRIPLES.reshape(3, 4), ValueError, r"shape \(4, 3\), not \(3, 4\)"),
    (TRIPLES[:3], ValueError, r"shape \(4, 3\), not \(3, 3\)"),
    (TRIPLES.ravel(), ValueError, r"shape \(4, 3\), not \(12,\)"),
    (np.array(1.0), ValueError, r"shape \(4, 3\), not \(\)"),
    (TRIPLES[::-1], ValueError, r"contiguous, and their strides are \(-24, 8\).*ascontiguousarray"),
    (np.asfortranarray(TRIPLES), ValueError, "contiguous"),
    (np.zeros((4, 6))[:, ::2], ValueError, "contiguous"),
])
def test_refuses_positions(producer, array, error, words):
    with pytest.raises(error, match=words):
        device.device_positions(producer(array), 4, 0)


def test_refuses_other_numbers():
    with pytest.raises(ValueError, match="device 1, and the scene runs on device 0"):
        device.device_positions(DlpackArray(TRIPLES, device=1), 4, 0)
    with pytest.raises(TypeError, match="dtype.*>f8"):
        device.device_positions(InterfaceArray(TRIPLES.astype(">f8")), 4, 0)
    with pytest.raises(TypeError, match="masked"):
        device.device_view(InterfaceArray(TRIPLES, mask=TRIPLES), "positions")


class Bfloats(DlpackArray):
    def __dlpack__(self, *, stream=None):
        capsule = super().__dlpack__(stream=stream)
        tensor_of(capsule).code = 4
        return capsule


def test_refuses_unknown_codes():
    with pytest.raises(TypeError, match="code 4 with 64 bits"):
        device.device_view(Bfloats(TRIPLES), "positions")


def test_offset():
    class Shifted(DlpackArray):
        def __dlpack__(self, *, stream=None):
            capsule = super().__dlpack__(stream=stream)
            tensor_of(capsule).byte_offset = 48
            return capsule
    assert device.device_view(Shifted(TRIPLES), "positions").address == TRIPLES.ctypes.data + 48


def test_view_keeps_memory():
    array = TRIPLES.copy()
    alive = weakref.ref(array)
    view = device.device_view(DlpackArray(array), "positions")
    del array
    gc.collect()
    assert alive() is not None
    del view
    gc.collect()
    assert alive() is None


def test_processor_refuses():
    with pytest.raises(Unsupported, match=r"CUDA.*array.cpu\(\) in PyTorch"):
        device.require_cuda("the positions lie", "cpu")
    device.require_cuda("the positions lie", "cuda")


# ------------------------------------------------------------------------------------------------ poses

def test_poses():
    poses = np.zeros((6, 12))
    assert device.device_poses(InterfaceArray(poses), 1, 0).shape == (6, 12)
    assert device.device_poses(InterfaceArray(poses), 2, 0).shape == (6, 12)
    assert device.device_poses(InterfaceArray(poses.reshape(2, 3, 12)), 3, 0).shape == (2, 3, 12)
    for shape, moving in (((2, 3, 12), 2), ((6, 12), 4), ((6, 11), 1), ((2, 1, 3, 12), 3), ((12,), 2)):
        with pytest.raises(ValueError, match="poses"):
            device.device_poses(InterfaceArray(np.zeros(shape)), moving, 0)
    with pytest.raises(TypeError, match="float64, not float32"):
        device.device_poses(InterfaceArray(poses.astype(np.float32)), 1, 0)
    with pytest.raises(ValueError, match="Only PyTorch's"):
        device.device_poses(InterfaceArray(np.zeros((6, 4, 4))), 1, 0)


def turned(count):
    """Matrices of count rotations about different axes, with translations."""
    generator = np.random.default_rng(7)
    matrices = np.tile(np.eye(4), (count, 1, 1))
    matrices[:, :3, :3] = np.linalg.qr(generator.normal(size=(count, 3, 3)))[0]
    matrices[:, :3, :3] *= np.linalg.det(matrices[:, :3, :3])[:, None, None]
    matrices[:, :3, 3] = generator.normal(size=(count, 3))
    return matrices


def test_torch_packs_poses():
    torch = pytest.importorskip("torch")
    matrices = turned(20)
    wanted = np.concatenate([matrices[:, :3, :3].reshape(-1, 9), matrices[:, :3, 3]], axis=1)
    given = torch.from_numpy(matrices)
    for form in (given, given[:, :3], (given[:, :3, :3], given[:, :3, 3])):
        assert np.array_equal(device.packed_poses(form).numpy(), wanted)
    links = device.packed_poses(given.reshape(5, 4, 4, 4))
    assert links.shape == (5, 4, 12) and np.array_equal(links.numpy().reshape(-1, 12), wanted)
    with pytest.raises(ValueError, match=r"tuple of rotations.*\(20, 3, 3\)"):
        device.packed_poses(given[:, :3, :3])


def test_torch_settles_drifted_rotations():
    torch = pytest.importorskip("torch")
    matrices = turned(3)
    matrices[1, 0, 0] += 2e-4  # settled
    matrices[2, 0, 0] += 0.1   # left for the library to refuse
    packed = device.packed_poses(torch.from_numpy(matrices.astype(np.float32))).numpy()
    rotations = packed[:, :9].reshape(-1, 3, 3)
    errors = np.abs(rotations @ rotations.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2))
    assert np.array_equal(rotations[0], matrices[0, :3, :3].astype(np.float32))
    assert errors[1] < 1e-14 and np.abs(rotations[1] - matrices[1, :3, :3]).max() < 4e-4
    assert errors[2] > 1e-3


# ------------------------------------------------------------------------------------------------ results

def exported(array, **options):
    """A DeviceArray over memory of numpy, which its list keeps."""
    owner = OwnedList(c.Pairs, lambda pointer: None)
    alive = weakref.ref(owner)
    return device.DeviceArray(owner, array.ctypes.data, array.shape, array.dtype, 3, **options), alive


def test_exports_interface():
    array, _ = exported(np.arange(8, dtype=np.uint32).reshape(2, 4))
    interface = array.__cuda_array_interface__
    assert interface["shape"] == (2, 4) and interface["typestr"] == "<u4" and interface["strides"] is None
    assert interface["version"] == 3 and interface["data"][1] is False
    assert array.view(np.int32).__cuda_array_interface__["typestr"] == "<i4"
    assert len(array) == 2 and array.shape == (2, 4) and "device=3" in repr(array)


def test_exports_capsule():
    numbers = np.arange(8, dtype=np.uint32).reshape(2, 4)
    array, alive = exported(numbers)
    assert array.__dlpack_device__() == (2, 3)
    capsule = array.__dlpack__(stream=1, max_version=(1, 0), dl_device=(2, 3), copy=False)
    tensor = tensor_of(capsule)
    assert (tensor.data, tensor.device_kind, tensor.device) == (numbers.ctypes.data, 2, 3)
    assert (tensor.ndim, tensor.shape[0], tensor.shape[1], tensor.code, tensor.bits) == (2, 2, 4, 1, 32)
    del array
    gc.collect()
    assert alive() is not None  # the capsule keeps the list
    del capsule
    gc.collect()
    assert alive() is None
    for refused in ({"copy": True}, {"dl_device": (1, 0)}):
        with pytest.raises(BufferError):
            exported(numbers)[0].__dlpack__(**refused)


def test_exports_rows_with_gaps():
    rows = np.zeros((3, 5))
    array, _ = exported(rows[:, :3], strides=(40, 8))
    assert array.__cuda_array_interface__["strides"] == (40, 8)
    assert tensor_of(array.__dlpack__()).strides[0] == 5


def test_exports_nothing():
    array = device.DeviceArray(OwnedList(c.Pairs, lambda pointer: None), None, (0, 4), np.uint32, 0)
    assert array.__cuda_array_interface__["data"] == (0, False) and array.shape == (0, 4)
    assert tensor_of(array.__dlpack__()).shape[0] == 0


def test_reads_its_own_export():
    numbers = np.arange(6.0).reshape(2, 3)
    view, form = device.device_positions(exported(numbers)[0], 2, 3)
    assert view.address == numbers.ctypes.data and form == Format.DOUBLE3
