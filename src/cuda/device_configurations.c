/* Configurations of many bodies; see device_configurations.h.
 *
 * For each chunk of configurations, poses are applied, pairs of bodies whose boxes meet are listed, and each of them
 * is tested. The list has space for all pairs of a chunk, so it never overflows. */
#include "cuda/device_configurations.h"

#include "broad/tree_occupancy_table.h"
#include "cuda/device_operations.h"

CONFIGURATION_STAGE_LIST(QUEUED_STAGE)

/* Candidates, and bytes of posed spaces, per chunk: enough to keep a large device busy. */
enum { CANDIDATES_MOST = 1 << 24, POSED_BYTES_MOST = 1 << 28 };

/* Configurations per chunk. */
static size_t chunk_of(const device_memory *held, const device_configuration_query *query) {
  const size_t hint = held->operations.first_capacity, most = hint != 0 ? hint : CANDIDATES_MOST;
  const size_t by_pairs = most / (query->pair_count > 0 ? query->pair_count : 1);
  const size_t by_poses = POSED_BYTES_MOST / (query->moving_count * sizeof(posed_space));
  size_t chunk = by_pairs < by_poses ? by_pairs : by_poses;
  if (chunk < 1) chunk = 1;
  return chunk < query->count ? chunk : query->count;
}

static graze_result make_room(device_configurations *own, device_memory *held, const device_configuration_query *query,
                              size_t chunk) {
  const size_t poses = chunk * query->moving_count;
  graze_result result = upload_spare(held, &own->parts, query->parts, query->part_count * sizeof *query->parts);
  if (result == GRAZE_OK)
    result = upload_spare(held, &own->pairs, query->pairs, query->pair_count * sizeof *query->pairs);
  if (result == GRAZE_OK && !query->poses_on_device) result = size_spare(held, &own->poses, poses * sizeof(rigid_pose));
  if (result == GRAZE_OK) result = size_spare(held, &own->posed, poses * sizeof(posed_space));
  if (result == GRAZE_OK) result = size_spare(held, &own->free, poses);
  if (result == GRAZE_OK)
    result = size_spare(held, &own->candidates, chunk * query->pair_count * sizeof(configuration_candidate));
  if (result == GRAZE_OK && !query->answers_on_device)
    result = size_spare(held, &own->answers, chunk * query->answer_bytes);
  if (result == GRAZE_OK) result = size_spare(held, &own->state, sizeof(configuration_state));
  return result;
}

/* ---------------------------------------------------------------------------------------------- still bodies */

/* Lists the still bodies, in arrays sized for all parts, and counts their lowest blocks. False if there are too many
 * to number. */
static bool list_still(const tree_forest *forest, const device_configuration_query *query, configuration_still *still,
                       configuration_view *view) {
  uint64_t blocks = 0;
  view->still_count = 0;
  for (size_t i = query->moving_count; i < query->part_count; i++) {
    const uint32_t body = query->parts[i].body;
    if (body == NO_BODY) continue;
    still[view->still_count++] = (configuration_still){body, (uint32_t)blocks};
    blocks += tree_parents(forest->bodies[body].leaf_count);
    if (blocks > UINT32_MAX) return false;
  }
  view->mark_count = (uint32_t)blocks;
  return true;
}

static graze_result fill_cells(device_configurations *own, device_memory *held, const configuration_still *still,
                               const exact_box *domain, configuration_view *view) {
  graze_result result = size_spare(held, &own->sums, OCCUPANCY_SUMS * sizeof(uint32_t));
  if (result == GRAZE_OK) result = upload_spare(held, &own->still, still, view->still_count * sizeof *still);
  if (result != GRAZE_OK) return result;
  view->still = own->still.data;
  view->still_cells = occupancy_over(domain, own->sums.data);
  stage_queue queue = {&held->operations, GRAZE_OK};
  queue_clear(&queue, own->sums.data, 0, OCCUPANCY_SUMS * sizeof(uint32_t));
  queue_stage(&queue, configuration_mark, view);
  for (view->sum_step = 0; view->sum_step < OCCUPANCY_STEPS; view->sum_step++)
    queue_stage(&queue, configuration_sum, view);
  return queue.result;
}

/* Builds the cells of the still parts, if the call is large enough for them to pay and the device has the memory. */
static graze_result make_cells(device_configurations *own, device_memory *held, const tree_forest *forest,
                               const device_configuration_query *query, configuration_view *view) {
  const size_t parts = query->part_count;
  uint32_t *bodies = memory_allocate(held->heap, parts, sizeof *bodies);
  configuration_still *still = memory_allocate(held->heap, parts, sizeof *still);
  graze_result result = bodies != NULL && still != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < parts && result == GRAZE_OK; i++) bodies[i] = query->parts[i].body;
  const occupancy_request request = {.forest = forest,
                                     .bodies = bodies,
                                     .part_count = parts,
                                     .moving_count = query->moving_count,
                                     .poses = query->poses_on_device ? NULL : query->poses,
                                     .configuration_count = query->count};
  exact_box domain;
  if (result == GRAZE_OK && occupancy_pays(&request, &domain) && list_still(forest, query, still, view))
    result = fill_cells(own, held, still, &domain, view);
  if (result == GRAZE_OUT_OF_MEMORY && still != NULL && bodies != NULL) result = GRAZE_OK;
  memory_release(held->heap, still, parts, sizeof *still);
  memory_release(held->heap, bodies, parts, sizeof *bodies);
  return result;
}

/* ---------------------------------------------------------------------------------------------- chunks */

/* Runs the chunk of `view`, from configuration `first` on. */
static graze_result run_chunk(const device_configurations *own, device_memory *held,
                              const device_configuration_query *query, configuration_view *view, size_t first) {
  const device_operations *device = &held->operations;
  const size_t first_pose = first * query->moving_count, poses = view->count * query->moving_count;
  char *const answers = query->answers, *const place = answers + first * query->answer_bytes;
  graze_result result = GRAZE_OK;
  if (query->poses_on_device)
    view->poses = query->poses + first_pose;
  else
    result = upload(held, &own->poses, 0, query->poses + first_pose, poses * sizeof *query->poses);
  if (result != GRAZE_OK) return result;
  view->first_pose = first_pose;
  view->answers = query->answers_on_device ? (void *)place : own->answers.data;
  stage_queue queue = {device, GRAZE_OK};
  queue_clear(&queue, &view->state->candidate_count, 0, sizeof view->state->candidate_count);
  queue_clear(&queue, view->answers, 0, view->count * query->answer_bytes);
  queue_stage(&queue, configuration_place, view);
  queue_stage(&queue, configuration_filter, view);
  queue_stage(&queue, configuration_test, view);
  if (queue.result != GRAZE_OK || query->answers_on_device || query->answer_bytes == 0) return queue.result;
  return device->download(device->context, place, own->answers.data, view->count * query->answer_bytes);
}

static graze_result find_refused(device_memory *held, const device_configuration_query *query,
                                 const configuration_state *there, size_t *refused_out, rigid_pose *pose_out) {
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

graze_result device_configurations_test(device_configurations *own, const device_scene *scene,
                                        const device_forest *trees, const device_configuration_query *query,
                                        size_t *refused_out, rigid_pose *refused_pose_out) {
  device_memory *held = scene->memory;
  const size_t chunk = chunk_of(held, query);
  graze_result result = make_room(own, held, query, chunk);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(held)) result = make_room(own, held, query, chunk);
  if (result != GRAZE_OK) return result;
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
                             .answer_bytes = query->answer_bytes,
                             .answer = query->answer,
                             .test = query->test};
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
