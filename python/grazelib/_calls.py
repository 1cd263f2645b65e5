"""Calls the library: result codes become exceptions, and Ctrl-C stops long calls.

Every call releases the GIL. Python delivers Ctrl-C to the main thread, and only while it runs Python code. Therefore a
call that may take long runs on a second thread while the main thread waits: ``run_stoppable``. Its stop callback reads
a flag that the main thread sets. During the wait, Ctrl-C calls a handler that raises nothing, because an exception in a
``__del__`` that the garbage collector runs would be lost. Short calls, and calls on threads other than the main thread,
run directly.

No call on the main thread has a Python function as its stop callback: a Ctrl-C that arrives while ctypes enters the
function would be lost.
"""
from __future__ import annotations

import os
import re
import signal
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from ctypes import CDLL, addressof, byref, cast, create_string_buffer, sizeof
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ._declarations import ShouldStop, Struct
from ._errors import error_of
from ._library import io_lib, lib


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function of libgraze that returns a graze_result; raises its exception unless it is GRAZE_OK."""
    code = function(*arguments)
    if code:
        raise error_of(code, lib.graze_error_text().decode("utf-8", "replace"))


def call_io(function: Callable[..., int], *arguments: Any) -> None:
    """Like ``call``, for functions of libgraze_io."""
    code = function(*arguments)
    if code:
        raise error_of(code, io_lib().graze_io_error_text().decode("utf-8", "replace"))


_length_of = cast(CDLL(None).strlen, ShouldStop)


class Stopper:
    """The stop condition of a call: Ctrl-C, or a function of the caller.

    Parameters
    ----------
    should_stop : callable, optional
        Called regularly, on any thread. If it returns true, the call raises ``Stopped``. An exception that it raises
        ends the call and is raised again.

    The stopper must exist until the call returns.
    """

    def __init__(self, should_stop: Callable[[], bool] | None = None) -> None:
        self._asked = should_stop
        self.stopped = False
        self.failure: BaseException | None = None
        self._text = create_string_buffer(2)

    def stop(self) -> None:
        """Stops the call from another thread."""
        self.stopped = True
        self._text.value = b"!"

    @property
    def asks_caller(self) -> bool:
        """Whether the caller has passed a function."""
        return self._asked is not None

    def attach(self, struct: Struct) -> None:
        """Sets should_stop and stop_context of a struct whose call has no other callback.

        If only Ctrl-C stops the call, the callback is strlen of a text that is empty until then. A Python callback
        took 25 us per call, because a query replaces the contents of the caches.
        """
        if self._asked is not None:
            struct.should_stop = self.callback
        else:
            struct.should_stop, struct.stop_context = _length_of, addressof(self._text)

    @cached_property
    def callback(self) -> Any:
        """The callback, for the field ``should_stop`` of a C struct."""
        return ShouldStop(self._answer)

    def _answer(self, _context: int | None) -> bool:
        if self.stopped or self.failure is not None:
            return True
        if self._asked is None:
            return False
        try:
            return bool(self._asked())
        except BaseException as failure:  # must not pass through C; run_stoppable raises it
            self.failure = failure
            return True

    def guard(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wraps another callback of the call: an exception in it stops the call and is raised again."""
        def guarded(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except BaseException as failure:
                self.failure = failure
                return 0
        return guarded


def run_stoppable(stopper: Stopper, may_take_long: bool, function: Callable[..., int], *arguments: Any) -> None:
    """Like ``call``, for a call whose struct has the stopper's callback.

    Parameters
    ----------
    stopper : Stopper
        Its callback is in one of the arguments.
    may_take_long : bool
        Run the call on a second thread if this is the main thread, so that Ctrl-C stops it. A call with a function
        of the caller always does so.
    function, *arguments
        The call.
    """
    failures: list[BaseException] = []

    def run() -> None:
        try:
            call(function, *arguments)
        except BaseException as failure:
            failures.append(failure)

    on_second = may_take_long or stopper.asks_caller
    if not on_second or threading.current_thread() is not threading.main_thread():
        run()
    else:
        _run_on_second_thread(stopper, run)
    if stopper.failure is not None:
        raise stopper.failure
    if failures:
        raise failures[0]


_Job = Callable[[], None]

WAKE_SECONDS = 0.05
"""The timeout of each wait of the main thread. A signal that arrives just before the wait does not end it."""


def _work(jobs: SimpleQueue[_Job | None], done: SimpleQueue[None]) -> None:
    """Runs jobs one after the other until None arrives: the function of the second thread."""
    while (job := jobs.get()) is not None:
        job()
        del job  # keeps nothing alive while the thread waits
        done.put(None)


class _SecondThread:
    """A thread that runs jobs one after the other. It is reused, because starting one takes longer than a small query.

    The thread ends when this object is deleted, because Ctrl-C may arrive just before the object is stored.
    """

    def __init__(self) -> None:
        self.jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self.done: SimpleQueue[None] = SimpleQueue()
        weakref.finalize(self, self.jobs.put, None)
        threading.Thread(target=_work, args=(self.jobs, self.done), name="graze", daemon=True).start()


_idle: list[_SecondThread] = []
os.register_at_fork(after_in_child=_idle.clear)


def _run_on_second_thread(stopper: Stopper, run: Callable[[], None]) -> None:
    """Runs the call and waits. Ctrl-C stops the call; KeyboardInterrupt is raised once the call has ended.

    A signal handler of the caller stays installed. If it raises KeyboardInterrupt, this also stops the call.
    """
    ended: list[bool] = []
    pressed: list[bool] = []

    def run_once() -> None:
        if not stopper.stopped:
            run()
        ended.append(True)

    def press(_number: int, _frame: object) -> None:
        pressed.append(True)
        stopper.stop()

    thread = _idle.pop() if _idle else _SecondThread()
    interrupt: KeyboardInterrupt | None = None
    handed_over = False
    replaces_handler = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        if replaces_handler:
            signal.signal(signal.SIGINT, press)
        while not ended:
            try:
                if not handed_over:
                    thread.jobs.put(run_once)  # twice, where Ctrl-C comes right after it; then the second does nothing
                    handed_over = True
                while not ended:  # inside the try, because Python raises Ctrl-C where a loop goes back
                    with suppress(Empty):
                        thread.done.get(timeout=WAKE_SECONDS)
            except KeyboardInterrupt as raised:
                stopper.stop()
                interrupt = raised
        _idle.append(thread)
    finally:
        if replaces_handler:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt
    if interrupt is not None:
        raise interrupt


def _init_function(kind: type[Struct]) -> Callable[..., None]:
    """Returns the function that initializes a struct: graze_mesh_def_init for MeshDef."""
    words = re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
    library = io_lib() if words.startswith("io_") else lib
    function: Callable[..., None] = getattr(library, f"graze_{words}_init")
    return function


_MAKERS: dict[type[Struct], Callable[..., None]] = {}
_Kind = TypeVar("_Kind", bound=Struct)


def default(kind: type[_Kind]) -> _Kind:
    """Returns a definition, options or a query with default values: ``default(MeshDef)``."""
    make = _MAKERS.get(kind)
    if make is None:
        make = _MAKERS[kind] = _init_function(kind)
    struct = kind()
    make(byref(struct), sizeof(struct))
    return struct
