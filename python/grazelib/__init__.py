"""The Python interface of graze: finds all intersecting primitives of a scene, exactly and deterministically."""
from __future__ import annotations

from ._device import DeviceArray
from ._enumerations import Clash, ContactKind, CurveKind, FaceKind, Kind, Result, Scope
from ._errors import (DeviceFailed, FileFailed, GrazeError, IndexOutOfRange, InvalidArgument, NoDevice, NoSuchObject,
                     NotARotation, NotCertified, NotConvex, NotFinite, NotUpdated, OutOfMemory, Stopped, TooLarge,
                     Unsupported)
from ._functions import VERSION as __version__
from ._library import LibraryError, library_path, library_version, tool_path
from ._meshes import GlobalNumbers
from ._poses import matrix_of, pose_from_quaternion
from .device_queries import DeviceContacts, DeviceNearestList, DevicePairs
from .files import FileFormat, MeshFile, MeshInfo, formats
from .lists import (Contacts, Containments, Crowding, Distances, NearestList, ObjectPairs, Pairs, Regions, Wrenches)
from .names import backends, describe_cuda, methods
from .objects import OpenEdge, SceneObject
from .packing import Carried, Carrier, Packing, pack_spheres
from .primitives import (convex_distance, convex_intersect, convex_penetration, triangles_distance,
                         triangles_intersect, triangles_intersection)
from .queries import Query, pairs_hash
from .scene import Scene
from .shapes import Shape
from .sphere_trees import SphereDistance, SphereTree, SphereTreeInfo, SphereVolume
from .workers import Workers

__all__ = [
    "Carried", "Carrier", "Clash", "ContactKind", "Contacts", "Containments", "Crowding", "CurveKind", "DeviceFailed",
    "Distances", "FaceKind", "FileFailed", "FileFormat", "GlobalNumbers", "GrazeError", "IndexOutOfRange",
    "InvalidArgument", "Kind", "LibraryError", "MeshFile", "MeshInfo", "NearestList", "NoDevice", "NoSuchObject",
    "NotARotation", "NotCertified", "NotConvex", "NotFinite", "NotUpdated", "ObjectPairs", "OpenEdge", "OutOfMemory",
    "Packing", "Pairs", "Query", "Regions", "Result", "Scene", "SceneObject", "Scope", "Shape", "SphereDistance",
    "SphereTree", "SphereTreeInfo", "SphereVolume", "Stopped", "TooLarge", "Unsupported", "Workers", "Wrenches",
    "__version__", "backends", "convex_distance", "convex_intersect", "convex_penetration", "describe_cuda", "formats",
    "library_path", "library_version", "matrix_of", "methods", "pack_spheres", "pairs_hash", "pose_from_quaternion",
    "tool_path", "triangles_distance", "triangles_intersect", "triangles_intersection",
]
__all__ += ["DeviceArray", "DeviceContacts", "DeviceNearestList", "DevicePairs"]

# High-level functions: one call each.
from .checks import Check, check, intersections  # noqa: E402
from .connected import components, weld  # noqa: E402
from .folders import FolderCheck, check_folder  # noqa: E402
from .meshes import Mesh, mesh, read, read_all, spheres, write  # noqa: E402
from .nearness import Distance, distance  # noqa: E402
from .pictures import Picture  # noqa: E402

__all__ += [
    "Check", "Distance", "FolderCheck", "Mesh", "Picture", "check", "check_folder", "components", "distance",
    "intersections", "mesh", "read", "read_all", "spheres", "weld", "write",
]
