"""All intersecting primitives of a scene: exact, complete and deterministic. The Python face of graze."""
from __future__ import annotations

from ._calls import (DeviceFailed, FileFailed, GrazeError, IndexOutOfRange, InvalidArgument, NoDevice, NoSuchObject,
                     NotARotation, NotCertified, NotConvex, NotFinite, NotUpdated, OutOfMemory, Stopped, TooLarge,
                     Unsupported)
from ._enumerations import Clash, ContactKind, CurveKind, Feature, Kind, Result, Scope
from ._functions import VERSION as __version__
from ._library import LibraryError, library_path, library_version, tool_path

__all__ = [
    "Clash", "ContactKind", "CurveKind", "DeviceFailed", "Feature", "FileFailed", "GrazeError", "IndexOutOfRange",
    "InvalidArgument", "Kind", "LibraryError", "NoDevice", "NoSuchObject", "NotARotation", "NotCertified", "NotConvex",
    "NotFinite", "NotUpdated", "OutOfMemory", "Result", "Scope", "Stopped", "TooLarge", "Unsupported", "__version__",
    "library_path", "library_version", "tool_path",
]
