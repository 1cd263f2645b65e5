"""The structs and callbacks of libgraze and libgraze_io for ctypes.

Made by scripts/python_declarations.py from the headers of include/graze: do not edit it.
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
Allocate = CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_size_t)
Release = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class Allocator(Struct):
    """graze_allocator."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("context", c_void_p), ("allocate", Allocate), ("release", Release),
    ]


Task = CFUNCTYPE(None, c_void_p, c_uint32, c_uint32)
Run = CFUNCTYPE(None, c_void_p, Task, c_void_p, c_uint32)


class TaskSystem(Struct):
    """graze_task_system."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("context", c_void_p), ("worker_count", c_uint64), ("run", Run),
    ]


class WorkersDef(Struct):
    """graze_workers_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("worker_count", c_uint32), ("threading", c_int), ("tasks", POINTER(TaskSystem)),
        ("allocator", POINTER(Allocator)), ("kept_bytes", c_size_t),
    ]


class BackendDef(Struct):
    """graze_backend_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("name", c_char_p), ("devices", c_void_p), ("device_count", c_size_t),
        ("stream", c_void_p),
    ]


class Timings(Struct):
    """graze_timings."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("update_ms", c_double), ("bounds_ms", c_double), ("build_ms", c_double),
        ("search_ms", c_double), ("test_ms", c_double), ("order_ms", c_double), ("contacts_ms", c_double),
        ("regions_ms", c_double),
    ]


class Counters(Struct):
    """graze_counters."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("primitives", c_uint64), ("searched", c_uint64), ("levels", c_uint64),
        ("box_tests", c_uint64), ("candidates", c_uint64), ("neighbors", c_uint64), ("float_decided", c_uint64),
        ("double_decided", c_uint64), ("exact_decided", c_uint64), ("wide_decided", c_uint64), ("pairs", c_uint64),
        ("duplicates", c_uint64), ("reruns", c_uint64), ("repeated_index", c_uint64), ("inverted", c_uint64),
        ("flat", c_uint64), ("scene_bytes", c_uint64), ("peak_bytes", c_uint64), ("device_bytes", c_uint64),
        ("clusters", c_uint64), ("members", c_uint64), ("members_1", c_uint64), ("members_2", c_uint64),
        ("members_3", c_uint64), ("members_4", c_uint64),
    ]


class MethodDef(Struct):
    """graze_method_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("name", c_char_p), ("simd", c_int), ("tree_builder", c_int),
        ("tree_update", c_int), ("clusters", c_uint32), ("axis", c_int), ("metric", c_int), ("fuzziness", c_double),
    ]


class SceneDef(Struct):
    """graze_scene_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("worker_count", c_uint32), ("threading", c_int), ("backend", POINTER(BackendDef)),
        ("allocator", POINTER(Allocator)), ("tasks", POINTER(TaskSystem)), ("workers", c_void_p),
    ]


class Object(Struct):
    """graze_object."""

    _fields_ = [
        ("index", c_uint32), ("generation", c_uint32),
    ]


class IdPair(Struct):
    """graze_id_pair."""

    _fields_ = [
        ("a", Object), ("b", Object),
    ]


class View(Struct):
    """graze_view."""

    _fields_ = [
        ("data", c_void_p), ("count", c_size_t), ("stride_bytes", c_ssize_t), ("format", c_int),
    ]


class OutputView(Struct):
    """graze_output_view."""

    _fields_ = [
        ("data", c_void_p), ("count", c_size_t), ("stride_bytes", c_ssize_t), ("format", c_int),
    ]


class Pose(Struct):
    """graze_pose."""

    _fields_ = [
        ("rotation", c_double * 9), ("translation", c_double * 3),
    ]


class MeshDef(Struct):
    """graze_mesh_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("positions", View), ("radii", View), ("triangles", View), ("tetrahedra", View),
        ("corners", View), ("face_sizes", View), ("cell_sizes", View), ("face_starts", View), ("cell_starts", View),
        ("name", c_char_p),
    ]


class ObjectDef(Struct):
    """graze_object_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("name", c_char_p), ("category", c_uint64), ("mask", c_uint64), ("self", c_bool),
        ("global_numbers", c_bool), ("global_object", c_uint32), ("global_primitive", c_uint32),
        ("global_vertex", c_uint32), ("global_primitives", View), ("global_vertices", View), ("user_data", c_void_p),
        ("pose", c_void_p),
    ]


class ObjectInfo(Struct):
    """graze_object_info."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("kind", c_int), ("format", c_int), ("vertex_count", c_size_t),
        ("primitive_count", c_size_t), ("live_count", c_size_t), ("pose", Pose), ("category", c_uint64),
        ("mask", c_uint64), ("self", c_bool), ("global_numbers", c_bool), ("global_object", c_uint32),
        ("global_primitive", c_uint32), ("global_vertex", c_uint32), ("name", c_char_p), ("user_data", c_void_p),
    ]


ShouldStop = CFUNCTYPE(c_bool, c_void_p)


class Query(Struct):
    """graze_query."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("scope", c_int), ("neighbors", c_int), ("test", c_int),
        ("candidates_only", c_bool), ("about_count", c_uint32), ("about_a", Object), ("about_b", Object),
        ("in_box", c_bool), ("box_min", c_double * 3), ("box_max", c_double * 3), ("pair_limit", c_size_t),
        ("stop_after", c_size_t), ("should_stop", ShouldStop), ("stop_context", c_void_p), ("clearance", c_double),
        ("clearance_rings", c_size_t),
    ]


class Pair(Struct):
    """graze_pair."""

    _fields_ = [
        ("object_a", c_uint32), ("primitive_a", c_uint32), ("object_b", c_uint32), ("primitive_b", c_uint32),
    ]


class Feature(Struct):
    """graze_feature."""

    _fields_ = [
        ("vertex_count", c_uint32), ("vertices", c_uint32 * 3),
    ]


class Pairs(Struct):
    """graze_pairs."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("pairs", c_void_p), ("count", c_size_t), ("hash", c_uint64),
        ("limit_reached", c_bool), ("timings", POINTER(Timings)), ("counters", POINTER(Counters)), ("memory", c_void_p),
    ]


class ObjectPair(Struct):
    """graze_object_pair."""

    _fields_ = [
        ("object_a", c_uint32), ("object_b", c_uint32),
    ]


class ObjectPairs(Struct):
    """graze_object_pairs."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("pairs", c_void_p), ("count", c_size_t), ("hash", c_uint64),
        ("limit_reached", c_bool), ("timings", POINTER(Timings)), ("counters", POINTER(Counters)), ("memory", c_void_p),
    ]


class Crowding(Struct):
    """graze_crowding."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("kind", c_int), ("k", c_uint32), ("primitive_count", c_size_t), ("mean", c_double),
        ("deviation", c_double), ("neighbor_mean", c_double), ("neighbor_deviation", c_double), ("smallest", c_double),
        ("largest", c_double), ("height", c_double), ("levels", c_uint32), ("bound_factor", c_uint32),
        ("k_of", c_void_p), ("neighbors_of", c_void_p), ("diameter_of", c_void_p), ("count", c_size_t),
        ("timings", POINTER(Timings)), ("counters", POINTER(Counters)), ("memory", c_void_p),
    ]


class Contact(Struct):
    """graze_contact."""

    _fields_ = [
        ("pair", Pair), ("kind", c_int), ("first_point", c_uint32), ("point_count", c_uint32), ("flags", c_uint32),
        ("normal", c_double * 3), ("depth", c_double), ("volume", c_double), ("centroid", c_double * 3),
        ("area", c_double), ("witness_a", c_double * 3), ("witness_b", c_double * 3),
    ]


class Contacts(Struct):
    """graze_contacts."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("contacts", c_void_p), ("count", c_size_t), ("points", c_void_p),
        ("point_count", c_size_t), ("timings", POINTER(Timings)), ("memory", c_void_p),
    ]


class ContactOptions(Struct):
    """graze_contact_options."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("test", c_int), ("force", c_int), ("stiffness", c_double), ("about", c_double * 3),
    ]


class Wrench(Struct):
    """graze_wrench."""

    _fields_ = [
        ("object_a", c_uint32), ("object_b", c_uint32), ("pair_count", c_uint64), ("volume", c_double),
        ("centroid", c_double * 3), ("gradient", c_double * 3), ("gradient_moment", c_double * 3),
        ("force", c_double * 3), ("torque", c_double * 3),
    ]


class Wrenches(Struct):
    """graze_wrenches."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("wrenches", c_void_p), ("count", c_size_t), ("timings", POINTER(Timings)),
        ("memory", c_void_p),
    ]


class Nearest(Struct):
    """graze_nearest."""

    _fields_ = [
        ("pair", Pair), ("object", c_uint32), ("complete", c_uint32), ("distance", c_double), ("lower", c_double),
        ("upper", c_double), ("point_a", c_double * 3), ("point_b", c_double * 3), ("normal", c_double * 3),
        ("feature_a", Feature), ("feature_b", Feature),
    ]


class NearestList(Struct):
    """graze_nearest_list."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("nearests", c_void_p), ("count", c_size_t), ("complete", c_bool),
        ("visit_count", c_uint64), ("measure_count", c_uint64), ("timings", POINTER(Timings)),
        ("counters", POINTER(Counters)), ("memory", c_void_p),
    ]


class NearestOptions(Struct):
    """graze_nearest_options."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("scope", c_int), ("about_count", c_uint32), ("about_a", Object),
        ("about_b", Object), ("max_distance", c_double), ("visit_limit", c_uint64), ("time_limit_ms", c_double),
        ("depths", c_bool), ("should_stop", ShouldStop), ("stop_context", c_void_p),
    ]


class BatchPadding(Struct):
    """graze_batch_padding."""

    _fields_ = [
        ("object", Object), ("padding", c_double),
    ]


class BatchDef(Struct):
    """graze_batch_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("moving", c_void_p), ("moving_count", c_size_t), ("poses", c_void_p),
        ("pose_count", c_size_t), ("pairs", c_void_p), ("pair_count", c_size_t), ("paddings", c_void_p),
        ("padding_count", c_size_t), ("clearance", c_double), ("max_distance", c_double), ("visit_limit", c_uint64),
        ("test", c_int), ("each_pair", c_bool), ("ignore_filters", c_bool), ("any_contact", c_bool),
        ("poses_on_device", c_bool), ("answers_on_device", c_bool), ("should_stop", ShouldStop),
        ("stop_context", c_void_p), ("hits_out", c_void_p), ("counts_out", c_void_p), ("nearest_out", c_void_p),
    ]


class Containment(Struct):
    """graze_containment."""

    _fields_ = [
        ("inner", c_uint32), ("outer", c_uint32), ("inside_count", c_uint32), ("primitive_count", c_uint32),
    ]


class Containments(Struct):
    """graze_containments."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("containments", c_void_p), ("count", c_size_t), ("timings", POINTER(Timings)),
        ("counters", POINTER(Counters)), ("memory", c_void_p),
    ]


class ContainmentOptions(Struct):
    """graze_containment_options."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("touching", c_void_p), ("touching_count", c_size_t), ("should_stop", ShouldStop),
        ("stop_context", c_void_p),
    ]


class OpenEdges(Struct):
    """graze_open_edges."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("count", c_uint64), ("primitive", c_uint32), ("forward", c_uint32),
        ("backward", c_uint32), ("from", c_double * 3), ("to", c_double * 3), ("open_count", c_uint64),
        ("reversed_count", c_uint64), ("non_manifold_count", c_uint64),
    ]


class DevicePairs(Struct):
    """graze_device_pairs."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("device_pairs", c_void_p), ("count", c_size_t), ("hash", c_uint64),
        ("timings", POINTER(Timings)), ("counters", POINTER(Counters)), ("memory", c_void_p),
    ]


class DeviceContacts(Struct):
    """graze_device_contacts."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("device_contacts", c_void_p), ("count", c_size_t), ("device_points", c_void_p),
        ("point_count", c_size_t), ("timings", POINTER(Timings)), ("memory", c_void_p),
    ]


class Distance(Struct):
    """graze_distance."""

    _fields_ = [
        ("pair", Pair), ("distance", c_double), ("point_a", c_double * 3), ("point_b", c_double * 3),
        ("feature_a", Feature), ("feature_b", Feature),
    ]


class Distances(Struct):
    """graze_distances."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("distances", c_void_p), ("count", c_size_t), ("nearest", c_size_t),
        ("timings", POINTER(Timings)), ("memory", c_void_p),
    ]


class StructureMember(Struct):
    """graze_structure_member."""

    _fields_ = [
        ("object", c_uint32), ("primitive", c_uint32),
    ]


class StructureNode(Struct):
    """graze_structure_node."""

    _fields_ = [
        ("min", c_double * 3), ("max", c_double * 3), ("cell_min", c_double * 3), ("cell_max", c_double * 3),
        ("first_member", c_size_t), ("member_count", c_size_t), ("first_child", c_size_t), ("child_count", c_size_t),
        ("level", c_uint32), ("object", c_uint32),
    ]


class Structure(Struct):
    """graze_structure."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("method", c_char_p), ("nodes", c_void_p), ("count", c_size_t),
        ("members", c_void_p), ("member_count", c_size_t), ("level_counts", c_void_p), ("level_count", c_size_t),
        ("timings", POINTER(Timings)), ("counters", POINTER(Counters)), ("memory", c_void_p),
    ]


class InspectOptions(Struct):
    """graze_inspect_options."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("members", c_bool), ("lowest_level", c_size_t), ("highest_level", c_size_t),
    ]


class IoInfo(Struct):
    """graze_io_info."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("kind", c_int), ("name", c_char_p), ("vertex_count", c_size_t),
        ("primitive_count", c_size_t), ("note", c_char_p), ("skipped", c_uint64), ("unknown_lines", c_uint64),
    ]


class IoReadOptions(Struct):
    """graze_io_read_options."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("separate", c_bool), ("allow_large", c_bool), ("allow_empty", c_bool),
        ("byte_limit", c_uint64), ("element_limit", c_uint64), ("allocator", POINTER(Allocator)),
    ]


class IoWriteOptions(Struct):
    """graze_io_write_options."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("text", c_bool), ("allocator", POINTER(Allocator)),
    ]


class Region(Struct):
    """graze_region."""

    _fields_ = [
        ("object_a", c_uint32), ("object_b", c_uint32), ("clash", c_int), ("point_count", c_uint32),
        ("first_pair", c_size_t), ("pair_count", c_size_t), ("first_point", c_size_t), ("first_curve", c_size_t),
        ("curve_count", c_size_t), ("clash_counts", c_size_t * 4), ("id", c_uint64), ("box_min", c_double * 3),
        ("box_max", c_double * 3), ("depth", c_double),
    ]


class RegionPoint(Struct):
    """graze_region_point."""

    _fields_ = [
        ("position", c_double * 3), ("normal", c_double * 3), ("depth", c_double), ("pair", c_size_t),
    ]


class Face(Struct):
    """graze_face."""

    _fields_ = [
        ("kind", c_int), ("first", c_uint32), ("second", c_uint32),
    ]


class CurveVertex(Struct):
    """graze_curve_vertex."""

    _fields_ = [
        ("position", c_double * 3), ("face_a", Face), ("face_b", Face),
    ]


class Curve(Struct):
    """graze_curve."""

    _fields_ = [
        ("kind", c_int), ("closed", c_bool), ("region", c_size_t), ("first_vertex", c_size_t),
        ("vertex_count", c_size_t),
    ]


class RegionObjects(Struct):
    """graze_region_objects."""

    _fields_ = [
        ("object_a", c_uint32), ("object_b", c_uint32), ("first_region", c_size_t), ("region_count", c_size_t),
        ("pair_count", c_size_t), ("depth", c_double), ("normal", c_double * 3),
    ]


class Regions(Struct):
    """graze_regions."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("regions", c_void_p), ("count", c_size_t), ("pairs", c_void_p),
        ("clashes", c_void_p), ("pair_count", c_size_t), ("hash", c_uint64), ("points", c_void_p),
        ("point_count", c_size_t), ("curves", c_void_p), ("curve_count", c_size_t), ("vertices", c_void_p),
        ("vertex_count", c_size_t), ("objects", c_void_p), ("object_pair_count", c_size_t),
        ("timings", POINTER(Timings)), ("counters", POINTER(Counters)), ("memory", c_void_p),
    ]


class RegionOptions(Struct):
    """graze_region_options."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("test", c_int), ("depths", c_bool), ("curves", c_bool), ("object_depths", c_bool),
        ("object_names", c_void_p), ("object_name_count", c_size_t),
    ]


class SphereTreeDef(Struct):
    """graze_sphere_tree_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("centers", View), ("radii", View), ("builder", c_int), ("iterations", c_uint32),
        ("magnification", c_uint32), ("worker_count", c_uint32), ("threading", c_int), ("backend", POINTER(BackendDef)),
        ("allocator", POINTER(Allocator)), ("tasks", POINTER(TaskSystem)), ("workers", c_void_p),
    ]


class SphereTreeInfo(Struct):
    """graze_sphere_tree_info."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("sphere_count", c_uint64), ("node_count", c_uint64), ("depth", c_uint64),
        ("multiplicity", c_uint64), ("bytes", c_uint64),
    ]


class SphereOptions(Struct):
    """graze_sphere_options."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("budget", c_uint64), ("force", c_int), ("stiffness", c_double),
        ("about", c_double * 3),
    ]


class SphereVolume(Struct):
    """graze_sphere_volume."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("complete", c_bool), ("pair_count", c_uint64), ("volume", c_double),
        ("centroid", c_double * 3), ("force", c_double * 3), ("torque", c_double * 3), ("lower", c_double),
        ("upper", c_double), ("node_pairs", c_uint64),
    ]


class SphereDistance(Struct):
    """graze_sphere_distance."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("complete", c_bool), ("distance", c_double), ("witness_a", c_double * 3),
        ("witness_b", c_double * 3), ("lower", c_double), ("upper", c_double), ("sphere_a", c_uint32),
        ("sphere_b", c_uint32), ("node_pairs", c_uint64),
    ]


class Sphere(Struct):
    """graze_sphere."""

    _fields_ = [
        ("center", c_double * 3), ("radius", c_double),
    ]


Progress = CFUNCTYPE(None, c_void_p, c_size_t, c_double)
ShouldFinish = CFUNCTYPE(c_bool, c_void_p)


class PackingOptions(Struct):
    """graze_packing_options."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("count", c_size_t), ("fill_rate", c_double), ("smallest_radius", c_double),
        ("seed", c_uint64), ("backend", POINTER(BackendDef)), ("workers", c_void_p), ("allocator", POINTER(Allocator)),
        ("progress", Progress), ("progress_context", c_void_p), ("should_stop", ShouldStop), ("stop_context", c_void_p),
        ("should_finish", ShouldFinish), ("finish_context", c_void_p),
    ]


class Packing(Struct):
    """graze_packing."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("spheres", c_void_p), ("count", c_size_t), ("mesh_volume", c_double),
        ("sphere_volume", c_double), ("fill_rate", c_double), ("largest_gap", c_double),
        ("largest_gap_bound", c_double), ("p95_gap", c_double), ("certified", c_bool), ("overlap_count", c_uint64),
        ("crossing_count", c_uint64), ("outside_count", c_uint64), ("shell_count", c_uint64),
        ("cavity_count", c_uint64), ("inverted", c_bool), ("self_crossing_count", c_uint64),
        ("self_crossing_more", c_bool), ("self_crossing_first", c_uint32 * 2), ("packing_ms", c_double),
        ("certifying_ms", c_double), ("memory", c_void_p),
    ]


class CarrierDef(Struct):
    """graze_carrier_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("positions", View), ("tetrahedra", View), ("spheres", c_void_p),
        ("sphere_count", c_size_t), ("workers", c_void_p), ("allocator", POINTER(Allocator)),
    ]


class Carried(Struct):
    """graze_carried."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("spheres", c_void_p), ("count", c_size_t), ("certified", c_bool),
        ("overlap_count", c_uint64), ("crossing_count", c_uint64), ("outside_count", c_uint64),
        ("gone_count", c_uint64), ("sphere_volume", c_double), ("memory", c_void_p),
    ]


class ShapeDef(Struct):
    """graze_shape_def."""

    _fields_ = [
        ("struct_bytes", c_size_t), ("mesh", POINTER(MeshDef)), ("kind", c_int), ("worker_count", c_uint32),
        ("prepare_tree", c_bool), ("workers", c_void_p), ("allocator", POINTER(Allocator)),
    ]
