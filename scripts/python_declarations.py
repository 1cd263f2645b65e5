#!/usr/bin/env python3
"""Generates _enumerations.py, _declarations.py and _functions.py of python/grazelib from the headers of include/graze.

usage: scripts/python_declarations.py [--check] [--functions]

  --check      writes nothing; fails if a file differs from the headers
  --functions  prints the name of each public function instead

The C preprocessor expands the headers, including the lists of enumerators and fields. A few patterns parse the result:
enumerations, structs, opaque structs, function types, and functions marked GRAZE_API. Anything else is an error.
Requires Python 3.11 and a C compiler (CC, by default cc).
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "python" / "grazelib"
API_MARK = '__attribute__((visibility("default")))'
IDENTIFIER = r"[A-Za-z_]\w*"

SCALARS = {
    "size_t": "c_size_t", "ptrdiff_t": "c_ssize_t", "uint8_t": "c_uint8", "uint32_t": "c_uint32",
    "uint64_t": "c_uint64", "int64_t": "c_int64", "int": "c_int", "double": "c_double", "_Bool": "c_bool",
    "bool": "c_bool", "void": "None",
}

MADE = "Made by scripts/python_declarations.py from the headers of include/graze: do not edit it."

ENUMERATIONS_HEAD = f'''"""The enumerations of the public API. An enumerator equals its number: Kind.SPHERE == 4.

{MADE}
"""
from __future__ import annotations

from enum import IntEnum
'''

DECLARATIONS_HEAD = f'''"""The structs and callbacks of libgraze and libgraze_io for ctypes.

{MADE}
They have their C names without the prefix: graze_mesh_def is MeshDef. A pointer to a struct that begins with its size
is a POINTER; every other pointer is a c_void_p, which takes addresses, byref() and None.
"""
from __future__ import annotations

import ctypes
from ctypes import (CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_ssize_t, c_uint32, c_uint64,
                    c_void_p)
from typing import TYPE_CHECKING, Any

from ._integers import checked


class Struct(ctypes.Structure):
    """Base of all structs. Type checkers do not know the fields."""

    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets a field. Raises InvalidArgument for a number out of range, which ctypes would truncate."""
        super().__setattr__(name, value)
        if hasattr(value, "__index__"):
            kept = getattr(self, name)
            if kept.__class__ is int and kept != value:
                checked(dict(self._fields_)[name], value, name)
'''


def version() -> str:
    """Returns the version of the project from CMakeLists.txt."""
    stated = re.search(r"project\(graze VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert stated is not None
    return stated[1]


def functions_head(rows: str) -> str:
    """Returns the head of _functions.py, which imports the types in the rows."""
    names = sorted(set(re.findall(r"\b[A-Z]\w+", re.sub(r'"\w+"', "", rows))) - {"POINTER", "None"})
    imports = "".join(f"    {name},\n" for name in names)
    kinds = ", ".join(sorted(set(re.findall(r"\bc_\w+", rows))))
    return f'''"""The public functions of libgraze and libgraze_io for ctypes.

{MADE}
"""
from __future__ import annotations

from ctypes import POINTER, {kinds}
from typing import Any

from ._declarations import (
{imports})

VERSION = "{version()}"  # of the project

# Each function: the type of its result and those of its parameters.
PROTOTYPES: dict[str, tuple[Any, list[Any]]] = {{
'''


def headers() -> list[Path]:
    """Returns all public headers, in a fixed order."""
    return sorted((ROOT / "include" / "graze").glob("*.h"))


def preprocess() -> str:
    """Returns the expanded text of all public headers, without system headers, comments and inline functions."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "graze"
        made.mkdir()
        (made / "version.h").write_text("")
        source = "".join(f'#include "graze/{header.name}"\n' for header in headers())
        command = [os.environ.get("CC", "cc"), "-std=c17", "-E", "-x", "c", f"-I{ROOT / 'include'}", f"-I{folder}", "-"]
        text = subprocess.run(command, input=source, check=True, capture_output=True, text=True).stdout
    kept: list[str] = []
    public = False
    for line in text.splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            public = mark[1].startswith(str(ROOT / "include"))
        elif public and line.strip():
            kept.append(line.strip())
    return re.sub(r"\s+", " ", " ".join(kept))


def statements(text: str) -> list[str]:
    """Splits the text after each semicolon or inline function body that ends a declaration."""
    found: list[str] = []
    depth = begin = 0
    for i, character in enumerate(text):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        inline_ends = character == "}" and text[begin:i].lstrip().startswith("static inline")
        if depth == 0 and (character == ";" or inline_ends):
            statement = text[begin:i].strip()
            if statement and not statement.startswith("static inline"):
                found.append(statement)
            begin = i + 1
    return found


def class_name(c_name: str) -> str:
    """Converts graze_mesh_def to MeshDef."""
    return "".join(word.capitalize() for word in c_name.removeprefix("graze_").split("_"))


def split_commas(text: str) -> list[str]:
    """Splits at commas outside parentheses."""
    parts: list[str] = []
    depth = 0
    part = ""
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return [*parts, part.strip()]


class Translator:
    """Collects declarations and writes them as Python."""

    def __init__(self) -> None:
        self.enumerations: set[str] = set()
        self.structs: set[str] = set()
        self.growing: set[str] = set()  # structs that begin with struct_bytes
        self.opaque: set[str] = set()
        self.function_types: set[str] = set()
        self.constants: dict[str, int] = {}
        self.types: list[str] = []
        self.functions: dict[str, str] = {}

    def type_of(self, c_type: str) -> str:
        """Returns the ctypes type of a C type without a declared name: 'const graze_pair *'."""
        words = [word for word in c_type.replace("*", " * ").split() if word not in ("const", "struct")]
        stars = words.count("*")
        base = " ".join(word for word in words if word != "*")
        if stars == 0:
            if base in SCALARS:
                return SCALARS[base]
            if base in self.enumerations:
                return "c_int"
            if base in self.structs:
                return class_name(base)
            raise SystemExit(f"python_declarations.py: unknown type '{c_type}'")
        if stars == 1 and base == "char":
            return "c_char_p"
        if stars == 1 and base in self.growing:
            return f"POINTER({class_name(base)})"
        if stars == 1 and base in self.function_types:
            return class_name(base)
        if base not in self.structs | self.enumerations | self.opaque | set(SCALARS) | {"char"}:
            raise SystemExit(f"python_declarations.py: unknown type '{c_type}'")
        return "c_void_p"

    def parameters(self, text: str) -> list[str]:
        """Returns the types of a parameter list; arrays are pointers."""
        if text.strip() == "void":
            return []
        types = []
        for parameter in split_commas(text):
            declared = re.fullmatch(rf"(.*?)({IDENTIFIER})((\[\d+\])*)", parameter)
            assert declared is not None, parameter
            types.append(self.type_of(declared[1] + ("*" if declared[3] else "")))
        return types

    def function_type(self, name: str, result: str, parameters: str) -> None:
        """Adds a callback type."""
        if name not in self.function_types:
            self.function_types.add(name)
            arguments = ", ".join([self.type_of(result), *self.parameters(parameters)])
            self.types.append(f"{class_name(name)} = CFUNCTYPE({arguments})")

    def enumeration(self, name: str | None, body: str) -> None:
        """Adds typedef enum name {...} name, or the constants of an anonymous enum."""
        entries: dict[str, int] = {}
        for entry in filter(None, (part.strip() for part in body.split(","))):
            key, number = entry.split("=")
            entries[key.strip()] = int(number)
        if name is None:
            for key, value in entries.items():
                self.constants[key] = value
                self.types.append(f"{key.removeprefix('GRAZE_')} = {value}")
            return
        self.enumerations.add(name)
        own = name.upper() + "_"
        if all(key.startswith(own) for key in entries):
            prefix = own
        else:
            common = os.path.commonprefix(list(entries))
            prefix = common[:common.rindex("_") + 1]
        lines = [f"class {class_name(name)}(IntEnum):", f'    """{name}."""', ""]
        for key, value in entries.items():
            short = key.removeprefix(prefix)
            lines.append(f"    {short if short.isidentifier() else 'WIDTH_' + short} = {value}")
        self.types.append("\n".join(lines))

    def field(self, declaration: str) -> list[tuple[str, str]]:
        """Returns the fields of one declaration: 'uint32_t first, second', 'double box_min[3], box_max[3]'."""
        callback = re.fullmatch(rf"(.*?)\(\*({IDENTIFIER})\)\((.*)\)", declaration)
        if callback:
            name = "graze_" + callback[2]
            self.function_type(name, callback[1], callback[3])
            return [(callback[2], class_name(name))]
        rows = re.fullmatch(rf"(.*?)\(\*({IDENTIFIER})\)\[\d+\]", declaration)
        if rows:
            return [(rows[2], "c_void_p")]
        first, *others = split_commas(declaration)
        match = re.fullmatch(rf"(.*?)({IDENTIFIER}(\[\w+\])*)", first)
        assert match is not None, declaration
        fields = []
        for name in [match[2], *others]:
            base = self.type_of(match[1])
            array = re.fullmatch(rf"({IDENTIFIER})\[(\w+)\]", name)
            if array:
                size = int(self.constants.get(array[2], array[2]))
                fields.append((array[1], f"{base} * {size}"))
            else:
                fields.append((name, base))
        return fields

    def struct(self, name: str, body: str) -> None:
        """Adds typedef struct name {...} name."""
        fields = [field for part in body.split(";") if part.strip() for field in self.field(part.strip())]
        self.structs.add(name)
        if fields[0][0] == "struct_bytes":
            self.growing.add(name)
        lines = [f"class {class_name(name)}(Struct):", f'    """{name}."""', "", "    _fields_ = ["]
        row = "       "
        for field, kind in fields:
            entry = f' ("{field}", {kind}),'
            if len(row) + len(entry) > 120:
                lines.append(row)
                row = "       "
            row += entry
        self.types.append("\n".join([*lines, row, "    ]"]))

    def take(self, statement: str) -> None:
        """Translates one declaration."""
        enumeration = re.fullmatch(rf"(?:typedef )?enum ?({IDENTIFIER})? ?\{{(.*)\}} ?({IDENTIFIER})?", statement)
        struct = re.fullmatch(rf"typedef struct ({IDENTIFIER}) \{{(.*)\}} \1", statement)
        opaque = re.fullmatch(rf"typedef struct ({IDENTIFIER}) \1|struct ({IDENTIFIER})", statement)
        task = re.fullmatch(rf"typedef (\w+) ({IDENTIFIER})\((.*)\)", statement)
        if enumeration:
            self.enumeration(enumeration[3], enumeration[2])
        elif struct:
            self.struct(struct[1], struct[2])
        elif opaque:
            self.opaque.add(opaque[1] or opaque[2])
        elif task:
            self.function_type(task[2], task[1], task[3])
        elif statement.startswith(API_MARK):
            function = re.fullmatch(rf"(.*?)({IDENTIFIER})\((.*)\)", statement.removeprefix(API_MARK).strip())
            assert function is not None, statement
            self.functions[function[2]] = f"({self.type_of(function[1])}, [{', '.join(self.parameters(function[3]))}])"
        else:
            raise SystemExit(f"python_declarations.py: cannot read '{statement}'")

    def files(self) -> dict[str, str]:
        """Returns the text of each Python file by its name."""
        defined = re.search(r"#define GRAZE_POLYHEDRON_CORNERS (\d+)", (ROOT / "include/graze/graze.h").read_text())
        assert defined is not None
        enumerations = [item for item in self.types if "(IntEnum)" in item]
        constants = [f"POLYHEDRON_CORNERS = {defined[1]}\n"]
        constants += [item + "\n" for item in self.types if re.fullmatch(r"\w+ = \d+", item)]
        structs = ""
        for item in self.types:
            if item.startswith("class") and "(IntEnum)" not in item:
                structs += f"\n\n{item}\n"
            elif "CFUNCTYPE" in item:
                structs += ("\n\n" if structs.endswith("]\n") else "") + item + "\n"
        rows = "".join(f'    "{name}": {prototype},\n' if len(name) + len(prototype) < 112 else
                       f'    "{name}":\n        {prototype},\n' for name, prototype in self.functions.items())
        return {
            "_enumerations.py": ENUMERATIONS_HEAD + "".join(f"\n\n{item}\n" for item in enumerations) + "\n\n" +
                                "".join(constants),
            "_declarations.py": DECLARATIONS_HEAD + structs,
            "_functions.py": functions_head(rows) + rows + "}\n",
        }


def main(arguments: list[str]) -> int:
    """Runs the script; returns its exit status."""
    if not set(arguments) <= {"--check", "--functions"}:
        print(__doc__, file=sys.stderr)
        return 2
    translator = Translator()
    for statement in statements(preprocess()):
        translator.take(statement)
    if "--functions" in arguments:
        print("\n".join(translator.functions))
        return 0
    status = 0
    for name, text in translator.files().items():
        path = OUTPUT / name
        if "--check" not in arguments:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{path.relative_to(ROOT)} differs from the headers: run scripts/python_declarations.py",
                  file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
