"""Tests how the shared libraries are found, and the messages if they are not."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import grazelib as gz


def run_import(library: Path | str) -> subprocess.CompletedProcess[str]:
    """Imports the package in a new process with another GRAZE_LIBRARY."""
    environment = {**os.environ, "GRAZE_LIBRARY": str(library)}
    program = "import grazelib; print(grazelib.library_version(), grazelib.library_path)"
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)


def compiled(folder: Path, source: str) -> Path:
    """A shared library of this source under the name of libgraze."""
    (folder / "fake.c").write_text(source)
    library = folder / "libgraze.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", folder / "fake.c", "-o", library], check=True)
    return library


def test_found_by_file_and_by_folder() -> None:
    for given in (gz.library_path, Path(gz.library_path).parent):
        done = run_import(given)
        assert done.stdout.split()[0] == gz.library_version() and done.returncode == 0, done.stderr


def test_missing(tmp_path: Path) -> None:
    for given in (tmp_path, tmp_path / "libgraze.so"):
        done = run_import(given)
        assert done.returncode == 1 and "LibraryError: GRAZE_LIBRARY is" in done.stderr and "unset it" in done.stderr


def test_not_a_library(tmp_path: Path) -> None:
    (tmp_path / "libgraze.so").write_text("none")
    done = run_import(tmp_path)
    assert done.returncode == 1 and "LibraryError: cannot load" in done.stderr and "make python" in done.stderr


@pytest.mark.parametrize(("source", "message"), [
    ('const char *graze_version(void) { return "0.2.9"; }\n', "has version 0.2.9, and this package needs"),
    ("int other;\n", "is not libgraze"),
    (f'const char *graze_version(void) {{ return "{gz.__version__}"; }}\n', "lacks the function graze_")])
def test_other_version(tmp_path: Path, source: str, message: str) -> None:
    done = run_import(compiled(tmp_path, source))
    assert done.returncode == 1 and message in done.stderr and "LibraryError" in done.stderr


def test_version() -> None:
    assert gz.library_version().split(".")[:2] == gz.__version__.split(".")[:2]


def test_tool() -> None:
    done = subprocess.run([gz.tool_path(), "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("graze ")
