/* Configurations of many bodies; see device_batch.h.
 *
 * For each chunk of configurations, poses are applied. Tests: pairs of bodies whose boxes come within their limit are
 * listed, and each of them is tested. The list has space for all pairs of a chunk, so it never overflows. Distances:
 * boxes of pairs of bodies are compared, and one warp searches each configuration, or each pair of it. */
#include "cuda/device_batch.h"

#include "broad/tree_occupancy_table.h"
#include "cuda/device_operations.h"

CONFIGURATION_STAGE_LIST(QUEUED_STAGE)
NEAR_STAGE_LIST(QUEUED_STAGE)
DISTANCE_STAGE_LIST(QUEUED_STAGE)

/* Candidates, and bytes of posed spaces, per chunk of tests: enough to keep a large device busy. Bytes of a chunk of
 * distances: the same, with several chunks in a batch of a million poses. */
enum { CANDIDATES_MOST = 1 << 24, POSED_BYTES_MOST = 1 << 28, DISTANCE_BYTES_MOST = 1 << 26 };

static size_t answer_bytes(const device_batch_query *query) {
  return query->column_count * (query->counts ? sizeof(uint64_t) : sizeof(uint8_t));
}

static size_t pairs_most(const device_memory *held) {
  return held->operations.first_capacity != 0 ? held->operations.first_capacity : CANDIDATES_MOST;
}

/* Memory of the parts, the pairs, and the poses of some configurations. */
static graze_result make_bodies(device_batch *own, device_memory *held, const device_batch_query *query, size_t count) {
  const size_t poses = count * query->moving_count;
  graze_result result = upload_spare(held, &own->parts, query->parts, query->part_count * sizeof *query->parts);
  if (result == GRAZE_OK)
    result = upload_spare(held, &own->pairs, query->pairs, query->pair_count * sizeof *query->pairs);
  if (result == GRAZE_OK && query->padding != NULL)
    result = upload_spare(held, &own->padding, query->padding, query->part_count * sizeof *query->padding);
  if (result == GRAZE_OK && !query->poses_on_device) result = size_spare(held, &own->poses, poses * sizeof(rigid_pose));
  if (result == GRAZE_OK) result = size_spare(held, &own->posed, poses * sizeof(posed_space));
  if (result == GRAZE_OK) result = size_spare(held, &own->free, poses);
  if (result == GRAZE_OK) result = size_spare(held, &own->state, sizeof(configuration_state));
  return result;
}

static configuration_view view_of(const device_batch *own, const device_scene *scene, const device_forest *trees,
                                  const device_batch_query *query) {
  configuration_view view = {.scene = device_scene_view(scene),
                             .forest = device_forest_view(trees),
                             .parts = own->parts.data,
                             .pairs = own->pairs.data,
                             .poses = own->poses.data,
                             .posed = own->posed.data,
                             .free = own->free.data,
                             .candidates = own->candidates.data,
                             .state = own->state.data,
                             .moving_count = (uint32_t)query->moving_count,
                             .pair_count = (uint32_t)query->pair_count,
                             .column_count = (uint32_t)query->column_count,
                             .limit = query->limit,
                             .counts = query->counts,
                             .test = query->test};
  if (query->padding == NULL) return view;
  view.padding = own->padding.data;
  for (size_t i = query->moving_count; i < query->part_count; i++)
    if (query->padding[i] > view.resting_padding) view.resting_padding = query->padding[i];
  return view;
}

/* Sets the poses of some configurations, from `first` on. */
static graze_result place_poses(const device_batch *own, device_memory *held, const device_batch_query *query,
                                size_t first, configuration_view *view) {
  const rigid_pose *poses = query->poses + first * query->moving_count;
  if (query->poses_on_device) view->poses = poses;
  if (query->poses_on_device) return GRAZE_OK;
  return upload(held, &own->poses, 0, poses, view->count * query->moving_count * sizeof *poses);
}

/* ---------------------------------------------------------------------------------------------- resting bodies */

/* Lists the resting bodies, in arrays sized for all parts, and counts their lowest blocks. False if there are too many
 * to number. */
static bool list_resting(const tree_forest *forest, const device_batch_query *query, configuration_resting *resting,
                         configuration_view *view) {
  uint64_t blocks = 0;
  view->resting_count = 0;
  for (size_t i = query->moving_count; i < query->part_count; i++) {
    const uint32_t body = query->parts[i].body;
    if (body == NO_BODY) continue;
    resting[view->resting_count++] = (configuration_resting){body, (uint32_t)blocks};
    blocks += tree_parents(forest->bodies[body].leaf_count);
    if (blocks > UINT32_MAX) return false;
  }
  view->mark_count = (uint32_t)blocks;
  return true;
}

static graze_result fill_cells(device_batch *own, device_memory *held, const configuration_resting *resting,
                               const exact_box *domain, configuration_view *view) {
  graze_result result = size_spare(held, &own->sums, OCCUPANCY_SUMS * sizeof(uint32_t));
  if (result == GRAZE_OK) result = upload_spare(held, &own->resting, resting, view->resting_count * sizeof *resting);
  if (result != GRAZE_OK) return result;
  view->resting = own->resting.data;
  view->resting_cells = occupancy_over(domain, own->sums.data);
  stage_queue queue = {&held->operations, GRAZE_OK};
  queue_clear(&queue, own->sums.data, 0, OCCUPANCY_SUMS * sizeof(uint32_t));
  queue_stage(&queue, configuration_mark, view);
  for (view->sum_step = 0; view->sum_step < OCCUPANCY_STEPS; view->sum_step++)
    queue_stage(&queue, configuration_sum, view);
  return queue.result;
}

/* Builds the cells of the resting parts, if the call is large enough for them to pay and the device has the memory. */
static graze_result make_cells(device_batch *own, device_memory *held, const tree_forest *forest,
                               const device_batch_query *query, configuration_view *view) {
  const size_t parts = query->part_count;
  uint32_t *bodies = memory_allocate(held->heap, parts, sizeof *bodies);
  configuration_resting *resting = memory_allocate(held->heap, parts, sizeof *resting);
  graze_result result = bodies != NULL && resting != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < parts && result == GRAZE_OK; i++) bodies[i] = query->parts[i].body;
  const occupancy_request request = {.forest = forest,
                                     .bodies = bodies,
                                     .part_count = parts,
                                     .moving_count = query->moving_count,
                                     .poses = query->poses_on_device ? NULL : query->poses,
                                     .configuration_count = query->count};
  exact_box domain;
  if (result == GRAZE_OK && occupancy_pays(&request, &domain) && list_resting(forest, query, resting, view))
    result = fill_cells(own, held, resting, &domain, view);
  if (result == GRAZE_OUT_OF_MEMORY && resting != NULL && bodies != NULL) result = GRAZE_OK;
  memory_release(held->heap, resting, parts, sizeof *resting);
  memory_release(held->heap, bodies, parts, sizeof *bodies);
  return result;
}

/* ---------------------------------------------------------------------------------------------- tests */

/* Configurations per chunk. */
static size_t tests_chunk(const device_memory *held, const device_batch_query *query) {
  const size_t by_pairs = pairs_most(held) / (query->pair_count > 0 ? query->pair_count : 1);
  const size_t by_poses = POSED_BYTES_MOST / (query->moving_count * sizeof(posed_space));
  size_t chunk = by_pairs < by_poses ? by_pairs : by_poses;
  if (chunk < 1) chunk = 1;
  return chunk < query->count ? chunk : query->count;
}

static graze_result make_tests(device_batch *own, device_memory *held, const device_batch_query *query, size_t chunk) {
  graze_result result = make_bodies(own, held, query, chunk);
  if (result == GRAZE_OK)
    result = size_spare(held, &own->candidates, chunk * query->pair_count * sizeof(configuration_candidate));
  if (result == GRAZE_OK && !query->answers_on_device)
    result = size_spare(held, &own->answers, chunk * answer_bytes(query));
  return result;
}

/* Runs the chunk of `view`, from configuration `first` on. */
static graze_result run_chunk(const device_batch *own, device_memory *held, const device_batch_query *query,
                              configuration_view *view, size_t first) {
  const device_operations *device = &held->operations;
  const size_t bytes = answer_bytes(query);
  char *const answers = query->answers, *const place = answers + first * bytes;
  const graze_result result = place_poses(own, held, query, first, view);
  if (result != GRAZE_OK) return result;
  view->first_pose = first * query->moving_count;
  view->answers = query->answers_on_device ? (void *)place : own->answers.data;
  stage_queue queue = {device, GRAZE_OK};
  queue_clear(&queue, &view->state->candidate_count, 0, sizeof view->state->candidate_count);
  queue_clear(&queue, view->answers, 0, view->count * bytes);
  queue_stage(&queue, configuration_place, view);
  queue_stage(&queue, configuration_filter, view);
  if (query->limit > 0.0 || query->padding != NULL)
    queue_stage(&queue, near_test, view);
  else
    queue_stage(&queue, configuration_test, view);
  if (queue.result != GRAZE_OK || query->answers_on_device || bytes == 0) return queue.result;
  return device->download(device->context, place, own->answers.data, view->count * bytes);
}

static graze_result find_refused(device_memory *held, const device_batch_query *query, const configuration_state *there,
                                 size_t *refused_out, rigid_pose *pose_out) {
  const device_operations *device = &held->operations;
  configuration_state state;
  graze_result result = device->download(device->context, &state, there, sizeof state);
  if (result != GRAZE_OK || state.refused == 0) return result;
  *refused_out = (size_t)~state.refused;
  if (query->poses_on_device)
    return device->download(device->context, pose_out, query->poses + *refused_out, sizeof *pose_out);
  *pose_out = query->poses[*refused_out];
  return GRAZE_OK;
}

graze_result device_batch_test(device_batch *own, const device_scene *scene, const device_forest *trees,
                               const device_batch_query *query, size_t *refused_out, rigid_pose *refused_pose_out) {
  device_memory *held = scene->memory;
  const size_t chunk = tests_chunk(held, query);
  graze_result result = make_tests(own, held, query, chunk);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(held)) result = make_tests(own, held, query, chunk);
  if (result != GRAZE_OK) return result;
  configuration_view view = view_of(own, scene, trees, query);
  result = make_cells(own, held, trees->of, query, &view);
  if (result == GRAZE_OK)
    result = held->operations.clear(held->operations.context, own->state.data, 0, sizeof(configuration_state));
  for (size_t first = 0; first < query->count && result == GRAZE_OK; first += chunk) {
    const size_t left = query->count - first;
    if (stop_is_requested(query->stop)) return GRAZE_STOPPED;
    view.count = (uint32_t)(left < chunk ? left : chunk);
    result = run_chunk(own, held, query, &view, first);
  }
  return result == GRAZE_OK ? find_refused(held, query, own->state.data, refused_out, refused_pose_out) : result;
}

/* ---------------------------------------------------------------------------------------------- distances */

size_t device_distances_chunk(const device_scene *scene, const device_batch_query *query) {
  const size_t bytes = query->moving_count * (sizeof(rigid_pose) + sizeof(posed_space) + 1) +
                       query->pair_count * sizeof(double) + device_batch_tasks(query) * sizeof(configuration_nearest);
  const size_t by_bytes = DISTANCE_BYTES_MOST / bytes, by_pairs = pairs_most(scene->memory) / (query->pair_count + 1);
  const size_t chunk = by_bytes < by_pairs ? by_bytes : by_pairs;
  return chunk > 0 ? chunk : 1;
}

static graze_result make_distances(device_batch *own, device_memory *held, const device_batch_query *query,
                                   size_t count) {
  graze_result result = make_bodies(own, held, query, count);
  if (result == GRAZE_OK) result = size_spare(held, &own->bounds, count * query->pair_count * sizeof(double));
  if (result == GRAZE_OK)
    result = size_spare(held, &own->found, count * device_batch_tasks(query) * sizeof(configuration_nearest));
  return result;
}

graze_result device_distances_open(device_batch *own, const device_scene *scene, const device_batch_query *query,
                                   size_t count) {
  device_memory *held = scene->memory;
  const graze_result result = make_distances(own, held, query, count);
  if (result != GRAZE_OUT_OF_MEMORY || !release_spares(held)) return result;
  return make_distances(own, held, query, count);
}

graze_result device_distances_queue(device_batch *own, const device_scene *scene, const device_forest *trees,
                                    const device_batch_query *query, size_t first, size_t count) {
  device_memory *held = scene->memory;
  const size_t tasks = device_batch_tasks(query);
  distance_view view = {.base = view_of(own, scene, trees, query),
                        .max_distance = query->limit,
                        .any_contact = query->any_contact,
                        .task_count = (uint32_t)(count * tasks),
                        .task_pairs = (uint32_t)(query->pair_count / tasks),
                        .bounds = own->bounds.data,
                        .found = own->found.data};
  view.base.count = (uint32_t)count;
  view.base.limit = 0.0; /* boxes are compared by their distances */
  stage_queue queue = {&held->operations, place_poses(own, held, query, first, &view.base)};
  queue_clear(&queue, own->state.data, 0, sizeof(configuration_state));
  queue_stage(&queue, configuration_place, &view.base);
  queue_stage(&queue, distance_bound, &view);
  queue_stage(&queue, distance_search, &view);
  return queue.result;
}

graze_result device_distances_fetch(device_batch *own, const device_scene *scene, const device_batch_query *query,
                                    size_t count, configuration_nearest *found_out, size_t *refused_out) {
  const device_operations *device = &scene->memory->operations;
  configuration_state state;
  graze_result result = device->download(device->context, &state, own->state.data, sizeof state);
  if (result == GRAZE_OK)
    result = device->download(device->context, found_out, own->found.data,
                              count * device_batch_tasks(query) * sizeof *found_out);
  if (result == GRAZE_OK) *refused_out = state.refused != 0 ? (size_t)~state.refused : count * query->moving_count;
  return result;
}
