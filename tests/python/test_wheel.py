"""Tests the wheel: built from the libraries of the tests, installed in isolation, and used."""
from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grazelib as gz

ROOT = Path(__file__).resolve().parents[2]
MISSING = [name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name) is None]


@pytest.mark.skipif(bool(MISSING), reason=f"there is no {' '.join(MISSING)}")
def test_wheel(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "python", tmp_path / "python", ignore=shutil.ignore_patterns("__pycache__", "build"))
    shutil.copy(ROOT / "LICENSE", tmp_path)
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "GRAZE_LIBRARY")}
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    offline = ["--no-deps", "--no-index"]
    build = [*pip, "wheel", "--no-build-isolation", *offline, "--wheel-dir", tmp_path, tmp_path / "python"]
    done = subprocess.run(build, env=environment, capture_output=True, text=True)
    assert done.returncode != 0 and "cmake --build --preset shared" in done.stdout + done.stderr
    shared = {**environment, "GRAZE_SHARED_BUILD": str(Path(gz.library_path).parent)}
    subprocess.run(build, env=shared, check=True)
    wheel, = tmp_path.glob("*.whl")
    assert re.fullmatch(rf"graze_collision-{re.escape(gz.__version__)}-py3-none-linux_\w+\.whl", wheel.name)
    installed = tmp_path / "installed"
    subprocess.run([*pip, "install", *offline, "--target", installed, wheel], env=environment, check=True)
    environment["PYTHONPATH"] = str(installed)
    program = "import grazelib; print(grazelib.library_path); print(grazelib.tool_path())"
    found = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True)
    assert all(line.startswith(str(installed)) for line in found.stdout.split())
    version = subprocess.run([found.stdout.split()[1], "--version"], check=True, capture_output=True, text=True)
    assert version.stdout.startswith(f"graze {gz.__version__}")
    example = subprocess.run([sys.executable, ROOT / "python" / "examples" / "first.py"], env=environment, check=True,
                             capture_output=True, text=True)
    assert "12 pairs of triangles intersect" in example.stdout and "0.5 apart" in example.stdout
