"""Data on a CUDA device: positions, pairs, contacts, answers and distances without copies to the host."""
from __future__ import annotations

from collections.abc import Callable
from ctypes import byref
from typing import Any

import numpy as np

from . import _declarations as c
from ._arrays import Array, OwnedList, c_strides
from ._calls import Stopper, call, default, run_stoppable
from ._device import (DeviceArray, DeviceView, device_poses, device_positions, device_rows, empty_beside, library_of,
                      require_cuda)
from ._enumerations import Enumeration
from ._library import lib
from ._signatures import takes
from .lists import NEAREST, Answer
from .names import value_of
from .objects import SceneObject
from .queries import Queries, query_keywords

_CONTACT = np.dtype(c.Contact)
_PAIR = np.dtype(c.Pair)


class _OnDevice(Answer):
    """Base of the lists on a device."""

    def __init__(self, owned: OwnedList, device: int) -> None:
        self._device = device
        super().__init__(owned)

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError(f"{type(self).__name__} is on a device and cannot be pickled: copy its arrays to the host")


class DevicePairs(_OnDevice):
    """Pairs of primitives on a device, sorted.

    Attributes
    ----------
    array : DeviceArray of uint32, shape (k, 4)
        object_a, primitive_a, object_b, primitive_b of each pair.
    hash : int
        The same hash as of ``Pairs``.
    """

    struct = c.DevicePairs
    free = lib.graze_device_pairs_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self.array = DeviceArray(owned, struct.device_pairs, (struct.count, 4), np.uint32, self._device)
        self.hash = int(struct.hash)

    def __len__(self) -> int:
        return len(self.array)

    def __repr__(self) -> str:
        return f"<DevicePairs: {len(self)} pairs, hash {self.hash:016x}>"


class DeviceContacts(_OnDevice):
    """Contacts on a device, in the order of their pairs.

    Attributes
    ----------
    points : DeviceArray of float64, shape (m, 3)
        The points of all contacts.
    """

    struct = c.DeviceContacts
    free = lib.graze_device_contacts_free

    def _read(self, owned: OwnedList, struct: Any) -> None:
        self._count = int(struct.count)
        self.points = DeviceArray(owned, struct.device_points, (struct.point_count, 3), np.float64, self._device)

    def __len__(self) -> int:
        return self._count

    def field(self, name: str) -> DeviceArray:
        """Returns a field of all contacts, such as "normal", shape (k, 3). The names are those of ``Contacts``."""
        owned = self._owned
        assert owned is not None
        return _field(name, _CONTACT, owned, owned.struct.device_contacts, (len(self),), self._device)

    def __repr__(self) -> str:
        return f"<DeviceContacts: {len(self)} contacts, {len(self.points)} points>"


class DeviceNearestList:
    """Least distances of poses on a device, in the order of the poses.

    Attributes
    ----------
    rows : array of PyTorch or CuPy, or the array passed as ``out``
        The memory of all rows, 19 float64 numbers each: shape (n, 19), or (n, number of object pairs, 19). Use
        ``field`` to access the fields.
    shape : tuple of int
        (n,), or (n, number of object pairs).
    """

    def __init__(self, rows: Any, address: int, shape: tuple[int, ...], device: int) -> None:
        self.rows = rows
        self.shape = shape
        self._address, self._device = address, device

    def __len__(self) -> int:
        return self.shape[0]

    def field(self, name: str) -> DeviceArray:
        """Returns a field of all rows, such as "distance", named as in ``NearestList``. It keeps the rows alive."""
        return _field(name, NEAREST, self.rows, self._address, self.shape, self._device)

    def __repr__(self) -> str:
        return f"<DeviceNearestList: shape {self.shape}, device {self._device}>"


_TUPLES = {_PAIR: 4, np.dtype(c.Feature): 4}  # structs of 32-bit numbers


def _field(name: str, row: np.dtype[Any], owner: Any, address: int | None, shape: tuple[int, ...],
           device: int) -> DeviceArray:
    """Returns a field of rows on a device. A struct of numbers, such as a pair, becomes a dimension."""
    if row.fields is None or name not in row.fields:
        raise KeyError(f"rows have no field '{name}'; there are {', '.join(row.names or ())}")
    kind, offset = row.fields[name][:2]
    base, inner = (np.dtype(np.uint32), (_TUPLES[kind],)) if kind in _TUPLES else kind.subdtype or (kind, ())
    strides = c_strides(shape, row.itemsize) + c_strides(inner, base.itemsize)
    return DeviceArray(owner, address + offset if address else None, (*shape, *inner), base, device, strides)


class DeviceQueries(Queries):
    """Calls of scenes with the backend "cuda" whose results stay on the device."""

    device: int
    _resident: dict[tuple[int, int], DeviceView]

    @property
    def backend(self) -> str:
        """The backend that runs updates and queries."""
        raise NotImplementedError

    def changed(self) -> None:
        """Marks the scene as changed."""
        raise NotImplementedError

    def set_device_positions(self, item: SceneObject, positions: Any) -> None:
        """Makes every update read all positions of an object from device memory.

        ``item.set_positions`` calls it for arrays on a device. The scene keeps the array. After changing its values,
        call ``scene.update()``, which is ordered after the work on the producer's current stream. The values must not
        change while a query runs.

        Parameters
        ----------
        item : SceneObject
        positions : array on a device, shape (n, 3)
            An array with DLPack or ``__cuda_array_interface__``, as of PyTorch or CuPy; contiguous, float32 or float64.
        """
        require_cuda("the positions lie", self.backend)
        identity = self.id_of(item)
        view, form = device_positions(positions, item.vertex_count, self.device)
        self.changed()
        call(lib.graze_object_set_device_positions, self.handle, identity, view.address, form, view.stream)
        self._resident[(identity.index, identity.generation)] = view

    def release_positions(self, identity: c.Object) -> None:
        """Releases an object's array on the device, which is no longer read."""
        self._resident.pop((identity.index, identity.generation), None)

    def follow_producers(self) -> None:
        """Orders the next update after the work that producers of positions have queued."""
        for view in self._resident.values():
            view.follow_producer()

    @takes(query_keywords)
    def pairs_on_device(self, **options: Any) -> DevicePairs:
        """Like ``pairs``, with the result on the device. ``pair_limit`` and ``stop_after`` are not supported."""
        self.updated()
        require_cuda("the pairs stay", self.backend, "call pairs()")
        owned = DevicePairs.new()
        self._find(options, lib.graze_scene_find_pairs_on_device, byref(owned.struct))
        return DevicePairs(owned, self.device)

    def contacts_on_device(self, pairs: Any = None, *, test: str = "sat") -> DeviceContacts:
        """Computes contacts of pairs on the device; of all pairs if none are passed.

        Parameters
        ----------
        pairs : DevicePairs, or an array on the device of uint32 or int32, shape (k, 4), optional
        test : str
            "sat" or "gjk".
        """
        self.updated()
        require_cuda("the contacts stay", self.backend, "call contacts()")
        chosen = self.pairs_on_device(test=test) if pairs is None else pairs
        if isinstance(chosen, DevicePairs):
            chosen = chosen.array
        view = device_rows(chosen, (-1, 4), self.device, (np.uint32, np.int32), "pairs")
        options = default(c.ContactOptions)
        options.test = value_of(Enumeration.TEST, test)
        owned = DeviceContacts.new()
        call(lib.graze_scene_make_contacts_on_device, self.handle, view.address, view.shape[0], byref(options),
             byref(owned.struct))
        return DeviceContacts(owned, self.device)

    def _run_on_device(self, batch: c.BatchDef, view: DeviceView, answers: DeviceView, dtype: Any,
                       should_stop: Callable[[], bool] | None) -> None:
        """Runs a batch with poses and answers on the device."""
        stopper = Stopper(should_stop)
        stopper.attach(batch)
        batch.poses, batch.pose_count = view.address, int(np.prod(view.shape[:-1]))
        batch.poses_on_device = batch.answers_on_device = True
        set_answers(batch, dtype, answers.address)
        run_stoppable(stopper, True, lib.graze_scene_run_batch, self.handle, byref(batch))

    def _test_on_device(self, batch: c.BatchDef, poses: Any, width: int, columns: tuple[int, ...], dtype: Any, out: Any,
                        should_stop: Callable[[], bool] | None) -> Any:
        """Tests configurations with poses on the device; the answers stay on the device."""
        require_cuda("the poses lie", self.backend)
        view = device_poses(poses, max(width, 1), self.device)
        shape = (int(np.prod(view.shape[:-1])) // max(width, 1), *columns)
        counts = dtype == np.uint64
        made = out is None
        if made:
            out = empty_beside(poses[0] if isinstance(poses, tuple) else poses, shape, "int64" if counts else "uint8")
        dtypes = (np.int64, np.uint64) if counts else (np.uint8, np.bool_)
        answers = device_rows(out, shape, self.device, dtypes, "answers")
        self._run_on_device(batch, view, answers, dtype, should_stop)
        if not made or counts:
            return out
        library = library_of(out)
        return out.view(getattr(library, "bool_", None) or library.bool)

    def _measure_on_device(self, batch: c.BatchDef, poses: Any, width: int, columns: tuple[int, ...], out: Any,
                           should_stop: Callable[[], bool] | None) -> DeviceNearestList:
        """Measures distances of poses on the device; the rows stay on the device."""
        require_cuda("the poses lie", self.backend)
        view = device_poses(poses, max(width, 1), self.device)
        shape = (int(np.prod(view.shape[:-1])) // max(width, 1), *columns)
        numbers = NEAREST.itemsize // 8
        if out is None:
            out = empty_beside(poses[0] if isinstance(poses, tuple) else poses, (*shape, numbers), "float64")
        rows = device_rows(out, (*shape, numbers), self.device, (np.float64,), "rows")
        self._run_on_device(batch, view, rows, NEAREST, should_stop)
        return DeviceNearestList(out, rows.address, shape, self.device)


def set_answers(batch: c.BatchDef, dtype: Any, address: int) -> None:
    """Sets the array for the answers, whose type says which they are."""
    field = {np.dtype(np.uint8): "hits_out", np.dtype(np.uint64): "counts_out"}.get(np.dtype(dtype), "nearest_out")
    setattr(batch, field, address)
