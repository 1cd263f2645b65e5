/* Pins the sizes of the public structs on 64-bit systems (LP64), on which programs compiled against an older header
 * depend.
 *
 * Structs with a struct_bytes field may grow at their end; the same commit updates the size here. Others must not
 * change before the interface version does. */
#include "graze/batch.h"
#include "graze/containment.h"
#include "graze/cuda.h"
#include "graze/distances.h"
#include "graze/graze.h"
#include "graze/inspect.h"
#include "graze/io.h"
#include "graze/nearest.h"
#include "graze/packing.h"
#include "graze/regions.h"
#include "graze/sphere_tree.h"
#include "testing.h"

#include <stddef.h>
#include <stdint.h>

#define SIZE_LIST(X)                                                                                                   \
  X(graze_allocator, 32)                                                                                               \
  X(graze_task_system, 32)                                                                                             \
  X(graze_workers_def, 40)                                                                                             \
  X(graze_backend_def, 40)                                                                                             \
  X(graze_scene_def, 48)                                                                                               \
  X(graze_object, 8)                                                                                                   \
  X(graze_view, 32)                                                                                                    \
  X(graze_io_info, 64)                                                                                                 \
  X(graze_io_read_options, 40)                                                                                         \
  X(graze_io_write_options, 24)                                                                                        \
  X(graze_mesh_def, 304)                                                                                               \
  X(graze_method_def, 48)                                                                                              \
  X(graze_id_pair, 16)                                                                                                 \
  X(graze_batch_padding, 16)                                                                                           \
  X(graze_batch_def, 152)                                                                                              \
  X(graze_sphere, 32)                                                                                                  \
  X(graze_packing_options, 112)                                                                                        \
  X(graze_packing, 176)                                                                                                \
  X(graze_carrier_def, 104)                                                                                            \
  X(graze_carried, 80)                                                                                                 \
  X(graze_query, 144)                                                                                                  \
  X(graze_pair, 16)                                                                                                    \
  X(graze_pairs, 64)                                                                                                   \
  X(graze_object_pair, 8)                                                                                              \
  X(graze_object_pairs, 64)                                                                                            \
  X(graze_containment, 16)                                                                                             \
  X(graze_containments, 48)                                                                                            \
  X(graze_containment_options, 40)                                                                                     \
  X(graze_open_edges, 104)                                                                                             \
  X(graze_feature, 16)                                                                                                 \
  X(graze_nearest, 152)                                                                                                \
  X(graze_nearest_list, 72)                                                                                            \
  X(graze_nearest_options, 80)                                                                                         \
  X(graze_structure_member, 8)                                                                                         \
  X(graze_structure_node, 136)                                                                                         \
  X(graze_structure, 88)                                                                                               \
  X(graze_inspect_options, 32)                                                                                         \
  X(graze_pose, 96)                                                                                                    \
  X(graze_sphere_tree_def, 128)                                                                                        \
  X(graze_sphere_tree_info, 48)                                                                                        \
  X(graze_sphere_options, 56)                                                                                          \
  X(graze_sphere_volume, 128)                                                                                          \
  X(graze_sphere_distance, 104)                                                                                        \
  X(graze_sphere_builder, 4)                                                                                           \
  X(graze_distance, 104)                                                                                               \
  X(graze_distances, 48)                                                                                               \
  X(graze_contact, 152)                                                                                                \
  X(graze_contacts, 56)                                                                                                \
  X(graze_wrench, 144)                                                                                                 \
  X(graze_wrenches, 40)                                                                                                \
  X(graze_contact_options, 48)                                                                                         \
  X(graze_crowding, 144)                                                                                               \
  X(graze_timings, 72)                                                                                                 \
  X(graze_counters, 208)                                                                                               \
  X(graze_clash, 4)                                                                                                    \
  X(graze_region, 152)                                                                                                 \
  X(graze_region_point, 64)                                                                                            \
  X(graze_region_objects, 64)                                                                                          \
  X(graze_region_options, 32)                                                                                          \
  X(graze_regions, 144)                                                                                                \
  X(graze_face_kind, 4)                                                                                                \
  X(graze_face, 12)                                                                                                    \
  X(graze_curve_kind, 4)                                                                                               \
  X(graze_curve, 32)                                                                                                   \
  X(graze_curve_vertex, 48)                                                                                            \
  X(graze_device_pairs, 56)                                                                                            \
  X(graze_device_contacts, 56)                                                                                         \
  X(graze_result, 4)                                                                                                   \
  X(graze_threading, 4)                                                                                                \
  X(graze_kind, 4)                                                                                                     \
  X(graze_format, 4)                                                                                                   \
  X(graze_simd, 4)                                                                                                     \
  X(graze_axis, 4)                                                                                                     \
  X(graze_metric, 4)                                                                                                   \
  X(graze_scope, 4)                                                                                                    \
  X(graze_neighbors, 4)                                                                                                \
  X(graze_test, 4)                                                                                                     \
  X(graze_contact_flag, 4)                                                                                             \
  X(graze_contact_kind, 4)

TEST(sizes_are_pinned) {
  const struct {
    const char *name;
    size_t size, pinned;
  } table[] = {
#define SIZE_ROW(type, pinned) {#type, sizeof(type), pinned},
      SIZE_LIST(SIZE_ROW)
#undef SIZE_ROW
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (table[i].size != table[i].pinned) {
      print_error("%s has %zu bytes, pinned are %zu\n", table[i].name, table[i].size, table[i].pinned);
    }
    assert_int_equal(table[i].size, table[i].pinned);
  }
}

/* The default makers are in the header and write what the caller knows of the struct. */
TEST(default_makers_know_the_size) {
  assert_int_equal(graze_scene_def_default().struct_bytes, sizeof(graze_scene_def));
  assert_int_equal(graze_mesh_def_default().struct_bytes, sizeof(graze_mesh_def));
  assert_int_equal(graze_method_def_default().struct_bytes, sizeof(graze_method_def));
  assert_int_equal(graze_query_default().struct_bytes, sizeof(graze_query));
  assert_int_equal(graze_allocator_default().struct_bytes, sizeof(graze_allocator));
  assert_int_equal(graze_task_system_default().struct_bytes, sizeof(graze_task_system));
  assert_int_equal(graze_workers_def_default().struct_bytes, sizeof(graze_workers_def));
  assert_int_equal(graze_backend_def_default().struct_bytes, sizeof(graze_backend_def));
  assert_int_equal(graze_contact_options_default().struct_bytes, sizeof(graze_contact_options));
  assert_int_equal(graze_region_options_default().struct_bytes, sizeof(graze_region_options));
  assert_int_equal(graze_sphere_tree_def_default().struct_bytes, sizeof(graze_sphere_tree_def));
  assert_int_equal(graze_sphere_options_default().struct_bytes, sizeof(graze_sphere_options));
  assert_int_equal(graze_batch_def_default().struct_bytes, sizeof(graze_batch_def));
  assert_int_equal(graze_packing_options_default().struct_bytes, sizeof(graze_packing_options));
  assert_int_equal(graze_carrier_def_default().struct_bytes, sizeof(graze_carrier_def));
}

TEST(library_has_the_version_of_the_header) {
  assert_string_equal(graze_version(), GRAZE_VERSION_TEXT);
}

TEST_PREPARATION {
  if (sizeof(void *) != 8 || sizeof(long) != 8) {
    print_message("skipped: not an LP64 system\n");
    return 77;
  }
  return 0;
}
