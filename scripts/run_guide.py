#!/usr/bin/env python3
"""Runs the commands of guide pages and compares their output with the pages.

usage: scripts/run_guide.py [--update] TOOL PAGE...

TOOL is the program graze. The blocks of a page run from top to bottom in one folder, which contains only the scene files of docs/:

- A block marked sh contains commands. A block marked text directly after it is their output.
- A block whose first line begins with "$ " contains commands, each with its output.
- The output of a command without lines below it is not checked.
- A line "..." of an expected output stands for any lines. Times are compared as words, not as numbers.
- A block marked c must be part of a program in docs/, which a test compiles and runs.
- The comment <!-- not run: REASON --> on the line before a block skips it.

The exit status must be 0; a command of graze may also return 1, which means that something intersects. --update writes the
outputs into the pages, except outputs with a line "...".
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SKIPPED = re.compile(r"<!-- not run: .+ -->")
SECONDS = 120


@dataclass
class Block:
    """A fenced block: its language, its lines, and their place in the page."""

    language: str
    lines: list[str]
    first: int  # the index of the first line between the fences
    skipped: bool


def blocks_of(lines: list[str]) -> list[Block]:
    """Returns all fenced blocks of a page."""
    found: list[Block] = []
    number = 0
    while number < len(lines):
        if not lines[number].startswith("```"):
            number += 1
            continue
        end = lines.index("```", number + 1)
        before = lines[number - 1] if number > 0 else ""
        found.append(Block(lines[number][3:].strip(), lines[number + 1:end], number + 1, bool(SKIPPED.fullmatch(before))))
        number = end + 1
    return found


def commands_of(lines: list[str]) -> list[str]:
    """Returns the commands of a block; a backslash at the end of a line continues it."""
    return [line for line in "\n".join(lines).replace("\\\n", "").split("\n") if line and not line.startswith("#")]


def run(command: str, folder: str, environment: dict[str, str]) -> tuple[list[str], str]:
    """Returns the output of a command, and an error if its status is wrong."""
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=SECONDS)
    allowed = (0, 1) if "graze " in command else (0,)
    wrong = "" if done.returncode in allowed or "echo $?" in command else f"status {done.returncode}"
    return [line.rstrip() for line in done.stdout.splitlines()], wrong


def comparable(line: str) -> str:
    """Returns a line without times and with single spaces, because the width of columns depends on the times."""
    return re.sub(r" +", " ", re.sub(r"\b\d[\d.,]* (ns|us|ms|s)\b", "TIME", line.rstrip()))


def matches(expected: list[str], printed: list[str]) -> bool:
    """Returns whether the output matches the page."""
    pattern = "".join("(?:.*\n)*" if line.strip() == "..." else re.escape(comparable(line)) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(comparable(line) + "\n" for line in printed)) is not None


def transcript(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Returns the commands after "$ ", each with the output below it."""
    entries: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            entries.append((line[2:], []))
        else:
            entries[-1][1].append(line)
    return entries


class Page:
    """A page whose blocks run in their own folder."""

    def __init__(self, path: Path, tool: Path, update: bool):
        self.path, self.update = path, update
        self.lines = path.read_text().split("\n")
        self.environment = os.environ | {"PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        self.errors: list[str] = []
        self.count = 0
        self.changes: list[tuple[int, int, list[str]]] = []  # first and end of the lines to replace, and by what

    def fail(self, block: Block, text: str) -> None:
        self.errors.append(f"{self.path}:{block.first}: {text}")

    def compare(self, block: Block, command: str, expected: list[str], printed: list[str]) -> bool:
        """Records a difference; returns whether there is one to update."""
        if matches(expected, printed):
            return False
        if not self.update:
            self.fail(block, f"{command}\n  the page shows:\n    " + "\n    ".join(expected) + "\n  it prints:\n    " + "\n    ".join(printed))
        return "..." not in (line.strip() for line in expected)

    def run_commands(self, block: Block, after: Block | None, folder: str) -> None:
        printed: list[str] = []
        for command in commands_of(block.lines):
            self.count += 1
            output, wrong = run(command, folder, self.environment)
            printed += output
            if wrong:
                self.fail(block, f"{command}: {wrong}\n    " + "\n    ".join(output))
        follows = after is not None and after.language == "text" and after.first - (block.first + len(block.lines)) in (2, 3)
        if after is not None and follows and self.compare(block, "; ".join(block.lines), after.lines, printed):
            self.changes.append((after.first, after.first + len(after.lines), printed))

    def run_transcript(self, block: Block, folder: str) -> None:
        rewritten: list[str] = []
        differs = False
        for command, expected in transcript(block.lines):
            self.count += 1
            printed, wrong = run(command, folder, self.environment)
            if wrong:
                self.fail(block, f"{command}: {wrong}\n    " + "\n    ".join(printed))
            change = expected != [] and self.compare(block, command, expected, printed)
            differs = differs or change
            rewritten += ["$ " + command] + (printed if change else expected)
        if differs:
            self.changes.append((block.first, block.first + len(block.lines), rewritten))

    def check_program(self, block: Block) -> None:
        snippet = "\n".join(block.lines) + "\n"
        self.count += 1
        if not any(snippet in program.read_text() for program in sorted((ROOT / "docs").glob("*.c"))):
            self.fail(block, "these lines are not part of a program in docs/:\n" + snippet)

    def run(self) -> None:
        found = blocks_of(self.lines)
        with tempfile.TemporaryDirectory() as folder:
            for example in (ROOT / "docs").glob("*.json"):
                shutil.copy(example, folder)
            for number, block in enumerate(found):
                after = found[number + 1] if number + 1 < len(found) else None
                if block.skipped:
                    continue
                if block.language == "sh":
                    self.run_commands(block, after, folder)
                elif block.language == "c":
                    self.check_program(block)
                elif block.lines and block.lines[0].startswith("$ "):
                    self.run_transcript(block, folder)
        for first, end, lines in reversed(self.changes) if self.update else ():
            self.lines[first:end] = lines
        if self.update and self.changes:
            self.path.write_text("\n".join(self.lines))


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    if len(arguments) < 2:
        print("usage: scripts/run_guide.py [--update] TOOL PAGE...", file=sys.stderr)
        return 2
    failed = 0
    for path in map(Path, arguments[1:]):
        page = Page(path, Path(arguments[0]).resolve(), "--update" in sys.argv)
        page.run()
        failed += len(page.errors)
        print(f"{path}: {page.count} commands and snippets" + (f", {len(page.errors)} wrong" if page.errors else ""))
        for error in page.errors:
            print(error)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
