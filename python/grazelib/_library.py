"""Finds and loads libgraze and libgraze_io.

The search, in this order:

1. ``GRAZE_LIBRARY``, a file or a folder. If it is set, nothing else is tried.
2. The folder of this package: wheels contain the libraries.
3. ``build-shared/`` of the source tree, for use without installation.
4. The search path of the dynamic linker.

Both libraries must have the major and minor version of this package, which identify the binary interface until 1.0.
"""
from __future__ import annotations

import os
from ctypes import CDLL
from functools import lru_cache
from pathlib import Path

from ._functions import PROTOTYPES, VERSION

INTERFACE = ".".join(VERSION.split(".")[:2])
PACKAGE = Path(__file__).resolve().parent
BUILD_TREE = PACKAGE.parent.parent / "build-shared"


class LibraryError(ImportError):
    """A shared library is missing, cannot be loaded, or has another version."""


def _file_in(folder: Path, stem: str) -> Path | None:
    """Returns the file of a library in a folder, or None."""
    for name in (f"{stem}.so.{INTERFACE}", f"{stem}.so"):
        if (folder / name).is_file():
            return folder / name
    return None


def _locate() -> str:
    """Returns the path of libgraze, or its name for the dynamic linker."""
    given = os.environ.get("GRAZE_LIBRARY")
    if given:
        path = Path(given)
        found = _file_in(path, "libgraze") if path.is_dir() else path
        if found is None or not found.is_file():
            raise LibraryError(f"GRAZE_LIBRARY is '{given}', and there is no libgraze.so. Set it to the file or to its "
                               "folder, or unset it")
        return str(found.resolve())
    for folder in (PACKAGE, BUILD_TREE):
        found = _file_in(folder, "libgraze")
        if found is not None:
            return str(found)
    return f"libgraze.so.{INTERFACE}"


def _open(path: str) -> CDLL:
    """Loads a library; on failure, raises an exception that states the remedy."""
    try:
        return CDLL(path)
    except OSError as error:
        raise LibraryError(
            f"cannot load {path}: {error}. Install a wheel of graze-collision, or run 'make python' in the source tree "
            f"of graze, or set GRAZE_LIBRARY to the folder of libgraze.so.{INTERFACE}") from None


def _declare(library: CDLL, path: str, io: bool) -> None:
    """Sets the types of the library's functions."""
    for name, (result, parameters) in PROTOTYPES.items():
        if name.startswith("graze_io_") == io:
            try:
                function = getattr(library, name)
            except AttributeError:
                raise LibraryError(f"{path} lacks the function {name}, which version {VERSION} has. Rebuild the "
                                   "library with 'make python', or install a wheel of graze-collision") from None
            function.restype = result
            function.argtypes = parameters


def _load() -> tuple[CDLL, str]:
    """Loads libgraze and checks its version."""
    path = _locate()
    library = _open(path)
    try:
        version_of = library.graze_version
    except AttributeError:
        raise LibraryError(f"{path} is not libgraze: it has no function graze_version. Set GRAZE_LIBRARY to the folder "
                           f"of libgraze.so.{INTERFACE}") from None
    version_of.restype = PROTOTYPES["graze_version"][0]
    version = version_of().decode()
    if version.split(".")[:2] != INTERFACE.split("."):
        raise LibraryError(f"{path} has version {version}, and this package needs {INTERFACE}.x. Install the wheel of "
                           "graze-collision of that version, or set GRAZE_LIBRARY to another library")
    _declare(library, path, io=False)
    return library, path


lib, library_path = _load()


@lru_cache(maxsize=None)
def io_lib() -> CDLL:
    """Returns libgraze_io, which reads and writes mesh files; it is in the folder of libgraze."""
    beside = _file_in(Path(library_path).parent, "libgraze_io")
    path = str(beside) if beside is not None else f"libgraze_io.so.{INTERFACE}"
    library = _open(path)
    _declare(library, path, io=True)
    return library


def tool_path() -> Path:
    """Returns the path of the command-line tool ``graze`` in the folder of libgraze.

    Raises
    ------
    LibraryError
        There is none.
    """
    path = Path(library_path).parent / "graze"
    if not path.is_file():
        raise LibraryError(f"there is no tool {path}. Wheels of graze-collision and 'make python' install it")
    return path


def library_version() -> str:
    """Returns the version of the loaded library, "major.minor.patch"."""
    version: bytes = lib.graze_version()
    return version.decode()
