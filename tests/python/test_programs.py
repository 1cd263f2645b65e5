"""Tests the programs of the package: the measurement of its overhead, and the check on a device."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def test_bench() -> None:
    done = subprocess.run([sys.executable, "-m", "grazelib.bench", "0.02"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr  # 1: the machine was too busy for the aims
    assert "scene.pairs()" in done.stdout and "frame of 99,856 triangles, 3,223 pairs" in done.stdout
    assert "worst overhead of a small call" in done.stdout


def test_device_check_needs_a_device() -> None:
    done = subprocess.run([sys.executable, FOLDER / "device_check.py"], capture_output=True, text=True)
    assert done.returncode in (0, 77), done.stdout + done.stderr
    assert "numpy" in done.stdout and ("skipped: " in done.stdout or "all checks passed" in done.stdout)
