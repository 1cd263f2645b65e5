"""Reads mesh files from a path or from bytes into a scene, without a copy in numpy."""
from __future__ import annotations

import os
from collections.abc import Iterator
from ctypes import byref
from dataclasses import dataclass

from . import _declarations as c
from ._calls import call_io, default
from ._enumerations import Kind
from ._handles import Closing, Handle
from ._library import io_lib
from .objects import SceneObject
from .scene import Scene


@dataclass(frozen=True)
class FileFormat:
    """A format of mesh files.

    Attributes
    ----------
    ending : str
        The file name extension, such as ".obj". Files with an additional ".gz" can also be read.
    name : str
    written : tuple of Kind
        The kinds of meshes that can be written; all formats are read.
    """

    ending: str
    name: str
    written: tuple[Kind, ...]


def formats() -> list[FileFormat]:
    """Returns the supported mesh file formats; several extensions may have the same name."""
    io = io_lib()
    return [FileFormat(io.graze_io_format_ending(i).decode(), io.graze_io_format_name(i).decode(),
                       tuple(kind for kind in Kind if io.graze_io_format_is_written(i, kind)))
            for i in range(io.graze_io_format_count())]


@dataclass(frozen=True)
class MeshInfo:
    """The properties of a mesh in a file.

    Attributes
    ----------
    kind : Kind
    name : str
        The name of the group or solid, otherwise of the file.
    vertex_count, primitive_count : int
    note : str or None
        What the reader skipped.
    skipped : int
        The number of elements in the file that were skipped: points, lines, and cells of other types.
    unknown_lines : int
        The number of lines in the file with an unknown keyword.
    """

    kind: Kind
    name: str
    vertex_count: int
    primitive_count: int
    note: str | None
    skipped: int
    unknown_lines: int


class MeshFile(Closing):
    """The meshes of a file.

    Parameters
    ----------
    source : path or bytes
        A file, or its content as bytes, compressed or not.
    name : str, optional
        The file name for bytes: its extension selects the format, and messages contain it. None: detect the format.
    separate : bool
        Each group of an OBJ file and each solid of an ASCII STL file becomes a separate mesh.
    allow_large : bool
        Allow compressed files that expand to more than 256 MiB and 100 times their size.
    allow_empty : bool
        Allow files of which no primitive is read, such as point clouds.
    byte_limit, element_limit : int
        Maximum bytes after decompression, and maximum vertices, corners or elements; 0: the library's limits.

    Raises
    ------
    FileFailed
        The file cannot be read, or no primitive of it. The message contains its name, and the line for text formats.

    Examples
    --------
    >>> with MeshFile(b"v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n", "one.obj") as file, Scene() as scene:
    ...     file.add_to(scene)
    <SceneObject 0 'one.obj': 1 triangle>
    """

    def __init__(self, source: str | os.PathLike[str] | bytes | bytearray | memoryview, name: str | None = None, *, separate: bool = False,
                 allow_large: bool = False, allow_empty: bool = False, byte_limit: int = 0,
                 element_limit: int = 0) -> None:
        io = io_lib()
        options = default(c.IoReadOptions)
        options.separate, options.allow_large, options.allow_empty = separate, allow_large, allow_empty
        options.byte_limit, options.element_limit = byte_limit, element_limit
        if isinstance(source, (bytes, bytearray, memoryview)):
            content, called = bytes(source), None if name is None else name.encode()

            def read(definition: object, out: object) -> int:
                return int(io.graze_io_read_memory(content, len(content), called, definition, out))
        else:
            path = os.fsencode(source)

            def read(definition: object, out: object) -> int:
                return int(io.graze_io_read_file(path, definition, out))

        self._handle = Handle(read, byref(options), io.graze_io_meshes_destroy, call_io)

    def __len__(self) -> int:
        return int(io_lib().graze_io_meshes_count(self.handle))

    def info(self, mesh: int = 0) -> MeshInfo:
        """Returns the properties of a mesh."""
        found = c.IoInfo()
        call_io(io_lib().graze_io_get_info, self.handle, self._index(mesh), byref(found))
        return MeshInfo(Kind(found.kind), found.name.decode("utf-8", "replace"), found.vertex_count,
                        found.primitive_count, None if found.note is None else found.note.decode("utf-8", "replace"),
                        found.skipped, found.unknown_lines)

    def __iter__(self) -> Iterator[MeshInfo]:
        return (self.info(i) for i in range(len(self)))

    def add_to(self, scene: Scene, mesh: int = 0) -> SceneObject:
        """Adds a mesh to a scene, which copies it."""
        info, identity = self.info(mesh), c.Object()
        scene.changed()
        call_io(io_lib().graze_io_add_to_scene, self.handle, self._index(mesh), scene.handle, byref(identity))
        return scene.register(identity, info.name, None, info.primitive_count)

    def _index(self, mesh: int) -> int:
        if not 0 <= mesh < len(self):
            raise IndexError(f"there is no mesh {mesh}: the file has {len(self)}")
        return mesh

    def __repr__(self) -> str:
        if self.closed:
            return "<MeshFile: closed>"
        return f"<MeshFile: {', '.join(repr(info.name) for info in self)}>"
