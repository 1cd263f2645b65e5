/* The method "clusters" on a device: points to learn from, the learned clusters, memory of a sweep, and its stages; and
 * the learning on the host.
 *
 * The stages of a sweep are queued without a wait for the host between them. Their counts show whether the
 * capacities sufficed: otherwise the later stages do nothing, and the query is repeated. */
#include "cuda/device_clusters.h"

#include "broad/clusters_cover.h"
#include "broad/clusters_state.h"
#include "cuda/device_find.h"

#include <float.h>
#include <string.h>

CLUSTER_STAGE_LIST(QUEUED_STAGE)
LEARNING_STAGE_LIST(QUEUED_STAGE)

/* Pieces per launch. */
enum { LAUNCH_PIECES = CLUSTER_LANES / PIECE_LANES };

/* The largest number of pieces that indices can address. */
#define MOST_PIECES ((uint64_t)UINT32_MAX - 1)

_Static_assert(sizeof(cluster_view) <= METHOD_VIEW_MOST, "the view fits into a run");

static graze_result create_clusters(device_search *shared, const method_options *options, void **state_out) {
  device_clusters *own = memory_allocate(shared->memory->heap, 1, sizeof *own);
  if (own == NULL) return GRAZE_OUT_OF_MEMORY;
  memset(own, 0, sizeof *own);
  own->search = shared;
  void *learned = NULL;
  const graze_result result = clusters_create(shared->memory->heap, options, &learned);
  if (result != GRAZE_OK) {
    memory_release(shared->memory->heap, own, 1, sizeof *own);
    return result;
  }
  own->learned = learned;
  *state_out = own;
  return GRAZE_OK;
}

static void destroy_clusters(void *state) {
  device_clusters *own = state;
  device_memory *held = own->search->memory;
  device_buffer *const buffers[] = {&own->record,      &own->points, &own->pulls, &own->first, &own->keys,
                                    &own->sorted_keys, &own->rows,   &own->ends,  &own->pieces};
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) release_buffer(held, buffers[i]);
  clusters_destroy(held->heap, own->learned);
  memory_release(held->heap, own, 1, sizeof *own);
}

/* ---------------------------------------------------------------------------------------------- learned clusters */

static graze_result sample_once(device_clusters *own, uint32_t count, float (*points_out)[3]) {
  device_memory *held = own->search->memory;
  const device_operations *device = &held->operations;
  const size_t bytes = count * sizeof *points_out;
  graze_result result = size_spare(held, &own->points, bytes);
  if (result != GRAZE_OK) return result;
  const learning_view view = {
      .scene = device_scene_view(own->search->scene), .points = own->points.data, .point_count = count};
  stage_queue queue = {device, GRAZE_OK};
  queue_stage(&queue, cluster_point, &view);
  return queue.result == GRAZE_OK ? device->download(device->context, points_out, view.points, bytes) : queue.result;
}

/* Computes the centers of `count` primitives, evenly spread over their numbers; infinite if one is removed. Called
 * after an update. */
static graze_result sample_points(device_clusters *own, uint32_t count, float (*points_out)[3]) {
  const graze_result result = sample_once(own, count, points_out);
  return result == GRAZE_OUT_OF_MEMORY && release_spares(own->search->memory) ? sample_once(own, count, points_out)
                                                                              : result;
}

static size_t record_bytes(size_t count) {
  return count * (sizeof(sweep_axis) + 3 * sizeof(float));
}

/* Axes first, then one array per coordinate. */
static graze_result upload_record(device_clusters *own, const cluster_centers *centers, const sweep_axis *axes) {
  device_memory *held = own->search->memory;
  const size_t count = centers->count;
  char *record = memory_allocate(held->scratch, record_bytes(count), 1);
  if (record == NULL) return GRAZE_OUT_OF_MEMORY;
  memcpy(record, axes, count * sizeof *axes);
  for (size_t axis = 0; axis < 3; axis++)
    memcpy(record + count * (sizeof *axes + axis * sizeof(float)), centers->coordinates[axis], count * sizeof(float));
  graze_result result = upload_all(held, &own->record, record, record_bytes(count));
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(held))
    result = upload_all(held, &own->record, record, record_bytes(count));
  memory_release(held->scratch, record, record_bytes(count), 1);
  return result;
}

graze_result device_clusters_take(device_clusters *own, const cluster_centers *centers, const sweep_axis *axes) {
  own->count = 0; /* until the upload is complete */
  const graze_result result = upload_record(own, centers, axes);
  if (result != GRAZE_OK) return result;
  own->count = own->used = centers->count;
  own->distance = centers->distance;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- updates */

static sweep_axis *axes_of(const device_clusters *own) {
  return own->record.data;
}

static float *coordinates_of(const device_clusters *own, size_t axis) {
  return (float *)(void *)(axes_of(own) + own->count) + axis * own->count;
}

static cluster_centers centers_of(const device_clusters *own) {
  cluster_centers centers = {.count = own->count, .distance = own->distance};
  for (size_t axis = 0; axis < 3; axis++) centers.coordinates[axis] = coordinates_of(own, axis);
  return centers;
}

/* How centers on the device follow the scene. */
typedef struct device_learning {
  uint32_t point_count;
  fuzzy_rule rule;
  bool moves_axes; /* updates principal axes; otherwise they stay */
} device_learning;

/* One step of fuzzy c-means: centers start at their last positions, and consecutive frames are similar. */
static graze_result move_once(device_clusters *own, const device_learning *learning) {
  device_memory *held = own->search->memory;
  const size_t count = learning->point_count;
  graze_result result = size_spare(held, &own->points, count * sizeof(float[3]));
  if (result == GRAZE_OK) result = size_spare(held, &own->pulls, count * sizeof(point_pull));
  if (result != GRAZE_OK) return result;
  learning_view view = {.scene = device_scene_view(own->search->scene),
                        .centers = centers_of(own),
                        .points = own->points.data,
                        .point_count = learning->point_count,
                        .moves_axes = learning->moves_axes ? 1 : 0,
                        .pulls = own->pulls.data,
                        .moving_axes = axes_of(own),
                        .rule = learning->rule};
  for (size_t axis = 0; axis < 3; axis++) view.moving[axis] = coordinates_of(own, axis);
  stage_queue queue = {&held->operations, GRAZE_OK};
  queue_stage(&queue, cluster_point, &view);
  queue_stage(&queue, cluster_weigh, &view);
  queue_stage(&queue, cluster_move, &view);
  return queue.result;
}

/* Moves existing centers and axes to the points of the last update. Asynchronous. */
static graze_result move_clusters(device_clusters *own, const device_learning *learning) {
  graze_result result = move_once(own, learning);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(own->search->memory)) result = move_once(own, learning);
  if (result == GRAZE_OK)
    own->used = own->count;
  else
    own->count = 0;
  return result;
}

/* ---------------------------------------------------------------------------------------------- a sweep */

static uint32_t bits_of(uint32_t count) {
  uint32_t bits = 0;
  while (UINT32_C(1) << bits < count) bits++;
  return bits;
}

/* The bits of cluster numbers in keys: huge primitives use the number after the last cluster. */
static uint32_t cluster_bits(uint32_t clusters) {
  return bits_of(clusters + 1);
}

static void view_clusters(const void *state, const grid_view *grid, void *view_out) {
  const device_clusters *own = state;
  cluster_view *view = view_out;
  const uint32_t taken = cluster_bits(own->count) + grid->pairs.lists.key_bits;
  view->pairs = grid->pairs;
  view->centers = centers_of(own);
  view->centers.count = own->used;
  view->axes = axes_of(own);
  view->start_bits = taken > 32 ? 64 - taken : 32;
  view->bounds = own->first.data;
  view->first = (uint32_t *)(void *)(view->bounds + own->count + 1);
  view->keys = own->keys.data;
  view->sorted_keys = own->sorted_keys.data;
  view->rows = own->rows.data;
  view->ends = own->ends.data;
  view->first_piece = own->pieces.data;
  view->member_capacity = own->member_capacity;
  view->piece_capacity = own->piece_capacity;
  view->range = own->range;
}

/* Bounds of clusters and of huge primitives, then one element per entry and the end. */
static size_t first_bytes(size_t clusters, size_t primitives) {
  return (clusters + 1) * sizeof(cluster_bound) + (primitives + 1) * sizeof(uint32_t);
}

static graze_result size_members(device_clusters *own) {
  device_memory *held = own->search->memory;
  const size_t capacity = (size_t)own->member_capacity;
  graze_result result = size_spare(held, &own->first, first_bytes(own->count, own->search->scene->primitive_count));
  if (result == GRAZE_OK) result = size_spare(held, &own->keys, capacity * sizeof(uint64_t));
  if (result == GRAZE_OK) result = size_spare(held, &own->sorted_keys, capacity * sizeof(uint64_t));
  if (result == GRAZE_OK) result = size_spare(held, &own->rows, capacity * sizeof(sweep_row));
  if (result == GRAZE_OK) result = size_spare(held, &own->ends, capacity * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_spare(held, &own->pieces, capacity * sizeof(uint32_t));
  return result;
}

static graze_result reserve_clusters(void *state, const device_query *query) {
  device_clusters *own = state;
  const device_operations *device = &own->search->memory->operations;
  const size_t hint = device->first_capacity, primitives = own->search->scene->primitive_count;
  (void)query;
  if (own->member_capacity == 0) own->member_capacity = hint != 0 ? hint : grown_capacity(primitives);
  if (own->piece_capacity == 0) own->piece_capacity = hint != 0 ? hint : LAUNCH_PIECES;
  const graze_result result = size_members(own);
  const size_t capacity = (size_t)own->member_capacity, entries = primitives + 1;
  return result == GRAZE_OK ? device->reserve(device->context, capacity > entries ? capacity : entries, capacity)
                            : result;
}

/* If primitives are members of too many clusters, clusters do not pay, and a single one is used. */
static bool enlarge_candidates(void *state, const device_totals *totals) {
  device_clusters *own = state;
  const uint64_t members = tally_sum(totals, TALLY_MEMBERS), pieces = tally_sum(totals, TALLY_PIECES);
  const bool too_many = own->used > 1 && members > COVER_MOST * (uint64_t)totals->entry_count;
  const bool enlarged = members > own->member_capacity, longer = pieces > own->piece_capacity;
  if (too_many) own->used = 1;
  if (enlarged && !too_many) own->member_capacity = grown_capacity(members);
  if (longer) own->piece_capacity = pieces + pieces / 4;
  return too_many || enlarged || longer;
}

static bool is_too_long(const void *state, const device_totals *totals) {
  (void)state;
  return tally_sum(totals, TALLY_MEMBERS) > LONGEST_LIST || tally_sum(totals, TALLY_PIECES) > MOST_PIECES;
}

static void reset_capacities(void *state) {
  device_clusters *own = state;
  own->member_capacity = own->piece_capacity = 0;
}

/* The cost of a sweep of all primitives is kept, to choose the number of clusters of the next frame. */
static void count_candidates(void *state, const device_query *query, const device_totals *totals,
                             graze_counters *counters) {
  device_clusters *own = state;
  uint64_t *words = own->notes.words;
  if (counters->members == 0) return;
  counters->clusters = own->used;
  if (query->is_part || focus_is_narrow(&query->focus)) return;
  words[NOTE_CLUSTERS] = own->used;
  words[NOTE_SEARCHED] = totals->entry_count;
  words[NOTE_MEMBERS] = tally_sum(totals, TALLY_MEMBERS);
  words[NOTE_OVERLAPS] = tally_sum(totals, TALLY_BOX_TESTS);
  words[NOTE_MEETINGS] =
      totals->list[LIST_CANDIDATES] + tally_sum(totals, TALLY_NEIGHBORS) + tally_sum(totals, TALLY_DUPLICATES);
}

static void queue_members(stage_queue *queue, const cluster_view *v) {
  const size_t primitives = v->pairs.scene.primitive_count;
  const uint32_t bits = cluster_bits(v->centers.count) + v->start_bits + v->pairs.lists.key_bits;
  queue_clear(queue, v->bounds, 0, (size_t)((char *)(v->first + primitives + 1) - (char *)v->bounds));
  queue_stage(queue, cluster_side, v);
  queue_stage(queue, cluster_count, v);
  queue_stage(queue, cluster_huge, v);
  queue_scan(queue, v->first, primitives + 1, NULL);
  /* Free elements hold the highest key, so that they sort last. */
  queue_clear(queue, v->keys, 0xff, v->member_capacity * sizeof *v->keys);
  queue_stage(queue, cluster_member, v);
  queue_sort(queue, v->keys, v->sorted_keys, (size_t)v->member_capacity, bits);
}

static void queue_sweep(stage_queue *queue, const grid_view *grid, const void *view) {
  cluster_view part = *(const cluster_view *)view;
  (void)grid;
  queue_members(queue, &part);
  queue_stage(queue, cluster_row, &part);
  queue_scan(queue, part.first_piece, (size_t)part.member_capacity,
             NULL); /* the elements after the members are undefined */
  for (; part.first_lane < part.piece_capacity * PIECE_LANES; part.first_lane += CLUSTER_LANES)
    queue_stage(queue, cluster_sweep, &part);
}

static const search_steps search_by_clusters = {.searches = COMPARES_BOXES,
                                                .reserve = reserve_clusters,
                                                .view = view_clusters,
                                                .queue_candidates = queue_sweep,
                                                .enlarge = enlarge_candidates,
                                                .is_too_long = is_too_long,
                                                .reset_capacities = reset_capacities,
                                                .count = count_candidates};

graze_result device_clusters_find(device_clusters *own, device_wrenches *wrenches, const device_query *query,
                                  cluster_range range, device_answer *answer_out) {
  device_query part_query = *query;
  own->range = range;
  part_query.is_part = !range_has_all_clusters(range);
  return device_find(own->search, wrenches, &search_by_clusters, own, &part_query, answer_out);
}

/* ---------------------------------------------------------------------------------------------- learning on the host
 *
 * The points are a sample of the centers of primitives. If there are no centers yet, or their number is to change, the
 * points are downloaded, about ten kilobytes, and the processor's code learns from them. In all other frames the device
 * updates centers and axes by itself, without a wait (stage_clusters.h). Their number follows from the cost of earlier
 * searches, by the processor's model with the device's costs. If searches have become twice as expensive as when the
 * centers were learned, as after a jump, the centers are learned anew.
 *
 * Workload: once per update; a thousand points, or 32 per cluster. */

enum { DEVICE_CLUSTERS_AT_START = 64 }; /* at most */

/* Fitted to measurements on an H200: docs/lab/clusters.md. */
static const cluster_costs device_costs = {500.0, 20.0, 0.7};

/* By the model of clusters_state.h: the overlap of a primitive is proportional to the square root of the cluster's
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
    if (!(points[i][0] <= FLT_MAX)) continue; /* removed */
    for (int axis = 0; axis < 3; axis++) learner->points[axis][learner->point_count] = points[i][axis];
    learner->point_count++;
  }
}

static graze_result fetch_points(device_clusters *own, cluster_learner *learner, uint32_t count) {
  memory *heap = own->search->memory->scratch;
  float(*points)[3] = memory_allocate(heap, count, sizeof *points);
  if (points == NULL) return GRAZE_OUT_OF_MEMORY;
  const graze_result result = sample_points(own, count, points);
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
  return move_clusters(own, &learning);
}

/* Whether searches have become too expensive since the centers were learned. */
static bool centers_are_spent(device_clusters *own) {
  const search_notes *notes = &own->notes;
  if (notes->words[NOTE_SEARCHED] == 0) return false;
  const double overlaps = (double)notes->words[NOTE_OVERLAPS] / (double)notes->words[NOTE_SEARCHED];
  if (own->overlaps_when_learned == 0.0) own->overlaps_when_learned = overlaps;
  return overlaps > 2.0 * own->overlaps_when_learned;
}

static graze_result update_clusters(void *state, const update_input *input) {
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

static graze_result find_with_clusters(void *state, device_wrenches *wrenches, const cuda_request *request,
                                       device_answer *answer_out) {
  const cluster_range all = {0, CLUSTERS_END};
  return device_clusters_find(state, wrenches, request->query, all, answer_out);
}

const cuda_method cuda_clusters = {.steps = &search_by_clusters,
                                   .create = create_clusters,
                                   .update = update_clusters,
                                   .is_ready = is_ready,
                                   .find = find_with_clusters,
                                   .destroy = destroy_clusters};
