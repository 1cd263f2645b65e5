"""Handles of library objects: scenes, shapes, trees, carriers and workers."""
from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_void_p
from types import TracebackType
from typing import Any, TypeVar

from ._calls import call


class Handle:
    """The address of a library object, which is destroyed when the handle is no longer referenced.

    ctypes keeps a reference to the arguments of a call until it returns. An object that is closed during a call on
    another thread is therefore destroyed after that call.

    Parameters
    ----------
    create : callable
        A function that takes a definition and stores the address.
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
    """Base of classes with a handle, which is closed by ``close``, by ``with``, or when it is no longer referenced."""

    _handle: Handle | None = None

    @property
    def handle(self) -> Handle:
        """The handle, for calls of the library.

        Raises
        ------
        ValueError
            The object is closed.
        """
        if self._handle is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._handle

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._handle is None

    def close(self) -> None:
        """Closes the object. A call on another thread finishes first. A second call does nothing."""
        self._handle = None

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} owns memory of the library and cannot be copied or pickled")

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()
