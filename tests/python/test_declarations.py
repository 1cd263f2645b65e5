"""Compares the ctypes declarations with the headers: all functions, and the layout of all structs by a C compiler."""
from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from enum import IntEnum
from pathlib import Path
from shutil import which

import pytest

from grazelib import _declarations, _enumerations
from grazelib._functions import PROTOTYPES, VERSION

ROOT = Path(__file__).resolve().parents[2]
HEADERS = sorted((ROOT / "include" / "graze").glob("*.h"))
TEXT = "".join(header.read_text() for header in HEADERS)
PACKAGE = ROOT / "python" / "grazelib"

# Memory and tasks of a host are called from many threads in inner loops, which Python cannot serve well. Timings and
# counters are read as fields; an exception has the words of its result.
NOT_WRAPPED = {"graze_allocator_init", "graze_task_system_init", "graze_result_text", "graze_timings_value",
               "graze_counters_value",
               # The lists of the package keep their pairs: they find pairs, then measure them.
               "graze_scene_find_contacts", "graze_scene_find_distances",
               # Search structures are for pictures of the method at work, which the viewer draws.
               "graze_scene_inspect", "graze_structure_free", "graze_inspect_options_init"}


def test_files_are_up_to_date() -> None:
    script = ROOT / "scripts" / "python_declarations.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_version_is_the_projects() -> None:
    assert f"project(graze VERSION {VERSION} " in (ROOT / "CMakeLists.txt").read_text()


def test_every_function_is_declared() -> None:
    marked = re.findall(r"^GRAZE_API\s[^;(]*?(graze_\w+)\(", TEXT, re.MULTILINE)
    assert len(marked) == len(re.findall(r"^GRAZE_API ", TEXT, re.MULTILINE))
    assert set(PROTOTYPES) == set(marked)


def test_every_function_is_used() -> None:
    """What is declared is wrapped: its name is in a file of the package beside the declarations."""
    source = "".join(path.read_text() for path in PACKAGE.glob("*.py") if path.name != "_functions.py")
    makers = re.findall(r"default\((?:\w+\.)?([A-Z]\w+)\)", source)
    made = {f"graze_{re.sub('(?<!^)(?=[A-Z])', '_', name).lower()}_init" for name in makers}
    missing = {name for name in PROTOTYPES if not re.search(rf"\b{name}\b", source)} - made
    assert missing == NOT_WRAPPED


def structs() -> dict[str, type[ctypes.Structure]]:
    """All structs that are declared, by their name in C."""
    found = {}
    for value in vars(_declarations).values():
        if isinstance(value, type) and issubclass(value, _declarations.Struct) and value is not _declarations.Struct:
            assert value.__doc__ is not None
            found[value.__doc__.rstrip(".")] = value
    return found


def compile_and_run(folder: Path, body: str) -> list[str]:
    """Runs a C program that includes all headers; returns the words of its output."""
    (folder / "graze").mkdir()
    (folder / "graze" / "version.h").write_text("")
    includes = "".join(f'#include "graze/{header.name}"\n' for header in HEADERS)
    source = folder / "layout.c"
    source.write_text(f"#include <stddef.h>\n#include <stdio.h>\n{includes}int main(void) {{\n{body}  return 0;\n}}\n")
    program = folder / "layout"
    command = [os.environ.get("CC", "cc"), "-std=c17", f"-I{ROOT / 'include'}", f"-I{folder}", source, "-o", program]
    subprocess.run(command, check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()


def test_every_struct_is_declared() -> None:
    assert set(structs()) == set(re.findall(r"typedef struct (graze_\w+) \{", TEXT))


def test_layout_of_structs(tmp_path: Path) -> None:
    body = ""
    expected: list[tuple[str, int]] = []
    for name, struct in structs().items():
        body += f'  printf("%zu\\n", sizeof({name}));\n'
        expected.append((name, ctypes.sizeof(struct)))
        for field in struct._fields_:
            body += f'  printf("%zu %zu\\n", offsetof({name}, {field[0]}), sizeof((({name} *)0)->{field[0]}));\n'
            descriptor = getattr(struct, field[0])
            expected.append((f"{name}.{field[0]}: offset", descriptor.offset))
            expected.append((f"{name}.{field[0]}: size", descriptor.size))
    found = [int(word) for word in compile_and_run(tmp_path, body)]
    assert [(name, value) for (name, _), value in zip(expected, found)] == expected
    assert len(expected) > 500


def test_values_of_enumerators(tmp_path: Path) -> None:
    """Each enumerator of the headers has its value, whatever its short name is."""
    values = sorted(value for item in vars(_enumerations).values()
                    if isinstance(item, type) and issubclass(item, IntEnum) and item is not IntEnum for value in item)
    command = [os.environ.get("CC", "cc"), "-E", "-P", "-x", "c", f"-I{ROOT / 'include'}", f"-I{tmp_path}", "-"]
    (tmp_path / "graze").mkdir()
    (tmp_path / "graze" / "version.h").write_text("")
    source = "".join(f'#include "graze/{header.name}"\n' for header in HEADERS)
    text = subprocess.run(command, input=source, check=True, capture_output=True, text=True).stdout
    found = [int(value) for body in re.findall(r"typedef enum graze_\w+ \{(.*?)\}", text, re.DOTALL)
             for value in re.findall(r"GRAZE_\w+\s*=\s*(\d+)", body)]
    assert values == sorted(found)


@pytest.mark.parametrize(("name", "short", "value"), [
    ("GRAZE_KIND_SPHERE", "Kind.SPHERE", 4), ("GRAZE_STOPPED", "Result.STOPPED", 13),
    ("GRAZE_SIMD_256", "Simd.WIDTH_256", 3), ("GRAZE_NEAREST_OF_ALL", "NearestScope.OF_ALL", 2),
    ("GRAZE_FORMAT_UINT64_4", "Format.UINT64_4", 15)])
def test_names_of_enumerators(name: str, short: str, value: int) -> None:
    kind, entry = short.split(".")
    assert getattr(_enumerations, kind)[entry] == value


@pytest.mark.skipif(which("clang") is None, reason="there is no clang")
@pytest.mark.parametrize("machine", ["aarch64", "x86_64"])
def test_layout_on_both_machines(tmp_path: Path, machine: str) -> None:
    """The same layout for both architectures: assertions that clang checks without running anything."""
    (tmp_path / "graze").mkdir()
    (tmp_path / "graze" / "version.h").write_text("")
    source = "#include <stddef.h>\n" + "".join(f'#include "graze/{header.name}"\n' for header in HEADERS)
    for name, struct in structs().items():
        source += f'_Static_assert(sizeof({name}) == {ctypes.sizeof(struct)}, "{name}");\n'
        for field in struct._fields_:
            offset = getattr(struct, field[0]).offset
            source += f'_Static_assert(offsetof({name}, {field[0]}) == {offset}, "{name}.{field[0]}");\n'
    command = ["clang", f"--target={machine}-linux-gnu", "-std=c17", "-ffreestanding", "-fsyntax-only", "-x", "c",
               f"-I{ROOT / 'include'}", f"-I{tmp_path}", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
