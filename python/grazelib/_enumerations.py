"""The enumerations of the public API. An enumerator equals its number: Kind.SPHERE == 4.

Made by scripts/python_declarations.py from the headers of include/graze: do not edit it.
"""
from __future__ import annotations

from enum import IntEnum


class Result(IntEnum):
    """graze_result."""

    OK = 0
    INVALID_ARGUMENT = 1
    NOT_FINITE = 2
    INDEX_OUT_OF_RANGE = 3
    OUT_OF_MEMORY = 4
    NO_SUCH_OBJECT = 5
    NOT_UPDATED = 6
    NOT_A_ROTATION = 7
    UNSUPPORTED = 8
    TOO_LARGE = 9
    NOT_CONVEX = 10
    NO_DEVICE = 11
    DEVICE_FAILED = 12
    STOPPED = 13
    NOT_CERTIFIED = 14
    FILE_FAILED = 15


class Threading(IntEnum):
    """graze_threading."""

    AUTO = 0
    PTHREADS = 1
    OPENMP = 2
    SERIAL = 3


class Simd(IntEnum):
    """graze_simd."""

    AUTO = 0
    SCALAR = 1
    WIDTH_128 = 2
    WIDTH_256 = 3


class TreeBuilder(IntEnum):
    """graze_tree_builder."""

    AUTO = 0
    MORTON = 1
    SPLITS = 2


class TreeUpdate(IntEnum):
    """graze_tree_update."""

    AUTO = 0
    REFIT = 1
    REBUILD = 2


class Axis(IntEnum):
    """graze_axis."""

    PRINCIPAL = 0
    X = 1
    Y = 2
    Z = 3


class Metric(IntEnum):
    """graze_metric."""

    L2 = 0
    L1 = 1
    LINF = 2


class Kind(IntEnum):
    """graze_kind."""

    TRIANGLE = 0
    POLYGON = 1
    TETRAHEDRON = 2
    POLYHEDRON = 3
    SPHERE = 4


class Format(IntEnum):
    """graze_format."""

    FLOAT3 = 1
    DOUBLE3 = 2
    UINT32_3 = 3
    UINT32_4 = 4
    UINT32 = 5
    FLOAT = 6
    DOUBLE = 7
    INT32_3 = 8
    INT32_4 = 9
    INT32 = 10
    INT64_3 = 11
    INT64_4 = 12
    INT64 = 13
    UINT64_3 = 14
    UINT64_4 = 15
    UINT64 = 16


class Scope(IntEnum):
    """graze_scope."""

    BETWEEN = 1
    WITHIN = 2
    BOTH = 3


class Neighbors(IntEnum):
    """graze_neighbors."""

    SKIP = 0
    BEYOND = 1


class Test(IntEnum):
    """graze_test."""

    SAT = 0
    GJK = 1


class ContactKind(IntEnum):
    """graze_contact_kind."""

    POINT = 1
    SEGMENT = 2
    POLYGON = 3
    VOLUME = 4
    PARTS = 5


class ContactFlag(IntEnum):
    """graze_contact_flag."""

    CLAMPED = 1


class Force(IntEnum):
    """graze_force."""

    ENERGY = 0
    VOLUME = 1
    GRADIENT = 2


class NearestScope(IntEnum):
    """graze_nearest_scope."""

    OBJECT_PAIRS = 0
    EACH_OBJECT = 1
    OF_ALL = 2


class Clash(IntEnum):
    """graze_clash."""

    TOUCHING = 0
    CROSSING = 1
    COPLANAR = 2
    DUPLICATE = 3


class FaceKind(IntEnum):
    """graze_face_kind."""

    VERTEX = 0
    EDGE = 1
    INSIDE = 2


class CurveKind(IntEnum):
    """graze_curve_kind."""

    LINE = 0
    BOUNDARY = 1


class SphereBuilder(IntEnum):
    """graze_sphere_builder."""

    NEURAL_GAS = 0
    BIGGEST = 1
    EXTREMES = 2


class Enumeration(IntEnum):
    """graze_enumeration."""

    RESULT = 0
    KIND = 1
    THREADING = 2
    SIMD = 3
    TREE_BUILDER = 4
    TREE_UPDATE = 5
    SPHERE_BUILDER = 6
    AXIS = 7
    METRIC = 8
    SCOPE = 9
    NEIGHBORS = 10
    TEST = 11
    FORCE = 12
    STAGE = 13
    COUNTER = 14
    METHOD = 15
    BACKEND = 16
    CLASH = 17


POLYHEDRON_CORNERS = 64
CLASH_KINDS = 4
REGION_POINTS = 4
