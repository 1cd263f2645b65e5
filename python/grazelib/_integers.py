"""Checks integer arguments before a call: ctypes truncates values that a C type cannot represent."""
from __future__ import annotations

from ctypes import sizeof
from operator import index
from typing import Any

from ._errors import InvalidArgument


def checked(kind: Any, value: Any, what: str) -> int:
    """Returns an integer that fits into a ctypes type.

    Raises
    ------
    InvalidArgument
        The integer is out of range. The message has the range.
    TypeError
        It is not an integer.
    """
    number = index(value)
    if kind(number).value == number:
        return number
    highest = kind(-1).value
    lowest = 0
    if highest < 0:  # signed type
        highest = 2 ** (8 * sizeof(kind) - 1) - 1
        lowest = -highest - 1
    raise InvalidArgument(f"{what} must be between {lowest} and {highest}, not {number}")
