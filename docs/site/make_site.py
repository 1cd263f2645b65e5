"""Builds the site of the documents, one folder of static HTML: guide, reference, theory and laboratory notes.

usage: make_site.py SOURCE BUILD VERSION DOXYGEN

SOURCE is the root of the repository. BUILD is a folder that has man/*.N, as scdoc writes them, and Doxyfile, which writes
xml/. The site goes to BUILD/site. A warning of Doxygen or Sphinx fails the build. Needs mandoc, Sphinx, MyST, Breathe and
Furo, and no network.
"""
from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# Header, title of its page. Every public header has to be here.
HEADERS = {
    "graze.h": "Scenes, objects, queries and pairs",
    "shape.h": "Shapes shared by objects",
    "host.h": "Results, memory, threads and backends",
    "names.h": "Names of enumerations",
    "methods.h": "Methods and their options",
    "costs.h": "Stages and counters",
    "contacts.h": "Contacts and forces",
    "distances.h": "Distances of pairs",
    "nearest.h": "Least distances",
    "batch.h": "Batches of poses and configurations",
    "regions.h": "Regions, curves and depths",
    "containment.h": "Objects inside others",
    "inspect.h": "Search structures",
    "packing.h": "Sphere packings",
    "sphere_tree.h": "Sphere trees",
    "cuda.h": "Arrays on a CUDA device",
    "io.h": "Mesh files",
    "triangle.h": "Two triangles without a scene",
    "convex.h": "Two convex bodies without a scene",
}


def write(path: Path, text: str) -> None:
    """Writes a file that has another text, so that Sphinx reads again only what changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def link(path: Path, target: Path) -> None:
    """A symbolic link, made anew."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        path.unlink()
    path.symlink_to(target)


def write_reference(folder: Path, headers: Path, xml: Path) -> None:
    """A page for each public header. Sphinx reads it again when the digest of Doxygen's output changes."""
    text = "".join(path.read_text() for path in sorted(xml.glob("*.xml")))
    declared = {name for path in headers.glob("*.h") for name in re.findall(r"^GRAZE_API [^(]*?(\w+)\(", path.read_text(), re.MULTILINE)}
    missing = sorted(name for name in declared if f"<name>{name}</name>" not in text)
    if missing:
        sys.exit(f"make_site.py: Doxygen does not list {', '.join(missing)}")
    digest = hashlib.sha256(text.encode()).hexdigest()
    found = {path.name for path in headers.glob("*.h")}
    if found != set(HEADERS):
        sys.exit(f"make_site.py: these headers are not in its table, or not in include/graze: {found ^ set(HEADERS)}")
    names = "\n".join(f"   {Path(header).stem}" for header in HEADERS)
    write(folder / "index.rst",
          "C interface\n===========\n\nOne page for each public header, in C17 and equally valid as C++. "
          "``#include <graze/graze.h>`` includes results, methods and costs.\n"
          "The conventions of all calls are in :doc:`/reference/api`.\n\n.. toctree::\n   :maxdepth: 1\n\n" + names + "\n")
    for header, title in HEADERS.items():
        heading = f"{title}: graze/{header}"
        write(folder / f"{Path(header).stem}.rst",
              f"{heading}\n{'=' * len(heading)}\n\n.. doxygenfile:: {header}\n"
              f"   :sections: briefdescription detaileddescription define enum typedef struct innerclass public-attrib func\n\n.. Doxygen: {digest}\n")


def write_manual(folder: Path, pages: list[Path]) -> None:
    """The man pages as HTML, their headings one level below that of the page."""
    names = "\n".join(page.stem for page in pages)
    write(folder / "index.md", "# Man pages\n\n```{toctree}\n:maxdepth: 1\n\n" + names + "\n```\n")
    for page in pages:
        html = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", page], check=True, capture_output=True, text=True).stdout
        html = re.sub(r'<table class="(head|foot)">.*?</table>', "", html, flags=re.DOTALL)
        for level in (2, 1):
            html = re.sub(rf"(</?h){level}\b", rf"\g<1>{level + 1}", html)
        lines = [line.rstrip() for line in html.splitlines()]
        write(folder / f"{page.stem}.md", f"# {page.stem}({page.suffix[1:]})\n\n````{{raw}} html\n" + "\n".join(lines) + "\n````\n")


def main() -> None:
    source, build, version, doxygen = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3], sys.argv[4]
    subprocess.run([doxygen, str(build / "Doxyfile")], check=True)

    # Sphinx reads one folder: links to the pages as they are, beside the pages that are made.
    stage = build / "site_source" / "docs"
    stage.mkdir(parents=True, exist_ok=True)
    for path in sorted((source / "docs").iterdir()):
        if path.name not in ("CMakeLists.txt", "man"):
            link(stage / path.name, path)
    for name in ("CHANGELOG.md", "abi", "bench"):
        link(stage.parent / name, source / name)
    (stage / "file_map.md").unlink(missing_ok=True)
    write(stage / "file_map.md", subprocess.run([source / "scripts" / "file_map.sh"], check=True, capture_output=True, text=True).stdout)
    write_reference(stage / "c", source / "include" / "graze", build / "xml")
    write_manual(stage / "manual", sorted((build / "man").glob("*.[1-9]")))

    environment = os.environ | {"GRAZE_VERSION": version, "GRAZE_DOXYGEN_XML": str(build / "xml")}
    site = build / "site"
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2", "-b", "html", "-c", str(source / "docs" / "site"),
                    "-d", str(build / "site_cache"), str(stage), str(site)], check=True, env=environment)
    shutil.copytree(source / "docs" / "schema", site / "schema", dirs_exist_ok=True)
    print(f"make_site.py: {site}/index.html")


if __name__ == "__main__":
    main()
