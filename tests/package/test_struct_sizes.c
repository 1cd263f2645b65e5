/* Pins the sizes of the public structs for 64-bit systems (LP64), which programs compiled against an older header rely
 * on.
 *
 * Structs with a struct_bytes field may grow at their end: then the new size comes in here, in the same commit. The
 * others may not change before the interface version does. */
#include "graze/graze.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SIZE_LIST(X)                                                                                                   \
  X(graze_allocator, 24)                                                                                               \
  X(graze_task_system, 24)                                                                                             \
  X(graze_scene_def, 56)                                                                                               \
  X(graze_workers_def, 32)                                                                                             \
  X(graze_object, 8)                                                                                                   \
  X(graze_view, 32)                                                                                                    \
  X(graze_mesh_def, 232)                                                                                               \
  X(graze_method_def, 32)                                                                                              \
  X(graze_query, 136)                                                                                                  \
  X(graze_pair, 16)                                                                                                    \
  X(graze_pairs, 32)                                                                                                   \
  X(graze_contact, 96)                                                                                                 \
  X(graze_contacts, 32)                                                                                                \
  X(graze_wrench, 96)                                                                                                  \
  X(graze_wrenches, 16)                                                                                                \
  X(graze_crowding, 128)                                                                                               \
  X(graze_timings, 64)                                                                                                 \
  X(graze_counters, 160)                                                                                               \
  X(graze_result, 4)                                                                                                   \
  X(graze_threading, 4)                                                                                                \
  X(graze_backend, 4)                                                                                                  \
  X(graze_format, 4)                                                                                                   \
  X(graze_hash, 4)                                                                                                     \
  X(graze_simd, 4)                                                                                                     \
  X(graze_scope, 4)                                                                                                    \
  X(graze_neighbours, 4)                                                                                               \
  X(graze_contact_kind, 4)

static void sizes_are_pinned(void **state) {
  (void)state;
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

/* The default makers are in the library, the struct is in the caller: both must mean the same bytes. */
static void default_makers_know_the_size(void **state) {
  (void)state;
  assert_int_equal(graze_scene_def_default().struct_bytes, sizeof(graze_scene_def));
  assert_int_equal(graze_mesh_def_default().struct_bytes, sizeof(graze_mesh_def));
  assert_int_equal(graze_method_def_default().struct_bytes, sizeof(graze_method_def));
  assert_int_equal(graze_query_default().struct_bytes, sizeof(graze_query));
}

static void library_has_the_version_of_the_header(void **state) {
  (void)state;
  assert_string_equal(graze_version(), GRAZE_VERSION_TEXT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_pinned),
      cmocka_unit_test(default_makers_know_the_size),
      cmocka_unit_test(library_has_the_version_of_the_header),
  };
  if (sizeof(void *) != 8 || sizeof(long) != 8) {
    print_message("skipped: not an LP64 system\n");
    return 77;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
