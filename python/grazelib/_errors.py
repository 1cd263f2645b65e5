"""The library's errors as exceptions: one class for each result code."""
from __future__ import annotations

from ._enumerations import Result


class GrazeError(Exception):
    """A call of the library failed.

    Attributes
    ----------
    code : Result
        The result code.
    message : str
        The library's message, with the object, the primitive and the value.
    """

    code: int = Result.INVALID_ARGUMENT

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


class InvalidArgument(GrazeError, ValueError):
    """GRAZE_INVALID_ARGUMENT."""

    code = Result.INVALID_ARGUMENT


class NotFinite(GrazeError, ValueError):
    """GRAZE_NOT_FINITE: a coordinate is NaN or infinite."""

    code = Result.NOT_FINITE


class IndexOutOfRange(GrazeError, IndexError):
    """GRAZE_INDEX_OUT_OF_RANGE."""

    code = Result.INDEX_OUT_OF_RANGE


class OutOfMemory(GrazeError, MemoryError):
    """GRAZE_OUT_OF_MEMORY."""

    code = Result.OUT_OF_MEMORY


class NoSuchObject(GrazeError, LookupError):
    """GRAZE_NO_SUCH_OBJECT: the object was removed, or belongs to another scene."""

    code = Result.NO_SUCH_OBJECT


class NotUpdated(GrazeError):
    """GRAZE_NOT_UPDATED: the scene was changed after its last update."""

    code = Result.NOT_UPDATED


class NotARotation(GrazeError, ValueError):
    """GRAZE_NOT_A_ROTATION."""

    code = Result.NOT_A_ROTATION


class Unsupported(GrazeError):
    """GRAZE_UNSUPPORTED: this build, method or backend lacks the feature."""

    code = Result.UNSUPPORTED


class TooLarge(GrazeError, OverflowError):
    """GRAZE_TOO_LARGE: a size exceeds the range of an index."""

    code = Result.TOO_LARGE


class NotConvex(GrazeError, ValueError):
    """GRAZE_NOT_CONVEX: a polyhedron is not convex."""

    code = Result.NOT_CONVEX


class NoDevice(GrazeError):
    """GRAZE_NO_DEVICE: there is no such device, or no usable one."""

    code = Result.NO_DEVICE


class DeviceFailed(GrazeError):
    """GRAZE_DEVICE_FAILED."""

    code = Result.DEVICE_FAILED


class Stopped(GrazeError):
    """GRAZE_STOPPED: the caller's ``should_stop`` returned true."""

    code = Result.STOPPED


class NotCertified(GrazeError):
    """GRAZE_NOT_CERTIFIED: a packing fails its certificate."""

    code = Result.NOT_CERTIFIED


class FileFailed(GrazeError, OSError):
    """GRAZE_FILE_FAILED: a file cannot be read or written."""

    code = Result.FILE_FAILED


_CLASSES: dict[int, type[GrazeError]] = {kind.code: kind for kind in GrazeError.__subclasses__()}


def error_of(code: int, message: str) -> GrazeError:
    """Returns the exception for a result code."""
    error = _CLASSES.get(code, GrazeError)(message)
    error.code = Result(code) if code in _CLASSES else code
    return error
