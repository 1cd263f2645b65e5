/* The update of a scene on a device: changes are uploaded, then vertices are posed, measured and rounded; and the
 * choice of the grid's floor.
 *
 * Workload: 256 samples, once per update. */
#include "cuda/device_update.h"

#include "cuda/device_cell.h"
#include "cuda/device_operations.h"
#include "cuda/stage_vertices.h"

#include <stddef.h>
#include <string.h>

SCENE_STAGE_LIST(QUEUED_STAGE)

static update_view view_of_update(const device_scene *state) {
  const size_t lanes = state->memory->operations.vertex_lanes;
  update_view view;
  memset(&view, 0, sizeof view);
  view.scene = device_scene_view(state);
  view.vertex_object = state->there.vertex_object.data;
  view.sample_vertices = state->there.sample.data;
  view.sample_count = (uint32_t)state->sample_count;
  view.vertex_lanes = (uint32_t)(state->vertex_count < lanes ? state->vertex_count : lanes);
  return view;
}

/* Waits for the streams that write positions on the device. Objects mostly share one stream. */
static graze_result wait_for_positions(device_scene *state) {
  const device_operations *device = &state->memory->operations;
  graze_result result = GRAZE_OK;
  const given_place *last = NULL;
  if (state->tables.on_device_count == 0) return GRAZE_OK;
  for (size_t i = 0; i < state->tables.count && result == GRAZE_OK; i++) {
    const given_place *given = &state->tables.given[i];
    if (!given->on_device || (last != NULL && last->stream == given->stream)) continue;
    result = device->wait_for(device->context, given->stream);
    last = given;
  }
  return result;
}

static void queue_rounding(stage_queue *queue, const update_view *v) {
  if (v->scene.map != NULL)
    queue_stage(queue, rounding_mapped, v);
  else
    queue_stage(queue, rounding, v);
}

static void queue_update(stage_queue *queue, const update_view *v, bool has_tetrahedra, cleared_memory cleared) {
  queue_mark(queue, MARK_UPDATE_BEGIN);
  queue_clear(queue, v->scene.extent, 0, offsetof(device_extent, sample));
  queue_beside(queue, true);
  queue_stage(queue, sample, v);
  if (has_tetrahedra) queue_stage(queue, volume, v);
  queue_clear(queue, cleared.data, 0, cleared.bytes);
  queue_beside(queue, false);
  queue_stage(queue, pose, v);
  queue_rounding(queue, v);
  queue_mark(queue, MARK_UPDATE_END);
}

static graze_result place_scene(device_scene *state, const scene_upload *input) {
  graze_result result = device_scene_upload(state, input);
  if (result == GRAZE_OK) result = size_buffer(state->memory, &state->there.extent, sizeof(device_extent));
  if (result == GRAZE_OK)
    result = size_buffer(state->memory, &state->there.normalization, sizeof(normalizing_transform));
  if (result == GRAZE_OK)
    result = size_buffer(state->memory, &state->there.rounded, state->vertex_count * sizeof(rounded_vertex));
  return result;
}

/* Releases the lists of an earlier query if the scene needs the memory; updates of existing objects need none. */
static graze_result make_room_for_scene(device_scene *state, const scene_upload *input) {
  const graze_result result = place_scene(state, input);
  if (result != GRAZE_OUT_OF_MEMORY || input->objects == NULL) return result;
  return release_spares(state->memory) ? place_scene(state, input) : result;
}

/* Rounds the vertices again: into another map, or without one. */
static graze_result round_again(device_scene *state) {
  const device_operations *device = &state->memory->operations;
  const update_view view = view_of_update(state);
  stage_queue queue = {device, GRAZE_OK};
  queue_rounding(&queue, &view);
  queue_mark(&queue, MARK_UPDATE_END);
  if (queue.result != GRAZE_OK) return queue.result;
  /* The download also waits, so that the time is known. */
  return device->download(device->context, &state->extent, view.scene.extent, sizeof state->extent.low);
}

static graze_result leave_map(device_scene *state) {
  if (state->slot_bits == 0) return GRAZE_OK;
  state->slot_bits = 0;
  return round_again(state);
}

static graze_result take_map(device_scene *state, const axis_map *map) {
  state->slot_bits = 0; /* until the upload is complete */
  const graze_result result = upload_all(state->memory, &state->there.map, map, sizeof *map);
  if (result != GRAZE_OK) return result;
  state->map = *map;
  state->slot_bits = map->slot_bits;
  return round_again(state);
}

/* Samples downloaded with the extent show whether the scene is unevenly spread, and whether the last map, by which
 * vertices were rounded, still fits. Only if the spread is new or has changed does the host wait for the device
 * again: for the other samples, and for the map. */
static graze_result check_spread(device_scene *state, axis_map_work *work) {
  const device_operations *device = &state->memory->operations;
  const vertex_bounds bounds = measured_bounds(&state->extent);
  const normalizing_transform linear = choose_normalization(&bounds);
  const size_t count = state->sample_count, first = axis_first_samples(count);
  memcpy(work->sample, state->extent.sample, first * sizeof *work->sample);
  if (!axis_sample_is_crowded(work, first, &linear)) return leave_map(state);
  if (state->slot_bits != 0 && axis_map_fits(work, first, &state->map)) return GRAZE_OK;
  const char *samples = (const char *)state->there.extent.data + offsetof(device_extent, sample);
  const graze_result result = device->download(device->context, work->sample, samples, count * sizeof *work->sample);
  if (result != GRAZE_OK) return result;
  return axis_map_choose(work, count, &linear, &bounds) ? take_map(state, &work->map) : leave_map(state);
}

static graze_result choose_map(device_scene *state) {
  if (state->sample_count == 0) return GRAZE_OK;
  axis_map_work *work = memory_allocate(state->memory->scratch, 1, sizeof *work);
  const graze_result result = work != NULL ? check_spread(state, work) : GRAZE_OUT_OF_MEMORY;
  memory_release(state->memory->scratch, work, 1, sizeof *work);
  return result;
}

/* The signature of the kept sequence. */
typedef struct update_signature {
  update_view view;
  cleared_memory cleared;
  uint64_t has_tetrahedra;
} update_signature;

graze_result device_scene_update(device_scene *state, const scene_upload *input, cleared_memory cleared,
                                 bool *finite_out, double *milliseconds_out) {
  const device_operations *device = &state->memory->operations;
  *finite_out = true;
  *milliseconds_out = 0.0;
  memset(&state->extent, 0, offsetof(device_extent, sample));
  graze_result result = make_room_for_scene(state, input);
  if (state->sample_count == 0) state->slot_bits = 0; /* too small a scene for a map */
  if (result == GRAZE_OK) result = wait_for_positions(state);
  if (result != GRAZE_OK || state->vertex_count == 0) return result;
  const bool has_tetrahedra = state->kinds.has_batch[BATCH_TETRAHEDRA];
  const update_signature signature = {view_of_update(state), cleared, has_tetrahedra};
  const update_view *view = &signature.view;
  stage_queue queue = {device, GRAZE_OK};
  if (!device->begin(device->context, SEQUENCE_UPDATE, &signature, sizeof signature))
    queue_update(&queue, view, has_tetrahedra, cleared);
  result = device->end(device->context);
  if (queue.result != GRAZE_OK) result = queue.result;
  const size_t measured =
      offsetof(device_extent, sample) + axis_first_samples(state->sample_count) * sizeof *state->extent.sample;
  if (result == GRAZE_OK) result = device->download(device->context, &state->extent, view->scene.extent, measured);
  if (result != GRAZE_OK) return result;
  *finite_out = state->extent.not_finite == 0;
  if (*finite_out) result = choose_map(state);
  if (result != GRAZE_OK) return result;
  *milliseconds_out = device->milliseconds(device->context, MARK_UPDATE_BEGIN, MARK_UPDATE_END);
  return GRAZE_OK;
}

graze_result device_scene_fetch_positions(device_scene *state, const void *device_positions, void *stream, size_t bytes,
                                          void *positions_out) {
  const device_operations *device = &state->memory->operations;
  const graze_result result = device->wait_for(device->context, stream);
  return result == GRAZE_OK ? device->download(device->context, positions_out, device_positions, bytes) : result;
}

/* ---------------------------------------------------------------------------------------------- the floor */

/* A level is a floor if the levels below it have at most this multiple of its own primitives. The current floor
 * stays one up to twice the multiple: otherwise, for a scene with samples near the limit, queries would alternate
 * between two floors, and each change requires a new graph capture. */
enum { MOST_BELOW = 3, MOST_BELOW_LAST = 2 * MOST_BELOW };

static bool is_floor(const size_t counts[], uint32_t level, size_t most) {
  size_t below = 0;
  for (uint32_t i = 0; i < level; i++) below += counts[i];
  return below > 0 && below <= most * counts[level];
}

uint32_t device_floor_level(const device_scene *scene, uint32_t floor_before) {
  const device_extent *extent = &scene->extent;
  const uint32_t reach_bits = scene->kinds.has_batch[BATCH_TETRAHEDRA] ? 1 : 0;
  const size_t samples = axis_first_samples(scene->sample_count);
  size_t counts[GRID_LEVEL_COUNT] = {0};
  if (samples == 0 || scene->slot_bits != 0) return 0; /* mapped sides differ from the original ones */
  const double scale = measured_state(extent).scale;
  for (size_t i = 0; i < samples; i++) {
    const uint32_t level = device_level_of((float)(extent->sample_side[i] * scale), reach_bits);
    counts[level <= LEVEL_BIAS ? level : LEVEL_BIAS]++;
  }
  uint32_t floor = 0;
  for (uint32_t level = 0; level <= LEVEL_BIAS; level++)
    if (is_floor(counts, level, MOST_BELOW)) floor = level;
  return floor <= floor_before && is_floor(counts, floor_before, MOST_BELOW_LAST) ? floor_before : floor;
}
