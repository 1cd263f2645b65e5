"""The names of enumerations, methods and backends, as the library has them."""
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
    """The names of an enumeration and their values, in order."""
    values = [lib.graze_enumeration_value(what, i) for i in range(lib.graze_enumeration_count(what))]
    return {lib.graze_enumeration_name(what, value).decode(): value for value in values}


def descriptions_of(what: Enumeration) -> dict[str, str]:
    """The names of results, stages, counters, methods or backends, and each in words."""
    return {name: (lib.graze_enumeration_description(what, value) or b"").decode()
            for name, value in names_of(what).items()}


def methods() -> dict[str, str]:
    """The methods by which pairs are searched, and a sentence about each."""
    return descriptions_of(Enumeration.METHOD)


def backends() -> dict[str, str]:
    """The backends that there may be, and a sentence about each. A build may lack one."""
    return descriptions_of(Enumeration.BACKEND)


_Member = TypeVar("_Member", bound=IntEnum)


def member_of(kind: type[_Member], name: str, word: str) -> _Member:
    """The enumerator with a name in lower case, of an enumeration whose names the library does not list."""
    try:
        return kind[name.upper()]
    except (KeyError, AttributeError):
        names = ", ".join(entry.name.lower() for entry in kind)
        raise ValueError(f"there is no {word} {name!r}; there are {names}") from None


@lru_cache(maxsize=None)
def value_of(what: Enumeration, name: str | int) -> int:
    """The value of a name; a number, or an enumerator, is its own value.

    Raises
    ------
    ValueError
        There is no such name; the message lists those that there are.
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
    """A CUDA device in words.

    Raises
    ------
    Unsupported, NoDevice
        The library was built without CUDA, or the machine has no such device.
    """
    words = create_string_buffer(256)
    code = lib.graze_cuda_describe(checked(c_int, device, "device"), words, len(words))
    described = words.value.decode("utf-8", "replace")
    if code:  # the words say why
        raise error_of(code, described)
    return described
