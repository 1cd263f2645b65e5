"""Integers of callers, checked before a call: ctypes cuts off what a type of C cannot hold."""
from __future__ import annotations

from ctypes import sizeof
from operator import index
from typing import Any

from ._errors import InvalidArgument


def checked(kind: Any, value: Any, what: str) -> int:
    """An integer that fits into a type of ctypes.

    Raises
    ------
    InvalidArgument
        It does not fit. The message has the range.
    TypeError
        It is no integer.
    """
    number = index(value)
    if kind(number).value == number:
        return number
    highest = kind(-1).value
    lowest = 0
    if highest < 0:  # the type has a sign
        highest = 2 ** (8 * sizeof(kind) - 1) - 1
        lowest = -highest - 1
    raise InvalidArgument(f"{what} must be between {lowest} and {highest}, not {number}")
