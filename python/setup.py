"""Builds the wheel of graze-collision: the Python files, the shared libraries and the tool.

Compiles nothing. The libraries and the tool come from build-shared/ of the source tree, or from the folder
GRAZE_SHARED_BUILD. One wheel supports every Python 3 on an architecture.
"""
from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("GRAZE_SHARED_BUILD", HERE.parent / "build-shared"))


def version() -> str:
    """Returns the project's version from the declarations."""
    stated = re.search(r'^VERSION = "([\d.]+)"', (HERE / "grazelib" / "_functions.py").read_text(), re.MULTILINE)
    assert stated is not None
    return stated[1]


def brought_files() -> list[Path]:
    """Returns the libraries, under their sonames, and the tool."""
    interface = ".".join(version().split(".")[:2])
    files = [BUILD / f"libgraze.so.{interface}", BUILD / f"libgraze_io.so.{interface}", BUILD / "graze"]
    for file in files:
        if not file.is_file():
            raise SystemExit(f"setup.py: there is no {file}. Run 'cmake --preset shared && cmake --build --preset "
                             "shared' in the source tree first, or set GRAZE_SHARED_BUILD")
    return files


class BuildWithLibraries(build_py):
    """Copies the libraries and the tool into the package folder."""

    def run(self) -> None:
        """Builds the package."""
        super().run()
        folder = Path(self.build_lib) / "grazelib"
        for file in brought_files():
            shutil.copy(file, folder / file.name)
        shutil.copy(HERE.parent / "LICENSE", folder / "LICENSE")


class WheelOfAnyPython(bdist_wheel):
    """Tags the wheel for its architecture and for every Python 3."""

    def finalize_options(self) -> None:
        """Marks the wheel as containing machine code."""
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        """Returns py3-none-linux_ARCH."""
        return "py3", "none", super().get_tag()[2]


class WithMachineCode(Distribution):
    """A distribution that is installed into the folder for machine code."""

    def has_ext_modules(self) -> bool:
        """Returns True, as for a distribution with an extension module."""
        return True


setup(
    version=version(),
    packages=["grazelib"],
    package_data={"grazelib": ["py.typed"]},
    distclass=WithMachineCode,
    cmdclass={"build_py": BuildWithLibraries, "bdist_wheel": WheelOfAnyPython},
)
