/* Common functions of the tests of clusters on a device: triangles, the method, the reference, and a query to both. */
#ifndef GRAZE_TESTS_CLUSTER_FRAMES_H
#define GRAZE_TESTS_CLUSTER_FRAMES_H

#include "base/number_sequence.h"
#include "device_frames.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stdlib.h>

static inline mesh loose_triangles(size_t count) {
  mesh m = torture_mesh(3 * count, count);
  for (size_t i = 0; i < 3 * count; i++) m.triangles[i] = (uint32_t)i;
  return m;
}

static inline double random_unit(uint64_t *seed) {
  return 2e-6 * (double)sequence_below(seed, 1000000) - 1.0;
}

static inline graze_method_def method_of(uint32_t clusters, graze_axis axis, graze_metric distance) {
  graze_method_def method = graze_method_def_default();
  method.name = "clusters";
  method.clusters = clusters;
  method.axis = axis;
  method.metric = distance;
  return method;
}

static inline void choose(graze_scene *scene, const graze_method_def *method) {
  assert_ok(graze_scene_set_method(scene, method));
}

static inline graze_scene *reference_scene(const mesh *meshes, size_t mesh_count) {
  const running_variant reference = running_variant_reference();
  return runner_scene(&reference, meshes, mesh_count, NULL);
}

/* Candidates and neighbors also equal the processor's, because each pair is listed once. The grid, which has no
 * members, rounds its boxes. */
static inline graze_counters compare_query(const graze_scene *judge, const graze_scene *scene, const graze_query *query,
                                           const char *name) {
  const pair_answer wanted = runner_find(judge, query), found = runner_find(scene, query);
  runner_compare(&wanted, &found, name, "clusters on a device");
  if (found.counters.members > 0)
    assert_int_equal(wanted.counters.candidates, found.counters.candidates);
  else
    assert_true(wanted.counters.candidates <= found.counters.candidates);
  assert_int_equal(wanted.counters.neighbors, found.counters.neighbors);
  free(wanted.pairs);
  free(found.pairs);
  return found.counters;
}

static inline graze_counters cluster_counters_of(const mesh *m, const graze_method_def *method) {
  OWNED_SCENE *judge = reference_scene(m, 1), *scene = device_frames_scene(m, 1);
  choose(scene, method);
  const graze_query query = graze_query_default();
  const graze_counters counters = compare_query(judge, scene, &query, "one object");
  return counters;
}

#endif
