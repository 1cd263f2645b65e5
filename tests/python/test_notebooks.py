"""Executes the notebooks of docs/notebooks, and compares their output with the stored outputs.

Run this file to execute them and store the outputs.
"""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs" / "notebooks").glob("*.ipynb"))
MOST_BYTES = 300_000


def execute(path: Path, folder: Path) -> Any:
    """The notebook with the outputs of a run in this folder."""
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                            resources={"metadata": {"path": str(folder)}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    return notebook


def words_of(notebook: Any) -> list[str]:
    """What the cells print and return as text, without times and sizes of files."""
    words = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            words.append(re.sub(r"\d[\d.]* m?s\b|, \d+ bytes", "", text))
    return words


def pictures_of(notebook: Any) -> int:
    """How many pictures there are."""
    return sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", ()))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebook(path: Path, tmp_path: Path) -> None:
    kept = nbformat.read(path, as_version=4)
    nbformat.validate(kept)
    assert path.stat().st_size < MOST_BYTES
    fresh = execute(path, tmp_path)
    assert words_of(fresh) == words_of(kept)
    assert pictures_of(fresh) == pictures_of(kept) >= 2


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3


if __name__ == "__main__":
    import tempfile
    for each in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as work:
            nbformat.write(execute(each, Path(work)), each)
