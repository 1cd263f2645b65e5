"""Runs every Python block of the guide and of README.md, and compares its output with the text below it.

The blocks of a page share one namespace and one folder, from top to bottom. Lines of "sh" blocks are commands of the tool.
Blocks marked "python gpu" run if the library finds a CUDA device, and "python torch" if PyTorch is also installed. Run
this file to update the outputs in the pages.
"""
from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import graze_tool
import grazelib as gz
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / page for page in ("guide/python.md", "guide/python_scenes.md", "guide/contacts.md", "guide/analyze.md",
                                           "reference/python.md")]
PAGES.append(ROOT / "README.md")
BLOCK = re.compile(r"^```(python gpu|python torch|python|sh|text)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def has_cuda() -> bool:
    """Whether blocks for the GPU can run."""
    try:
        gz.describe_cuda()
    except gz.GrazeError:
        return False
    return True


def blocks_of(page: Path) -> Iterator[tuple[int, str, str, str | None]]:
    """Line, kind, code and expected output of the blocks of a page that run: the text that follows a block, if any."""
    text = page.read_text()
    found = list(BLOCK.finditer(text))
    for number, block in enumerate(found):
        kind, code = block.groups()
        after = found[number + 1] if number + 1 < len(found) else None
        follows = after is not None and after[1] == "text" and text[block.end():after.start()].strip() == ""
        if kind.startswith("python") or (kind == "sh" and code.startswith(("graze ", "mkdir -p "))):
            yield text.count("\n", 0, block.start()) + 1, kind, code, after[2] if after and follows else None


def run_commands(code: str) -> None:
    """Runs the commands of a block: those of the tool, and mkdir -p."""
    for line in code.splitlines():
        words = shlex.split(line)
        if words[:2] == ["mkdir", "-p"]:
            Path(words[2]).mkdir(parents=True, exist_ok=True)
            continue
        assert words[0] == "graze"
        graze_tool.run(*words[1:])


def run_page(page: Path) -> Iterator[tuple[int, str, str | None]]:
    """Runs the blocks of a page in this folder; line, output and expected output of each."""
    names: dict[str, object] = {"__name__": "guide"}
    for line, kind, code, expected in blocks_of(page):
        if kind == "sh":
            run_commands(code)
            continue
        if kind in ("python gpu", "python torch") and not has_cuda():
            continue
        if kind == "python torch" and importlib.util.find_spec("torch") is None:
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + code, str(page), "exec"), names)
        yield line, printed.getvalue(), expected


def without_times(text: str) -> str:
    """The text with times left out, which differ from run to run."""
    return re.sub(r"\d[\d.,]* m?s\b", "TIME", text)


@pytest.mark.parametrize("page", PAGES, ids=[f"{page.parent.name}-{page.name}" for page in PAGES])
def test_blocks(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    count = 0
    for line, printed, expected in run_page(page):
        count += 1
        assert without_times(printed) == without_times(expected or ""), f"{page.name}, block at line {line}"
    assert count >= (3 if page.name.startswith("python") else 1)


def update(page: Path) -> None:
    """Writes the outputs into the page."""
    outputs = {line: printed for line, printed, expected in run_page(page) if expected is not None}
    text, pieces, last, printed = page.read_text(), [], 0, None
    for block in BLOCK.finditer(text):
        if block[1] == "text" and printed is not None:
            pieces += [text[last:block.start(2)], printed]
            last = block.end(2)
        printed = outputs.get(text.count("\n", 0, block.start()) + 1)
    page.write_text("".join(pieces) + text[last:])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for each in PAGES if len(sys.argv) < 2 else map(Path, sys.argv[1:]):
            update(each)
