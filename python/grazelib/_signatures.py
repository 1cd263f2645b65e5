"""Signatures of functions with ``**options``, for type checkers, editors and ``help``."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def takes(template: Callable[P, object]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Gives a function the parameters of a template, which is never called. Calls of the function take no longer."""
    def mark(function: Callable[..., R]) -> Callable[P, R]:
        marked: Any = function
        returned = inspect.signature(function).return_annotation
        marked.__signature__ = inspect.signature(template).replace(return_annotation=returned)
        return function
    return mark
