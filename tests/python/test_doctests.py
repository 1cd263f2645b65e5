"""The examples in the docstrings of the package."""
from __future__ import annotations

import doctest
import importlib
import pkgutil

import grazelib


def test_examples() -> None:
    attempted = 0
    for module in pkgutil.iter_modules(grazelib.__path__):
        if module.name == "__main__":
            continue
        result = doctest.testmod(importlib.import_module(f"grazelib.{module.name}"))
        assert result.failed == 0
        attempted += result.attempted
    assert attempted >= 3
