#!/usr/bin/env python3
"""Checks the links of all documents: every linked file and heading exists.

usage: scripts/check_links.py [FOLDER]      the root of the repository (default: that of this script)
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def anchors_of(path: Path) -> set[str]:
    """Returns the anchors of a page: its headings, and explicit anchors."""
    text = FENCED.sub("", path.read_text())
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    named = re.findall(r'<a id="([^"]+)">', text) + re.findall(r"^\(([\w-]+)\)=$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings} | set(named)


def wrong_links(page: Path) -> list[str]:
    """Returns the errors in the links of a page."""
    found = []
    for target, anchor in LINK.findall(FENCED.sub("", page.read_text())):
        if "://" in target or target.startswith("mailto:"):
            continue
        path = page.parent / target if target else page
        if not path.exists():
            found.append(f"{target}: there is no such file")
        elif anchor and path.suffix == ".md" and anchor not in anchors_of(path):
            found.append(f"{target}#{anchor}: there is no such heading")
    return found


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    pages = sorted((root / "docs").rglob("*.md")) + [root / "README.md", root / "CHANGELOG.md"]
    errors = [f"{page.relative_to(root)}: {error}" for page in pages for error in wrong_links(page)]
    # Every page of docs/ must be in a table of contents of the site.
    listed = (root / "docs" / "index.md").read_text().split()
    for page in pages:
        name = page.relative_to(root).as_posix()
        if name.startswith("docs/") and name != "docs/index.md" and name[5:-3] not in listed:
            errors.append(f"docs/index.md: does not list {name}")
    print("\n".join(errors) if errors else f"check_links.py: the links of {len(pages)} pages are correct")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
