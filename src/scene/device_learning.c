/* Clusters of a scene on a device; see device_learning.h.
 *
 * The points are a sample of the middles of primitives, which come to the host once an update: some ten kilobytes. The
 * same code as for the processor moves the centres. Their number follows from the scene's size and not from what
 * searches cost: what a comparison costs on the processor says nothing of a device.
 *
 * Workload: once an update; a thousand points, or 32 for each cluster. */
#include "scene/device_learning.h"

#include "broad/clusters_state.h"
#include "cuda/device_state.h"
#include "scene/device_backend.h"
#include "scene/scene_method.h"

#include <float.h>

enum { DEVICE_CLUSTERS_MOST = 64 }; /* that are chosen: what the host has to learn grows with their square */

/* By the model of clusters_count.h: a primitive overlaps in proportion to the root of the cluster's number of
 * primitives, and is compared with every centre. The sum is least where clusters grow as the third root of the scene.
 */
static uint32_t number_of_clusters(const clusters_state *state, size_t primitive_count) {
  uint64_t count = 1;
  if (state->wanted > 0) return state->wanted;
  while (count < DEVICE_CLUSTERS_MOST && count * count * count < 4 * (uint64_t)primitive_count) count++;
  return (uint32_t)count;
}

/* ---------------------------------------------------------------------------------------------- points */

/* False where they are those that the learner has already. */
static bool keep_points(cluster_learner *learner, float (*points)[3], uint32_t count) {
  uint32_t kept = 0;
  bool differs = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!(points[i][0] <= FLT_MAX)) continue; /* erased */
    differs = differs || kept >= learner->point_count;
    for (int axis = 0; axis < 3; axis++) {
      differs = differs || learner->points[axis][kept] != points[i][axis];
      learner->points[axis][kept] = points[i][axis];
    }
    kept++;
  }
  differs = differs || kept != learner->point_count;
  learner->point_count = kept;
  return differs;
}

static graze_result fetch_points(graze_scene *scene, cluster_learner *learner, uint32_t count, bool *differ_out) {
  memory *heap = &scene->scratch.heap;
  float(*points)[3] = memory_allocate(heap, count, sizeof *points);
  if (points == NULL) return GRAZE_OUT_OF_MEMORY;
  const graze_result result = device_state_sample_points(scene->device, count, points);
  if (result == GRAZE_OK) *differ_out = keep_points(learner, points, count);
  memory_release(heap, points, count, sizeof *points);
  return result;
}

/* ---------------------------------------------------------------------------------------------- axes */

static uint32_t nearest_centre(const cluster_centres *centres, const float point[3]) {
  uint32_t nearest = 0;
  for (uint32_t k = 1; k < centres->count; k++)
    if (cluster_measure_to(centres, k, point) < cluster_measure_to(centres, nearest, point)) nearest = k;
  return nearest;
}

/* Along which the points of each cluster are spread most. */
static graze_result find_principal_axes(const cluster_learner *learner, const cluster_centres *centres, memory *heap,
                                        sweep_axis *axes_out) {
  point_spread *spreads = memory_allocate(heap, centres->count, sizeof *spreads);
  if (spreads == NULL) return GRAZE_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < centres->count; k++) {
    const float centre[3] = {centres->coordinates[0][k], centres->coordinates[1][k], centres->coordinates[2][k]};
    spreads[k] = point_spread_begin(centre);
  }
  for (uint32_t i = 0; i < learner->point_count; i++) {
    const float point[3] = {learner->points[0][i], learner->points[1][i], learner->points[2][i]};
    point_spread_add(&spreads[nearest_centre(centres, point)], point);
  }
  for (uint32_t k = 0; k < centres->count; k++) axes_out[k] = principal_axis(&spreads[k]);
  memory_release(heap, spreads, centres->count, sizeof *spreads);
  return GRAZE_OK;
}

static graze_result find_axes(const clusters_state *state, const cluster_centres *centres, memory *heap,
                              sweep_axis *axes_out) {
  if (state->axis == GRAZE_AXIS_PRINCIPAL) return find_principal_axes(&state->learner, centres, heap, axes_out);
  for (uint32_t k = 0; k < centres->count; k++) axes_out[k] = coordinate_axis((int)state->axis - (int)GRAZE_AXIS_X);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- the whole */

static graze_result hand_over(graze_scene *scene, const clusters_state *state) {
  const cluster_centres centres = learner_centres(&state->learner, state->distance);
  memory *heap = &scene->scratch.heap;
  sweep_axis *axes = memory_allocate(heap, centres.count, sizeof *axes);
  if (axes == NULL) return GRAZE_OUT_OF_MEMORY;
  graze_result result = find_axes(state, &centres, heap, axes);
  if (result == GRAZE_OK) result = device_state_take_clusters(scene->device, &centres, axes);
  memory_release(heap, axes, centres.count, sizeof *axes);
  return result;
}

static graze_result learn(graze_scene *scene, clusters_state *state) {
  const size_t primitives = scene->primitive_count;
  const uint32_t count = number_of_clusters(state, primitives), points = clusters_sample_size(primitives, count);
  bool differ;
  if (points == 0) return GRAZE_OK;
  if (!learner_reserve(&state->learner, points, count)) return GRAZE_OUT_OF_MEMORY;
  const graze_result result = fetch_points(scene, &state->learner, points, &differ);
  if (result != GRAZE_OK) return result;
  if (!differ && scene->device->cluster_count > 0) return GRAZE_OK;
  if (differ) clusters_learn(state, count, scene->workers);
  return state->learner.centre_count > 0 ? hand_over(scene, state) : GRAZE_OK;
}

graze_result device_learn_clusters(graze_scene *scene) {
  method_state *kept = &scene->search_state;
  const method_options options = {&scene->method_def};
  graze_result result = GRAZE_OK;
  if (kept->row != &method_clusters) {
    method_close(kept);
    result = method_open(kept, &method_clusters, &options, &scene->memory);
  }
  if (result == GRAZE_OK) result = learn(scene, kept->own);
  if (result == GRAZE_OK) return GRAZE_OK;
  scene_close_method(scene);
  return device_backend_fail(scene, result);
}
