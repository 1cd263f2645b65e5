"""Pictures of checks and distances, drawn by the command-line tool."""
from __future__ import annotations

import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array
from ._enumerations import Kind
from ._errors import GrazeError
from ._library import tool_path
from .meshes import Mesh, write

if TYPE_CHECKING:
    from .checks import Check

# Lossless formats for each kind.
_ENDINGS = {Kind.TRIANGLE: ".ply", Kind.POLYGON: ".ply", Kind.TETRAHEDRON: ".msh", Kind.POLYHEDRON: ".vtk",
            Kind.SPHERE: ".ply"}
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Picture:
    """A PNG picture, which notebooks show.

    Attributes
    ----------
    png : bytes
        The file.
    """

    def __init__(self, png: bytes) -> None:
        self.png = png

    @classmethod
    def of_pixels(cls, pixels: Any) -> Picture:
        """Makes a picture from pixels: uint8 of shape (height, width, 3)."""
        array = np.asarray(pixels)
        if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3 or array.size == 0:
            raise ValueError(f"pixels must be uint8 of the shape (height, width, 3), not {array.dtype} {array.shape}")
        return cls(_encode(array))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = struct.unpack(">II", self.png[16:24])
        return width, height

    def save(self, path: str) -> None:
        """Writes the file."""
        Path(path).write_bytes(self.png)

    def show(self, path: str | None = None) -> Picture:
        """Writes the file if a path is given. Otherwise, outside a notebook, opens the picture in the system's viewer.
        """
        if path is not None:
            self.save(path)
        elif not _in_notebook():
            import webbrowser
            with tempfile.NamedTemporaryFile(suffix=".png", prefix="graze-", delete=False) as file:
                file.write(self.png)
            webbrowser.open(Path(file.name).as_uri())
        return self

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Picture: {width} x {height} pixels, {len(self.png)} bytes>"


def _in_notebook() -> bool:
    """Whether this runs in a Jupyter kernel, which displays the result of a cell."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


# ------------------------------------------------------------------------------------------------ PNG

def _pixels(png: bytes) -> Array:
    """Returns the pixels, shape (height, width, 3), of a file of the tool, which stores each row as the difference to
    the row above."""
    (width, height), at, data = struct.unpack(">II", png[16:24]), len(_SIGNATURE), b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        data += png[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 3 * width + 1)[:, 1:]
    return np.add.accumulate(rows, axis=0, dtype=np.uint8).reshape(height, width, 3)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _encode(pixels: Array) -> bytes:
    height, width, _ = pixels.shape
    rows = np.zeros((height, 3 * width + 1), np.uint8)
    rows[:, 0] = 2
    rows[:, 1:] = np.diff(pixels.reshape(height, -1), axis=0, prepend=np.zeros((1, 3 * width), np.uint8))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (_SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows.tobytes(), 9))
            + _chunk(b"IEND", b""))


def _shrink(png: bytes, factor: int) -> bytes:
    """Returns the picture reduced by averaging blocks of ``factor`` times ``factor`` pixels."""
    pixels = _pixels(png)
    height, width = (size // factor for size in pixels.shape[:2])
    blocks = pixels[:height * factor, :width * factor].reshape(height, factor, width, factor, 3)
    return _encode((blocks.mean(axis=(1, 3)) + 0.5).astype(np.uint8))


# ------------------------------------------------------------------------------------------------ the tool

def draw(command: str, meshes: Sequence[Mesh], arguments: Sequence[str], *,
         camera: str | tuple[float, float] | None = None, up: str | None = None, crease: float | None = None,
         zoom_to: str | None = None, shrink: int = 2) -> Picture:
    """Draws meshes with the tool.

    Parameters
    ----------
    command : str
        "check" or "distance".
    meshes : sequence of Mesh
    arguments : sequence of str
        Further options of the command.
    camera : str or tuple, optional
        "front", "back", "left", "right", "top", "bottom" or "iso", or (azimuth, elevation) in degrees. The default is
        the three-quarter view that shows the most marks.
    up : str, optional
        The axis that points up: "x", "y", "z", "-x", "-y" or "-z".
    crease : float, optional
        The angle between faces, in degrees, above which an edge is drawn sharp.
    zoom_to : str, optional
        "pair" or "region" for the first one; "pair=3" for another.
    shrink : int, optional
        The divisor of the width and height of the tool's 1600 x 1200 pixels.
    """
    chosen = camera if camera is None or isinstance(camera, str) else ",".join(f"{angle:.17g}" for angle in camera)
    view = {"--camera": chosen, "--up": up, "--crease": crease, "--zoom-to": zoom_to}
    options = [f"{key}={value}" for key, value in view.items() if value is not None]
    with tempfile.TemporaryDirectory(prefix="graze-") as folder:
        files = []
        for number, part in enumerate(meshes):
            files.append(f"{number}{_ENDINGS[part.kind]}")
            write(Path(folder) / files[-1], part)
        words = [str(tool_path().absolute()), command, *files, *arguments, *options, "--quiet", "--picture=picture.png"]
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        picture = Path(folder) / "picture.png"
        if not picture.is_file():
            raise GrazeError(run.stderr.strip().removeprefix("graze: ") or "the tool drew no picture")
        png = picture.read_bytes()
    return Picture(png if shrink <= 1 else _shrink(png, shrink))


def draw_check(check: Check, **view: Any) -> Picture:
    """Draws the result of a check; the view parameters are those of ``draw``."""
    options = check.options
    arguments = [f"--neighbors={check.neighbors}"]
    if len(check.meshes) > 1 and check.within:
        arguments.append("--self")
    if options.clearance > 0:
        arguments += [f"--clearance={options.clearance!r}", f"--rings={options.rings}"]
    if options.limit:
        arguments.append(f"--limit={options.limit}")
    if options.candidates:
        arguments.append("--candidates")
    arguments += [f"--exclude={check.number_of(a)},{check.number_of(b)}" for a, b in options.exclude]
    return draw("check", check.placed_meshes(), arguments, **view)

