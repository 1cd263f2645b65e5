"""The command-line tool, with which the tests of the Python package compare their answers."""
from __future__ import annotations

import json
import os
import re
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Any

import grazelib as gz


def run(*arguments: Any) -> subprocess.CompletedProcess[str]:
    """Runs the tool; a test fails where the tool reports an error."""
    done = subprocess.run([str(gz.tool_path()), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done


def refusal(*arguments: Any) -> str | None:
    """The message with which the tool refuses; None where it does not."""
    done = subprocess.run([str(gz.tool_path()), *map(str, arguments), "--quiet"], capture_output=True, text=True,
                          check=False)
    return done.stderr.strip().removeprefix("graze: ") if done.returncode == 2 else None


def check(*arguments: Any) -> tuple[dict[str, Any], str]:
    """The JSON of ``graze check``, and its words."""
    done = run("check", *arguments, "--json", "-")
    return json.loads(done.stdout), done.stderr


@lru_cache(maxsize=None)
def models() -> list[str]:
    """The built-in models; scenes that move, and those that need a file, are left out."""
    listed = run("make", "--list").stdout.split("\nMoving scenes:", 1)[0]
    names = re.findall(r"^  ([a-z][a-z-]*) ", listed, re.MULTILINE)
    assert len(names) > 25
    return [name for name in names if name != "filled"]


def make(folder: Path, model: str, primitives: int) -> str:
    """Writes a model; returns its file."""
    before = set(folder.iterdir())
    run("make", model, "--primitives", primitives, "--output", f"{folder}/", "--quiet")
    (written,) = set(folder.iterdir()) - before
    return str(written)


def data_files(*folders: str, most_bytes: int = 1 << 62) -> list[str]:
    """Mesh files of the folder GRAZE_DATA; none where that is not set."""
    root = os.environ.get("GRAZE_DATA")
    endings = tuple(form.ending for form in gz.formats())
    files = [path for folder in folders if root for path in sorted((Path(root) / folder).iterdir())]
    return [str(path) for path in files
            if path.stat().st_size <= most_bytes and path.name.removesuffix(".gz").endswith(endings)]
