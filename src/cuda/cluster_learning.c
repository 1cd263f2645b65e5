/* The method "clusters" on a device: the host learns the clusters from points sampled on the device.
 *
 * The points are a sample of the centers of primitives. If there are no centers yet, or their number is to change, the
 * points are downloaded, about ten kilobytes, and the processor's code learns from them. In all other frames the device
 * updates centers and axes by itself, without a wait (stage_learning.h). Their number follows from the cost of earlier
 * searches, by the processor's model with the device's costs. If searches have become twice as expensive as when the
 * centers were learned, as after a jump, the centers are learned anew.
 *
 * Workload: once per update; a thousand points, or 32 per cluster. */
#include "broad/clusters_state.h"
#include "cuda/cuda_method.h"
#include "cuda/device_clusters.h"

#include <float.h>

enum { DEVICE_CLUSTERS_AT_START = 64 }; /* at most */

/* Fitted to measurements on an H200: docs/lab/clusters.md. */
static const cluster_costs device_costs = {500.0, 20.0, 0.7};

/* By the model of clusters_count.h: the overlap of a primitive is proportional to the square root of the cluster's
 * number of primitives, and each primitive is compared with every center. The sum is least if the number of clusters
 * grows as the cube root of the number of primitives. */
static uint32_t clusters_at_start(size_t primitive_count) {
  uint64_t count = 1;
  while (count < DEVICE_CLUSTERS_AT_START && count * count * count < 4 * (uint64_t)primitive_count) count++;
  return (uint32_t)count;
}

static uint32_t number_of_clusters(const device_clusters *own) {
  clusters_state *state = own->learned;
  const size_t primitive_count = own->search->scene->primitive_count;
  if (state->wanted > 0) return state->wanted;
  if (own->count == 0 || own->requested_count == 0) return clusters_at_start(primitive_count);
  return clusters_adapt(state, &own->notes, &device_costs, own->requested_count);
}

/* ---------------------------------------------------------------------------------------------- points */

static void keep_points(cluster_learner *learner, float (*points)[3], uint32_t count) {
  learner->point_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!(points[i][0] <= FLT_MAX)) continue; /* erased */
    for (int axis = 0; axis < 3; axis++) learner->points[axis][learner->point_count] = points[i][axis];
    learner->point_count++;
  }
}

static graze_result fetch_points(device_clusters *own, cluster_learner *learner, uint32_t count) {
  memory *heap = own->search->memory->scratch;
  float(*points)[3] = memory_allocate(heap, count, sizeof *points);
  if (points == NULL) return GRAZE_OUT_OF_MEMORY;
  const graze_result result = device_clusters_sample(own, count, points);
  if (result == GRAZE_OK) keep_points(learner, points, count);
  memory_release(heap, points, count, sizeof *points);
  return result;
}

/* ---------------------------------------------------------------------------------------------- axes */

static uint32_t nearest_center(const cluster_centers *centers, const float point[3]) {
  uint32_t nearest = 0;
  for (uint32_t k = 1; k < centers->count; k++)
    if (cluster_measure_to(centers, k, point) < cluster_measure_to(centers, nearest, point)) nearest = k;
  return nearest;
}

/* The directions of largest spread of each cluster's points. */
static graze_result find_principal_axes(const cluster_learner *learner, const cluster_centers *centers, memory *heap,
                                        sweep_axis *axes_out) {
  point_spread *spreads = memory_allocate(heap, centers->count, sizeof *spreads);
  if (spreads == NULL) return GRAZE_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < centers->count; k++) {
    const float center[3] = {centers->coordinates[0][k], centers->coordinates[1][k], centers->coordinates[2][k]};
    spreads[k] = point_spread_begin(center);
  }
  for (uint32_t i = 0; i < learner->point_count; i++) {
    const float point[3] = {learner->points[0][i], learner->points[1][i], learner->points[2][i]};
    point_spread_add(&spreads[nearest_center(centers, point)], point);
  }
  for (uint32_t k = 0; k < centers->count; k++) axes_out[k] = principal_axis(&spreads[k]);
  memory_release(heap, spreads, centers->count, sizeof *spreads);
  return GRAZE_OK;
}

static graze_result find_axes(const clusters_state *state, const cluster_centers *centers, memory *heap,
                              sweep_axis *axes_out) {
  if (state->axis == GRAZE_AXIS_PRINCIPAL) return find_principal_axes(&state->learner, centers, heap, axes_out);
  for (uint32_t k = 0; k < centers->count; k++) axes_out[k] = coordinate_axis((int)state->axis - (int)GRAZE_AXIS_X);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- learning */

static graze_result hand_over(device_clusters *own) {
  const clusters_state *state = own->learned;
  const cluster_centers centers = learner_centers(&state->learner, state->distance);
  memory *heap = own->search->memory->scratch;
  sweep_axis *axes = memory_allocate(heap, centers.count, sizeof *axes);
  if (axes == NULL) return GRAZE_OUT_OF_MEMORY;
  graze_result result = find_axes(state, &centers, heap, axes);
  if (result == GRAZE_OK) result = device_clusters_take(own, &centers, axes);
  memory_release(heap, axes, centers.count, sizeof *axes);
  return result;
}

/* The host learns from the current points. */
static graze_result learn(device_clusters *own, uint32_t count, workers *team) {
  clusters_state *state = own->learned;
  const uint32_t points = clusters_sample_size(own->search->scene->primitive_count, count);
  own->requested_count = 0;
  own->overlaps_when_learned = 0.0;
  if (points == 0) return GRAZE_OK;
  if (!learner_reserve(&state->learner, points, count)) return GRAZE_OUT_OF_MEMORY;
  graze_result result = fetch_points(own, &state->learner, points);
  if (result != GRAZE_OK) return result;
  clusters_learn(state, count, team);
  if (state->learner.center_count == 0) return GRAZE_OK;
  result = hand_over(own);
  if (result == GRAZE_OK) own->requested_count = count;
  return result;
}

static graze_result move_on(device_clusters *own) {
  const clusters_state *state = own->learned;
  const size_t primitive_count = own->search->scene->primitive_count;
  const device_learning learning = {.point_count = clusters_sample_size(primitive_count, own->requested_count),
                                    .rule = state->rule,
                                    .moves_axes = state->axis == GRAZE_AXIS_PRINCIPAL};
  return device_clusters_move(own, &learning);
}

/* Whether searches have become too expensive since the centers were learned. */
static bool centers_are_spent(device_clusters *own) {
  const search_notes *notes = &own->notes;
  if (notes->words[NOTE_SEARCHED] == 0) return false;
  const double overlaps = (double)notes->words[NOTE_OVERLAPS] / (double)notes->words[NOTE_SEARCHED];
  if (own->overlaps_when_learned == 0.0) own->overlaps_when_learned = overlaps;
  return overlaps > 2.0 * own->overlaps_when_learned;
}

static graze_result update(void *state, const update_input *input) {
  device_clusters *own = state;
  if (own->search->scene->primitive_count == 0) return GRAZE_OK;
  const uint32_t count = number_of_clusters(own);
  const bool spent = centers_are_spent(own);
  const bool there = own->count > 0 && own->requested_count == count && !spent;
  own->notes = (search_notes){{0}};
  if (spent) own->learned->learner.center_count = 0; /* starts without the previous centers */
  return there ? move_on(own) : learn(own, count, input->workers);
}

/* Without points to learn from, the grid searches. All centers give the same pairs. */
static bool is_ready(const void *state) {
  return ((const device_clusters *)state)->count > 0;
}

static graze_result find(void *state, device_wrenches *wrenches, const cuda_request *request,
                         device_answer *answer_out) {
  const cluster_range all = {0, CLUSTERS_END};
  return device_clusters_find(state, wrenches, request->query, all, answer_out);
}

const cuda_method cuda_clusters = {.way = &search_by_clusters,
                                   .create = device_clusters_create,
                                   .update = update,
                                   .is_ready = is_ready,
                                   .find = find,
                                   .destroy = device_clusters_destroy};
