/* Common functions of the tests of methods on a device: a scene there, the queries of a frame, and the same change of
 * two scenes. */
#ifndef GRAZE_TESTS_DEVICE_FRAMES_H
#define GRAZE_TESTS_DEVICE_FRAMES_H

#include "base/number_sequence.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>

static inline bool device_frames_have_solids(const mesh *meshes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (meshes[i].kind != MESH_POLYGONS) return true;
  return false;
}

static inline graze_scene *device_frames_scene(const mesh *meshes, size_t mesh_count) {
  running_variant variant = running_variant_reference();
  variant.method = "auto"; /* the device's */
  return runner_scene(&variant, meshes, mesh_count, NULL);
}

/* A turn about an axis that differs from frame to frame, and a shift. */
static inline void device_frame_place(graze_scene *scene, uint32_t index, uint64_t *seed) {
  const double angle = 0.001 * (double)sequence_below(seed, 6283), c = cos(angle), s = sin(angle);
  const double turns[3][9] = {{c, -s, 0, s, c, 0, 0, 0, 1}, {1, 0, 0, 0, c, -s, 0, s, c}, {c, 0, s, 0, 1, 0, -s, 0, c}};
  double shift[3];
  for (int axis = 0; axis < 3; axis++) shift[axis] = 0.0005 * ((double)sequence_below(seed, 1000) - 500.0);
  assert_ok(pose_object(scene, (graze_object){index, 1}, turns[sequence_below(seed, 3)], shift));
}

static inline void device_frame_deform(graze_scene *scene, uint32_t index, const mesh *m, uint64_t seed) {
  OWNED_MEMORY double *moved = malloc((3 * m->vertex_count + 1) * sizeof *moved);
  assert_non_null(moved);
  for (size_t i = 0; i < 3 * m->vertex_count; i++)
    moved[i] = m->positions[i] * (1.0 + 1e-3 * (double)sequence_below(&seed, 100));
  const graze_view view = {moved, m->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_set_positions(scene, (graze_object){index, 1}, 0, view));
}

/* The same changes to both. */
static inline void device_frame_change(graze_scene *judge, graze_scene *scene, const mesh *meshes, size_t mesh_count,
                                       int frame) {
  for (uint32_t i = 0; i < mesh_count; i++) {
    const bool deforms = (i + (uint32_t)frame) % 4 == 3 && meshes[i].kind != MESH_POLYHEDRA;
    uint64_t first = 77 * (uint64_t)frame + i, second = first;
    if (deforms) {
      device_frame_deform(judge, i, &meshes[i], first);
      device_frame_deform(scene, i, &meshes[i], second);
    } else if ((i + (uint32_t)frame) % 3 != 0) {
      device_frame_place(judge, i, &first);
      device_frame_place(scene, i, &second);
    }
  }
  assert_ok(graze_scene_update(judge));
  assert_ok(graze_scene_update(scene));
}

enum { DEVICE_FRAME_KINDS = 5 };

/* Query `kind` of a scope: pairs, boxes, neighbors too where there are no solids, pairs of the first object in a box,
 * and pairs within a clearance. */
static inline graze_query device_frame_query(graze_scope scope, int kind, bool solids) {
  graze_query query = graze_query_default();
  query.scope = scope;
  query.candidates_only = kind == 1;
  query.clearance = kind == 4 ? 0.015 : 0.0;
  query.neighbors = kind == 2 && !solids ? GRAZE_NEIGHBORS_BEYOND : GRAZE_NEIGHBORS_SKIP;
  if (kind != 3) return query;
  query.about_count = 1;
  query.about_a = (graze_object){0, 1};
  query.in_box = scope != GRAZE_SCOPE_BETWEEN;
  for (int axis = 0; axis < 3; axis++) {
    query.box_min[axis] = -0.3 * (axis + 1);
    query.box_max[axis] = 0.25;
  }
  return query;
}

#endif
