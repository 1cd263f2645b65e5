/* Explicit meshes of a few triangles for tests of single calls. */
#ifndef GRAZE_TESTS_SMALL_MESHES_H
#define GRAZE_TESTS_SMALL_MESHES_H

#include "graze/graze.h"
#include "scene_calls.h"

#include <string.h>

/* Triangle 0 lies flat, triangle 1 stands through it, triangle 2 is far away; no vertex is shared. */
static const float crossing_positions[27] = {0, 0, 0,  4,  0, 0, 0, 4,  0, /* flat */
                                             1, 1, -1, 1,  1, 1, 2, 1,  1, /* through it */
                                             9, 9, 9,  10, 9, 9, 9, 10, 9};
static const uint32_t crossing_triangles[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static inline graze_view float_view(const float *data, size_t count) {
  return (graze_view){data, count, 0, GRAZE_FORMAT_FLOAT3};
}
static inline graze_view double_view(const double *data, size_t count) {
  return (graze_view){data, count, 0, GRAZE_FORMAT_DOUBLE3};
}
static inline graze_view index_view(const uint32_t *data, size_t count) {
  return (graze_view){data, count, 0, GRAZE_FORMAT_UINT32_3};
}

static inline graze_mesh_def crossing_def(void) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = float_view(crossing_positions, 9);
  def.triangles = index_view(crossing_triangles, 3);
  return def;
}

/* A scene of two workers with the crossing triangles as object 0, updated. */
static inline graze_scene *crossing_scene(graze_object *object_out) {
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.worker_count = 2;
  graze_scene *scene = create_scene(&scene_def);
  const graze_mesh_def def = crossing_def();
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, object_out));
  assert_ok(graze_scene_update(scene));
  return scene;
}

static inline size_t count_pairs(graze_scene *scene) {
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  const size_t count = pairs.count;
  return count;
}

static inline size_t count_pairs_updated(graze_scene *scene) {
  assert_ok(graze_scene_update(scene));
  return count_pairs(scene);
}

#define assert_refused(call, code, message)                                                                            \
  do {                                                                                                                 \
    assert_int_equal(call, code);                                                                                      \
    assert_string_equal(graze_error_text(), message);                                                                  \
  } while (0)

#endif
