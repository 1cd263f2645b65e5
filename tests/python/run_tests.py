"""Runs a test file with pytest for ctest; prints "skipped" if numpy or pytest is missing.

usage: run_tests.py FILE...
"""
from __future__ import annotations

import importlib
import sys


def main(files: list[str]) -> int:
    """Runs the files; returns the exit status."""
    for module in ("numpy", "pytest"):
        try:
            importlib.import_module(module)
        except ImportError:
            print(f"skipped: {sys.executable} has no {module}")
            return 0
    import pytest
    return int(pytest.main(["-q", "-p", "no:cacheprovider", *files]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
