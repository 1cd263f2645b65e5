"""Passes arrays to and from the library.

Input: anything that numpy converts to an array. Rows may be strided, reversed, unaligned or read-only; the library
reads them in place. An array is copied only if the library cannot read it: another dtype, another byte order,
non-contiguous columns, or overlapping rows.

Output: views of the memory of a library list. A view keeps its list alive; the list is freed with its last view.
"""
from __future__ import annotations

from collections.abc import Callable
from ctypes import byref
from typing import Any

import numpy as np
import numpy.typing as npt

from ._declarations import OutputView, Struct, View
from ._enumerations import Format

Array = npt.NDArray[Any]

Formats = dict[np.dtype[Any], Format]

_POSITIONS: Formats = {np.dtype(np.float32): Format.FLOAT3, np.dtype(np.float64): Format.DOUBLE3}
_NUMBERS: Formats = {np.dtype(np.float32): Format.FLOAT, np.dtype(np.float64): Format.DOUBLE}
_INDICES: dict[int, Formats] = {
    1: {np.dtype(np.uint32): Format.UINT32, np.dtype(np.int32): Format.INT32, np.dtype(np.int64): Format.INT64,
        np.dtype(np.uint64): Format.UINT64},
    3: {np.dtype(np.uint32): Format.UINT32_3, np.dtype(np.int32): Format.INT32_3, np.dtype(np.int64): Format.INT64_3,
        np.dtype(np.uint64): Format.UINT64_3},
    4: {np.dtype(np.uint32): Format.UINT32_4, np.dtype(np.int32): Format.INT32_4, np.dtype(np.int64): Format.INT64_4,
        np.dtype(np.uint64): Format.UINT64_4},
}


def _rows(data: Any, columns: int, what: str, empty: npt.DTypeLike) -> Array:
    """Returns the data as an array of rows, or of numbers for one column; a view of the caller's data if possible.

    Empty data has the dtype ``empty``, because numpy makes an empty list an array of floats.
    """
    array = np.asarray(data)
    if array.size == 0 and array.ndim <= 2:
        return np.empty((0, columns) if columns > 1 else (0,), empty)
    if columns == 1 and array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    shape = (array.shape[0] if array.ndim else 0, columns) if columns > 1 else (array.size,)
    if array.shape != shape:
        wanted = f"(n, {columns})" if columns > 1 else "(n,)"
        raise ValueError(f"{what} must have the shape {wanted}, not {array.shape}")
    return array


def _readable(array: Array) -> bool:
    """Whether the library can read the array in place."""
    width = array.itemsize * (array.shape[1] if array.ndim == 2 else 1)
    inner = array.ndim == 1 or array.strides[1] == array.itemsize
    return inner and (array.shape[0] < 2 or abs(array.strides[0]) >= width)


def _view_of(array: Array, form: int) -> View:
    """Returns the view of a readable array. The caller keeps the array alive until the call returns."""
    view = View()
    view.data = array.ctypes.data if array.size else None
    view.count = array.shape[0]
    view.stride_bytes = array.strides[0] if array.shape[0] > 1 else 0
    view.format = form
    view.array = array  # the ctypes instance keeps the array alive
    return view


def _floats(data: Any, columns: int, what: str, formats: Formats) -> View:
    array = _rows(data, columns, what, np.float64)
    if array.dtype not in formats or not _readable(array):
        if array.dtype.kind not in "fiu":
            raise TypeError(f"{what} must have a dtype of real numbers, not {array.dtype}")
        small = array.dtype.kind == "f" and array.itemsize <= 4
        array = np.ascontiguousarray(array, dtype=np.float32 if small else np.float64)
    return _view_of(array, formats[array.dtype])


def positions_view(data: Any, what: str = "positions") -> View:
    """Returns a view of positions, shape (n, 3) and any real dtype.

    float32 and float64 are read in place. float16 is copied to float32, other dtypes to float64.
    """
    return _floats(data, 3, what, _POSITIONS)


def numbers_view(data: Any, what: str = "radii") -> View:
    """Returns a view of numbers, shape (n,) and any real dtype."""
    return _floats(data, 1, what, _NUMBERS)


def indices_view(data: Any, columns: int, what: str) -> View:
    """Returns a view of indices, shape (n, columns) with 3 or 4 columns, or (n,) with 1, and any integer dtype.

    int32, int64, uint32 and uint64 are read in place, others are copied to int64.
    """
    array = _rows(data, columns, what, np.uint32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} must have a dtype of integers, not {array.dtype}")
    formats = _INDICES[columns]
    if array.dtype not in formats or not _readable(array):
        known = array.dtype.newbyteorder("=")
        array = np.ascontiguousarray(array, dtype=known if known in formats else np.int64)
    return _view_of(array, formats[array.dtype])


def output_view(array: Array, form: int) -> OutputView:
    """Returns a view of a new array that the library fills."""
    view = OutputView()
    view.data = array.ctypes.data if array.size else None
    view.count = array.shape[0]
    view.stride_bytes = 0
    view.format = form
    view.array = array
    return view


class OwnedList:
    """A list of the library: zero until a call fills it, freed when it is no longer referenced.

    Parameters
    ----------
    kind : type of Struct
        The struct of the list, such as ``Pairs``.
    free : callable
        The function that frees it, such as ``lib.graze_pairs_free``.

    Attributes
    ----------
    struct : Struct
        The list itself: calls take ``byref(owned.struct)``.
    """

    __slots__ = ("struct", "_free", "__weakref__")

    def __init__(self, kind: type[Struct], free: Callable[..., None]) -> None:
        self._free = free
        self.struct = kind()

    def __del__(self) -> None:
        self._free(byref(self.struct))

    def array(self, address: int | None, shape: tuple[int, ...], dtype: npt.DTypeLike, element_bytes: int = 0) -> Array:
        """Returns a read-only array over memory of the list, which keeps the list alive.

        Parameters
        ----------
        address : int or None
            The address of the first element. None, a null pointer, is valid only for empty arrays.
        shape : tuple of int
        dtype : dtype
            The dtype of the elements. ctypes structs are allowed: ``np.dtype(Pair)``.
        element_bytes : int, optional
            The stride between rows, if rows may be larger than the dtype.
        """
        kind = np.dtype(dtype)
        if not address or 0 in shape:
            empty = np.empty(shape, kind)
            empty.flags.writeable = False
            return empty
        strides = (element_bytes, *c_strides(shape[1:], kind.itemsize)) if element_bytes else None
        return np.asarray(_Memory(self, address, shape, kind, strides))


class _Memory:
    """Exposes memory of an owner to numpy: the array refers to this object, and this object to the owner."""

    __slots__ = ("owner", "__array_interface__")

    def __init__(self, owner: Any, address: int, shape: tuple[int, ...], kind: np.dtype[Any],
                 strides: tuple[int, ...] | None) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3, "data": (address, True), "shape": shape, "typestr": kind.str, "descr": kind.descr,
            "strides": strides,
        }


def c_strides(shape: tuple[int, ...], item_bytes: int) -> tuple[int, ...]:
    """Returns the strides of a C-contiguous array."""
    strides: list[int] = []
    for size in reversed(shape):
        strides.insert(0, item_bytes)
        item_bytes *= size
    return tuple(strides)
