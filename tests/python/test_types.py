"""The type hints of the package, checked by mypy."""
from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(which("mypy") is None, reason="there is no mypy")
def test_mypy_strict(tmp_path: Path) -> None:
    command = ["mypy", "--strict", f"--cache-dir={tmp_path}", "python/grazelib", "scripts/python_declarations.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
