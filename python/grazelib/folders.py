"""Checks every mesh file of a folder on its own, with the tool's ``graze check FOLDER --each``."""
from __future__ import annotations

import importlib
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

from ._errors import GrazeError
from ._library import tool_path

COLUMNS = ("file", "verdict", "kind", "vertices", "primitives", "skipped", "pairs", "clashes", "open_edges",
           "non_manifold_edges", "zero_area_triangles", "duplicate_triangles", "hash", "trouble")


class FolderCheck(Sequence[dict[str, Any]]):
    """A row for each file, with the columns of ``graze check --each``. ``print`` shows the tool's table.

    Rows are dictionaries. Rows of unreadable files have the reason as ``trouble`` instead of numbers.
    """

    def __init__(self, rows: list[dict[str, Any]], words: str) -> None:
        self.rows = rows
        self._words = words

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, item: Any) -> Any:
        return self.rows[item]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    @property
    def bad(self) -> list[str]:
        """The files that intersect themselves or cannot be read."""
        return [row["file"] for row in self.rows if row["verdict"] in ("intersects", "unreadable")]

    def __str__(self) -> str:
        return self._words

    def __repr__(self) -> str:
        return f"<FolderCheck: {len(self)} files, {len(self.bad)} bad>"

    def to_dataframe(self) -> Any:
        """Returns the rows as a pandas DataFrame."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise ImportError("to_dataframe needs pandas: install it, or use the rows") from None
        return pandas.DataFrame([{name: row.get(name) for name in COLUMNS} for row in self.rows], columns=list(COLUMNS))


def check_folder(*paths: str | os.PathLike[str], weld: bool = False, neighbors: str | None = None, threads: int = 0,
                 allow_large: bool = False) -> FolderCheck:
    """Checks each mesh file on its own: pairs, clashes, and surface defects.

    Parameters
    ----------
    *paths
        Folders, which are searched recursively for mesh files; or files.
    weld : bool
        Merges vertices with equal coordinates.
    neighbors : str, optional
        "skip" or "beyond"; see ``check``.
    threads : int
        0: one for each processor.
    allow_large : bool
        Reads compressed files of any expanded size.
    """
    if not paths:
        raise TypeError("check_folder needs a folder")
    for path in paths:
        if not os.path.exists(path):
            raise FileNotFoundError(f"there is no folder or file {os.fspath(path)}")
    options = ["--weld"] * weld + ["--allow-large"] * allow_large
    if neighbors is not None:
        options.append(f"--neighbors={neighbors}")
    if threads:
        options.append(f"--threads={threads}")
    files = [os.path.join(".", path) if os.fspath(path).startswith("-") else os.fspath(path) for path in paths]
    run = subprocess.run([str(tool_path()), "check", "--each", "--json", "-", *options, *files], capture_output=True,
                         text=True, errors="replace", check=False)
    if not run.stdout:
        raise GrazeError(run.stderr.strip().removeprefix("graze: ") or "the tool returned no result")
    return FolderCheck(json.loads(run.stdout)["files"], run.stderr.strip())
