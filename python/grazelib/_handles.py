"""Handles of things that the library makes: scenes, shapes, trees, carriers and workers."""
from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_void_p
from types import TracebackType
from typing import Any, TypeVar

from ._calls import call


class Handle:
    """The address of a thing of the library, which is destroyed when nothing refers to the handle any more.

    Calls take it as an argument, and ctypes refers to the arguments of a call until that has returned. So a thing that
    is closed while another thread asks it is destroyed after the answer, and not under it.

    Parameters
    ----------
    create : callable
        A function that takes a definition and writes the address.
    definition : pointer
    destroy : callable
    caller : callable, optional
        ``call``, or ``call_io`` for functions of libgraze_io.
    """

    __slots__ = ("value", "_as_parameter_", "_destroy")

    def __init__(self, create: Callable[..., int], definition: Any, destroy: Callable[..., None],
                 caller: Callable[..., None] = call) -> None:
        address = c_void_p()
        self._destroy = destroy
        self._as_parameter_: int | None = None
        caller(create, definition, byref(address))
        self._as_parameter_ = self.value = address.value

    def __del__(self) -> None:
        self._destroy(self._as_parameter_)


_Self = TypeVar("_Self", bound="Closing")


class Closing:
    """Base of what has a handle and is closed by hand, by ``with``, or when nothing refers to it any more."""

    _handle: Handle | None = None

    @property
    def handle(self) -> Handle:
        """The handle, for calls of the library.

        Raises
        ------
        ValueError
            It is closed.
        """
        if self._handle is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._handle

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._handle is None

    def close(self) -> None:
        """Ends it. A call that runs on another thread ends first. A second call does nothing."""
        self._handle = None

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} has memory of the library, and cannot be copied or pickled")

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()
