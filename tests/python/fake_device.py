"""Arrays that claim to be on a CUDA device. Their memory is on the host, where the emulated device reads it."""
from __future__ import annotations

from ctypes import py_object, pythonapi, c_char_p, c_void_p
from typing import Any

import numpy as np

from grazelib._device import _Tensor


def tensor_of(capsule: Any) -> _Tensor:
    """The DLTensor of a capsule."""
    pointer_of = pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = c_void_p, [py_object, c_char_p]
    return _Tensor.from_address(pointer_of(capsule, b"dltensor"))


class InterfaceArray:
    """As CuPy's and Numba's: ``__cuda_array_interface__`` alone."""

    def __init__(self, array: np.ndarray, stream: int | None = None, version: int = 3, **changes: Any) -> None:
        self.array = array
        self.interface = {"shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False),
                          "strides": None if array.flags.c_contiguous else array.strides, "version": version}
        if version >= 3:
            self.interface["stream"] = stream
        self.interface.update(changes)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.interface


class DlpackArray:
    """As PyTorch's: DLPack, and streams that are asked for."""

    def __init__(self, array: np.ndarray, kind: int = 2, device: int = 0, requires_grad: bool = False) -> None:
        self.array, self.kind, self.number, self.requires_grad = array, kind, device, requires_grad
        self.streams: list[int | None] = []

    def detach(self) -> DlpackArray:
        other = DlpackArray(self.array, self.kind, self.number)
        other.streams = self.streams
        return other

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.kind, self.number

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        if self.requires_grad:
            raise BufferError("detach it")
        self.streams.append(stream)
        capsule = self.array.__dlpack__()
        tensor = tensor_of(capsule)
        tensor.device_kind, tensor.device = self.kind, self.number
        return capsule
