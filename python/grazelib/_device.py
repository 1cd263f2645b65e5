"""Passes arrays on a CUDA device to and from the library without a copy on the host.

Input: objects with ``__dlpack__``, such as those of PyTorch and CuPy, otherwise those with
``__cuda_array_interface__``. Output: ``DeviceArray``, which has both.

Streams: a producer orders the legacy default stream after the work on its current stream, as DLPack defines it. Scenes
of the backend "cuda" use that stream, so every call runs after the producer's work without a wait on the host. Results
are complete on every stream when a call returns.
"""
from __future__ import annotations

import sys
from ctypes import (POINTER, PYFUNCTYPE, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p,
                    py_object, pythonapi)
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Array, _Memory
from ._enumerations import Format
from ._errors import GrazeError, Unsupported
from ._poses import DRIFT, TOLERANCE
from .names import describe_cuda

LEGACY_STREAM = 1  # cudaStreamLegacy: the same number in CUDA, DLPack and __cuda_array_interface__

_HOST_KINDS = (1, 3)   # kDLCPU, kDLCUDAHost
_CUDA_KINDS = (2, 13)  # kDLCUDA, kDLCUDAManaged
_SHAPES = "(n, 4, 4), (n, 3, 4) or (n, 12)"
_COPY = "copy the array to the host: array.cpu() in PyTorch, array.get() in CuPy"
_CODES = {0: "i", 1: "u", 2: "f", 6: "b"}


class _Tensor(Structure):
    """DLTensor, the first member of DLManagedTensor."""

    _fields_ = [
        ("data", c_void_p), ("device_kind", c_int32), ("device", c_int32), ("ndim", c_int32), ("code", c_uint8),
        ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


# A private prototype: types set on pythonapi itself would affect every other package.
_pointer_of_capsule = PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))


@dataclass(frozen=True)
class DeviceView:
    """A view of the caller's array in device memory; keeps the memory alive."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None  # in bytes; None: contiguous
    dtype: np.dtype[Any]
    device: int | None               # None: not stated by the producer
    stream: int
    owner: Any

    def contiguous(self) -> bool:
        """Whether the elements are contiguous."""
        if self.strides is None or 0 in self.shape:
            return True
        expected = self.dtype.itemsize
        for size, stride in zip(reversed(self.shape), reversed(self.strides)):
            if size > 1 and stride != expected:
                return False
            expected *= size
        return True

    def follow_producer(self) -> None:
        """Orders later calls after the work that is now on the producer's current stream."""
        if hasattr(self.owner, "__dlpack__"):
            self.owner.__dlpack__(stream=LEGACY_STREAM)


def on_device(data: Any) -> bool:
    """Whether the data is on a CUDA device. Raises TypeError for a device of another kind."""
    if isinstance(data, (np.ndarray, list, tuple)):
        return False
    device_of = getattr(data, "__dlpack_device__", None)
    if device_of is None:
        return hasattr(data, "__cuda_array_interface__")
    kind = int(device_of()[0])
    if kind not in _HOST_KINDS + _CUDA_KINDS:
        raise TypeError(f"the array lies on a device of kind {kind} of DLPack. graze reads memory of the host and of "
                        "CUDA devices: copy the array to one of them")
    return kind in _CUDA_KINDS


def on_host(data: Any) -> Any:
    """Returns the data, copied to the host if it is an array of PyTorch or CuPy on a device."""
    if not on_device(data):
        return data
    for copy in ("cpu", "get", "copy_to_host"):
        if hasattr(data, copy):
            return getattr(data, copy)()
    raise TypeError(f"the {type(data).__name__} lies on a device, and has no method that copies it to the host: give an "
                    "array of the host")


def device_view(data: Any, what: str) -> DeviceView:
    """Returns the view of an array on a CUDA device, ordered after the work on its producer's current stream."""
    if not hasattr(data, "__dlpack__"):
        return _view_of_interface(data, what)
    if getattr(data, "requires_grad", False):
        data = data.detach()
    capsule = data.__dlpack__(stream=LEGACY_STREAM)
    tensor = _Tensor.from_address(_pointer_of_capsule(capsule, b"dltensor"))
    if tensor.code not in _CODES or tensor.lanes != 1:
        raise TypeError(f"{what} must have a dtype of numbers that numpy knows, not code {tensor.code} with "
                        f"{tensor.bits} bits of DLPack")
    dtype = np.dtype(f"{_CODES[tensor.code]}{tensor.bits // 8}")
    shape = tuple(tensor.shape[:tensor.ndim])
    strides = tuple(n * dtype.itemsize for n in tensor.strides[:tensor.ndim]) if tensor.strides else None
    return DeviceView((tensor.data or 0) + tensor.byte_offset, shape, strides, dtype, tensor.device, LEGACY_STREAM,
                      _Kept(data, capsule))


class _Kept:
    """A producer's array and the capsule that owns its memory, which is freed with this object."""

    __slots__ = ("array", "capsule")

    def __init__(self, array: Any, capsule: Any) -> None:
        self.array = array
        self.capsule = capsule

    def __dlpack__(self, *, stream: int) -> Any:
        return self.array.__dlpack__(stream=stream)


def _view_of_interface(data: Any, what: str) -> DeviceView:
    """Like ``device_view``, for ``__cuda_array_interface__``."""
    interface = data.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise TypeError(f"{what} must not be masked")
    stream = interface.get("stream")
    return DeviceView(interface["data"][0] or 0, tuple(interface["shape"]), interface.get("strides"),
                      np.dtype(interface["typestr"]), None, LEGACY_STREAM if stream is None else int(stream), data)


def require_cuda(what: str, backend: str, instead: str = _COPY) -> None:
    """Raises an error for device data if the scene runs on the processor.

    Raises
    ------
    Unsupported
        The scene runs on the processor. The message states the remedy.
    """
    if backend == "cuda":
        return
    try:
        describe_cuda()
    except GrazeError as reason:
        raise Unsupported(f"{what} on a CUDA device, and this library cannot use one: {reason}. Either install a libgraze "
                          f"with CUDA support, or {instead}") from None
    raise Unsupported(f"{what} on a CUDA device, and the scene runs on the processor. Either make it with "
                      f"Scene(backend=\"cuda\"), or {instead}")


def _check(view: DeviceView, what: str, device: int, dtypes: tuple[npt.DTypeLike, ...]) -> None:
    """Raises an error for arrays that the device cannot read correctly."""
    if view.dtype not in [np.dtype(kind) for kind in dtypes] or not view.dtype.isnative:
        names = " or ".join(np.dtype(kind).name for kind in dtypes)
        raise TypeError(f"{what} on a device must have the dtype {names}, not {view.dtype}. Convert them: "
                        "array.double() in PyTorch, array.astype(float) in CuPy")
    if view.device is not None and view.device != device:
        raise ValueError(f"{what} lie on device {view.device}, and the scene runs on device {device}")
    if not view.contiguous():
        raise ValueError(f"{what} on a device must be contiguous, and their strides are {view.strides}. Make them so: "
                         "array.contiguous() in PyTorch, cupy.ascontiguousarray(array) in CuPy")


def device_positions(data: Any, count: int | None, device: int, what: str = "positions") -> tuple[DeviceView, Format]:
    """Returns positions on a device in the form that graze_object_set_device_positions requires.

    Parameters
    ----------
    data : array on a device
        (n, 3), contiguous, of float32 or float64.
    count : int or None
        The required n.
    device : int
        The scene's device.
    what : str
        The name of the array in messages.
    """
    view = device_view(data, what)
    if len(view.shape) != 2 or view.shape[1] != 3 or (count is not None and view.shape[0] != count):
        rows = "n" if count is None else count
        raise ValueError(f"{what} must have the shape ({rows}, 3), not {view.shape}")
    _check(view, what, device, (np.float32, np.float64))
    return view, Format.FLOAT3 if view.dtype == np.float32 else Format.DOUBLE3


# ------------------------------------------------------------------------------------------------ poses

def library_of(data: Any) -> Any:
    """Returns torch or cupy for their arrays, None for others."""
    name = type(data).__module__.split(".")[0]
    return sys.modules[name] if name in ("torch", "cupy") else None


def empty_beside(data: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Returns a new array of the same package and on the same device as ``data``."""
    module = library_of(data)
    if module is None:
        raise TypeError(f"a {type(data).__name__} has no method that makes another array on its device: give one as "
                        "`out`")
    if hasattr(data, "new_empty"):
        return data.new_empty(shape, dtype=getattr(module, dtype))
    with data.device:
        return module.empty(shape, dtype=dtype)


def _settled(module: Any, rotations: Any) -> Any:
    """Returns rotations (..., 3, 3) in float64; Newton steps re-orthonormalize drifted float32 rotations."""
    squares = rotations @ rotations.swapaxes(-1, -2)
    identity = module.eye(3, dtype=module.float64, **({"device": rotations.device} if module.__name__ == "torch" else {}))
    distance = abs(squares - identity).reshape(rotations.shape[:-2] + (9,)).max(-1)
    distance = getattr(distance, "values", distance)
    drifted = ((distance > TOLERANCE) & (distance <= DRIFT))[..., None, None]
    nearest = rotations
    for _ in range(3):  # 1e-3 becomes 1e-6, 1e-12, then the rounding error
        nearest = 1.5 * nearest - 0.5 * (nearest @ nearest.swapaxes(-1, -2) @ nearest)
    return module.where(drifted, nearest, rotations)


def packed_poses(data: Any) -> Any:
    """Converts poses (..., 4, 4) or (..., 3, 4), or a tuple (rotation, translation), to (..., 12) in float64.

    Runs on the device with PyTorch or CuPy. Arrays (..., 12) of float64 are returned unchanged. The last row of a 4x4
    matrix is not read. Drifted float32 rotations are re-orthonormalized, as on the host.
    """
    rotations, translations = data if isinstance(data, tuple) else (data, None)
    module = library_of(rotations)
    if module is None or (translations is None and rotations.shape[-1] == 12):
        return data
    if translations is None and tuple(rotations.shape[-2:]) in ((4, 4), (3, 4)):
        rotations, translations = rotations[..., :3, :3], rotations[..., :3, 3]
    shape = tuple(rotations.shape[:-2])
    if translations is None or tuple(rotations.shape[-2:]) != (3, 3) or tuple(translations.shape) != shape + (3,):
        raise ValueError(f"poses on a device must have the shape {_SHAPES}, or be a tuple of rotations (n, 3, 3) and "
                         f"translations (n, 3), not {tuple(rotations.shape)}")
    exact = empty_beside(rotations, shape + (3, 3), "float64")
    exact[...] = rotations
    small = "float64" not in str(rotations.dtype)
    poses = empty_beside(rotations, shape + (12,), "float64")
    poses[..., :9] = (_settled(module, exact) if small else exact).reshape(shape + (9,))
    poses[..., 9:] = translations
    return poses


def device_poses(data: Any, moving_count: int, device: int) -> DeviceView:
    """Returns poses on a device for a batch: (n, moving_count, 12), or (n, 12) for one object."""
    view = device_view(packed_poses(data), "poses")
    rows = int(np.prod(view.shape[:-1], dtype=np.int64)) if view.shape else 0
    middle = view.shape[1:-1]
    if view.shape[-1:] != (12,) or len(view.shape) > 3 or rows % moving_count or (middle and middle != (moving_count,)):
        raise ValueError(f"poses on a device must have the shape {_SHAPES}, with n a multiple of the {moving_count} "
                         f"moving objects, or (n, {moving_count}, ...), not {view.shape}. Only PyTorch's and CuPy's may "
                         "be matrices")
    _check(view, "poses", device, (np.float64,))
    return view


def device_rows(data: Any, shape: tuple[int, ...], device: int, dtypes: tuple[npt.DTypeLike, ...],
                what: str) -> DeviceView:
    """Checks for a contiguous array of this shape on the device; -1 means any size."""
    view = device_view(data, what)
    if len(view.shape) != len(shape) or any(size not in (-1, found) for size, found in zip(shape, view.shape)):
        raise ValueError(f"{what} must have the shape {shape}, not {view.shape}")
    _check(view, what, device, dtypes)
    return view


# ------------------------------------------------------------------------------------------------ results

class DeviceArray:
    """A result on a CUDA device, for ``torch.as_tensor``, ``torch.from_dlpack``, ``cupy.asarray`` and others.

    They do not copy it. Its memory exists as long as any such array does.

    Parameters
    ----------
    owner : object
        The owner of the memory: a list of the library, or an array of the caller.
    address : int or None
        In device memory.
    shape : tuple of int
    dtype : dtype
    device : int
        The device's number.
    strides : tuple of int, optional
        In bytes, if not contiguous.
    """

    __slots__ = ("_array", "_address", "device", "__weakref__")

    def __init__(self, owner: Any, address: int | None, shape: tuple[int, ...], dtype: npt.DTypeLike, device: int,
                 strides: tuple[int, ...] | None = None) -> None:
        self.device = device
        self._address = address or 0
        if not address or 0 in shape:
            self._array: Array = np.empty(shape, dtype)
        else:
            memory = _Memory(owner, address, shape, np.dtype(dtype), strides)
            memory.__array_interface__["data"] = (address, False)  # consumers reject read-only memory
            self._array = np.asarray(memory)  # it has shape, strides and owner; its elements are never read

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        return self._array.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        return self._array.dtype

    def __len__(self) -> int:
        return len(self._array)

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, device={self.device})"

    def view(self, dtype: npt.DTypeLike) -> DeviceArray:
        """Returns the same memory with another dtype of the same size: some libraries lack unsigned integers."""
        if np.dtype(dtype).itemsize != self.dtype.itemsize:
            raise ValueError(f"{np.dtype(dtype)} and {self.dtype} differ in size")
        other = DeviceArray.__new__(DeviceArray)
        other.device, other._address, other._array = self.device, self._address, self._array.view(dtype)
        return other

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        contiguous = self._array.flags.c_contiguous
        return {"version": 3, "shape": self.shape, "typestr": self.dtype.str, "data": (self._address, False),
                "strides": None if contiguous else self._array.strides, "stream": None}

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA_KINDS[0], self.device

    def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        """Returns a DLPack capsule: numpy's, whose deleter releases this array, with the device inserted."""
        if copy or (dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__()):
            raise BufferError("a DeviceArray is exported in place, without a copy")
        capsule = self._array.__dlpack__()
        tensor = _Tensor.from_address(_pointer_of_capsule(capsule, b"dltensor"))
        tensor.data, tensor.device_kind, tensor.device = self._address, _CUDA_KINDS[0], self.device
        return capsule
