"""The library's names of enumerators, methods and backends."""
from __future__ import annotations

from ctypes import byref, c_int, create_string_buffer
from enum import IntEnum
from functools import lru_cache
from typing import TypeVar

from ._enumerations import Enumeration
from ._errors import error_of
from ._integers import checked
from ._library import lib


def names_of(what: Enumeration) -> dict[str, int]:
    """Returns the names of an enumeration and their values, in order."""
    values = [lib.graze_enumeration_value(what, i) for i in range(lib.graze_enumeration_count(what))]
    return {lib.graze_enumeration_name(what, value).decode(): value for value in values}


def descriptions_of(what: Enumeration) -> dict[str, str]:
    """Returns the names of results, stages, counters, methods or backends, with their descriptions."""
    return {name: (lib.graze_enumeration_description(what, value) or b"").decode()
            for name, value in names_of(what).items()}


def methods() -> dict[str, str]:
    """Returns the search methods with a description of each."""
    return descriptions_of(Enumeration.METHOD)


def backends() -> dict[str, str]:
    """Returns the backends with a description of each. A build may not include all of them."""
    return descriptions_of(Enumeration.BACKEND)


_Member = TypeVar("_Member", bound=IntEnum)


def member_of(kind: type[_Member], name: str, word: str) -> _Member:
    """Returns the enumerator with a lower-case name, for an enumeration whose names the library does not list."""
    try:
        return kind[name.upper()]
    except (KeyError, AttributeError):
        names = ", ".join(entry.name.lower() for entry in kind)
        raise ValueError(f"there is no {word} {name!r}; there are {names}") from None


@lru_cache(maxsize=None)
def value_of(what: Enumeration, name: str | int) -> int:
    """Returns the value of a name; returns numbers and enumerators unchanged.

    Raises
    ------
    ValueError
        There is no such name; the message lists the valid names.
    """
    if isinstance(name, int):
        return int(name)
    if not isinstance(name, str):
        raise TypeError(f"the name of a {what.name.lower().replace('_', ' ')} must be a str, not {type(name).__name__}")
    value = c_int()
    if lib.graze_enumeration_find(what, name.encode(), byref(value)):
        return value.value
    word = what.name.lower().replace("_", " ")
    raise ValueError(f"there is no {word} '{name}'; there are {', '.join(names_of(what))}")


def describe_cuda(device: int = 0) -> str:
    """Returns a description of a CUDA device.

    Raises
    ------
    Unsupported, NoDevice
        The library was built without CUDA, or the machine has no such device.
    """
    words = create_string_buffer(256)
    code = lib.graze_cuda_describe(checked(c_int, device, "device"), words, len(words))
    described = words.value.decode("utf-8", "replace")
    if code:  # the description is the reason
        raise error_of(code, described)
    return described
