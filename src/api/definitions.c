/* The default makers of the public structs, and one row for each: its name, its maker, and the length of its first
 * version.
 *
 * Appending a field only adds its default here. No struct may end in padding, because a later field could occupy it
 * unnoticed: see the assertions below. */
#include "api/definitions.h"

#include "base/error_text.h"

#include <math.h>

MAKER(graze_backend_def, .name = "cpu")
MAKER(graze_scene_def, .struct_bytes = 0)
MAKER(graze_mesh_def, .struct_bytes = 0)
MAKER(graze_shape_def, .worker_count = 1, .prepare_tree = true)
MAKER(graze_object_def, .category = 1, .mask = ~UINT64_C(0), .self = true)
MAKER(graze_method_def, .name = "auto", .fuzziness = 2.0)
MAKER(graze_query, .scope = GRAZE_SCOPE_BOTH, .clearance_rings = 1)
MAKER(graze_contact_options, .stiffness = 1.0)
MAKER(graze_region_options, .depths = true, .curves = true, .object_depths = true)
MAKER(graze_containment_options, .struct_bytes = 0)
MAKER(graze_nearest_options, .max_distance = HUGE_VAL)
MAKER(graze_batch_def, .max_distance = HUGE_VAL)
MAKER(graze_inspect_options, .highest_level = SIZE_MAX, .members = true)
MAKER(graze_packing_options, .count = 10000, .fill_rate = 1.0)
MAKER(graze_carrier_def, .struct_bytes = 0)

DEFINITION(backend, graze_backend_def, stream, "the backend", "graze_backend_def_default()");
DEFINITION(scene, graze_scene_def, workers, "the scene's definition", "graze_scene_def_default()");
DEFINITION(mesh, graze_mesh_def, name, "the mesh", "graze_mesh_def_default()");
DEFINITION(shape, graze_shape_def, allocator, "the shape's definition", "graze_shape_def_default()");
DEFINITION(object, graze_object_def, pose, "the object's definition", "graze_object_def_default()");
DEFINITION(method, graze_method_def, fuzziness, "the method", "graze_method_def_default()");
DEFINITION(query, graze_query, stop_context, "the query", "graze_query_default()");
DEFINITION(contact_options, graze_contact_options, about, "the contact options", "graze_contact_options_default()");
DEFINITION(batch, graze_batch_def, nearest_out, "the batch", "graze_batch_def_default()");
DEFINITION(region_options, graze_region_options, object_name_count, "the region options",
           "graze_region_options_default()");
DEFINITION(containment_options, graze_containment_options, stop_context, "the containment options",
           "graze_containment_options_default()");
DEFINITION(nearest_options, graze_nearest_options, stop_context, "the distance options",
           "graze_nearest_options_default()");
DEFINITION(inspect_options, graze_inspect_options, highest_level, "the inspection options",
           "graze_inspect_options_default()");
DEFINITION(packing_options, graze_packing_options, stop_context, "the packing options",
           "graze_packing_options_default()");
DEFINITION(carrier, graze_carrier_def, allocator, "the carrier's definition", "graze_carrier_def_default()");

ANSWER(object_info, graze_object_info, user_data, "the info");
ANSWER(open_edges, graze_open_edges, non_manifold_count, "the open edges");
ANSWER(timings, graze_timings, regions_ms, "the timings");
ANSWER(counters, graze_counters, members_4, "the counters");

#define LIST(name, type, words) ANSWER(name, type, memory, words)

LIST(pairs, graze_pairs, "the list of pairs");
LIST(object_pairs, graze_object_pairs, "the list of object pairs");
LIST(contacts, graze_contacts, "the list of contacts");
LIST(distances, graze_distances, "the list of distances");
LIST(wrenches, graze_wrenches, "the list of wrenches");
LIST(regions, graze_regions, "the list of regions");
LIST(containments, graze_containments, "the list of containments");
LIST(nearests, graze_nearest_list, "the list of distances");
LIST(structure, graze_structure, "the structure");
LIST(crowding, graze_crowding, "the crowding");
LIST(packing, graze_packing, "the packing");
LIST(carried, graze_carried, "the carried spheres");
LIST(device_pairs, graze_device_pairs, "the list of pairs on the device");
LIST(device_contacts, graze_device_contacts, "the list of contacts on the device");

const char *graze_error_text(void) {
  return error_text();
}
