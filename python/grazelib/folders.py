"""Every mesh file of a folder by itself, as a table: ``graze check FOLDER --each``, which the tool runs."""
from __future__ import annotations

import importlib
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

from ._errors import GrazeError
from ._library import tool_path

COLUMNS = ("file", "verdict", "kind", "vertices", "primitives", "pairs", "regions", "open_edges", "non_manifold_edges",
           "zero_area_triangles", "duplicate_triangles", "hash", "trouble")


class FolderCheck(Sequence[dict[str, Any]]):
    """A row for each file, with the columns of ``graze check --each``. ``print`` gives the tool's table.

    Rows are dictionaries. Those of files that cannot be read have ``trouble``, the reason, in place of numbers.
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
        """The rows as a DataFrame of pandas."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise ImportError("to_dataframe needs pandas: install it, or use the rows") from None
        return pandas.DataFrame([{name: row.get(name) for name in COLUMNS} for row in self.rows], columns=list(COLUMNS))


def check_folder(*paths: str | os.PathLike[str], weld: bool = False, neighbors: str | None = None, threads: int = 0,
                 allow_large: bool = False) -> FolderCheck:
    """Checks each mesh file by itself: its pairs, its clashes, and the defects of surfaces.

    Parameters
    ----------
    *paths
        Folders, which stand for their mesh files and those of the folders in them; or files.
    weld : bool
        Joins vertices at the same place.
    neighbors : str, optional
        "skip" or "beyond"; see ``check``.
    threads : int
        0: one for each processor.
    allow_large : bool
        Reads compressed files that expand more than a hundredfold.
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
        raise GrazeError(run.stderr.strip().removeprefix("graze: ") or "the tool has checked nothing")
    return FolderCheck(json.loads(run.stdout)["files"], run.stderr.strip())
