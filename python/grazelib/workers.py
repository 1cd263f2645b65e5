"""Worker threads that scenes share, and the backend of a scene."""
from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_int, c_uint32, c_void_p, cast, pointer
from typing import Any

from ._calls import default
from ._declarations import BackendDef, Struct, Task, WorkersDef
from ._device import LEGACY_STREAM
from ._enumerations import Enumeration
from ._handles import Closing, Handle
from ._integers import checked
from ._library import lib
from .names import value_of


class Workers(Closing):
    """Threads that several scenes share, and memory that is reused from scene to scene.

    Parameters
    ----------
    count : int, optional
        The number of threads; 0: one for each available processor.
    threading : str, optional
        The kind of threads: "auto", "pthreads", "openmp" or "serial".
    kept_bytes : int, optional
        The maximum memory of closed scenes that is kept for later scenes; None: the library's limit.
    """

    def __init__(self, count: int = 0, threading: str = "auto", kept_bytes: int | None = None) -> None:
        definition = default(WorkersDef)
        definition.worker_count = count
        definition.threading = value_of(Enumeration.THREADING, threading)
        if kept_bytes is not None:
            definition.kept_bytes = kept_bytes
        self._handle = Handle(lib.graze_workers_create, byref(definition), lib.graze_workers_destroy)

    def __len__(self) -> int:
        return int(lib.graze_workers_count(self.handle))

    @property
    def kept_bytes(self) -> int:
        """The kept memory that no scene uses."""
        return int(lib.graze_workers_kept_bytes(self.handle))

    def trim(self) -> None:
        """Frees the kept memory."""
        lib.graze_workers_trim(self.handle)

    def run(self, task: Callable[[int], None], count: int) -> None:
        """Calls ``task(i)`` for each i below ``count`` on these threads. The GIL lets only one of them run Python code.

        Raises the first exception of a task again at the end.
        """
        failures: list[BaseException] = []

        def run_one(_context: int | None, index: int, _worker: int) -> None:
            try:
                task(index)
            except BaseException as failure:  # must not pass through C
                failures.append(failure)

        lib.graze_workers_run(self.handle, Task(run_one), None, checked(c_uint32, count, "count"))
        if failures:
            raise failures[0]

    def __repr__(self) -> str:
        return f"<Workers: {len(self)}>" if not self.closed else "<Workers: closed>"


def set_workers(definition: Struct, workers: int | Workers) -> None:
    """Sets the threads of a definition: a private number, or shared workers."""
    if isinstance(workers, Workers):
        definition.workers = workers.handle.value
    else:
        definition.worker_count = workers


def backend_pointer(name: str, device: int | None, stream: int | None) -> Any:
    """Returns a pointer to the definition of a backend; None, the library's default, for the processor without options.
    """
    if name == "cpu" and device is None and stream is None:
        return None
    definition = default(BackendDef)
    definition.name = name.encode()
    if device is not None:
        definition.kept = devices = (c_int * 1)(checked(c_int, device, "device"))
        definition.devices = cast(devices, c_void_p)
        definition.device_count = 1
    definition.stream = LEGACY_STREAM if name == "cuda" and stream is None else stream
    return pointer(definition)
