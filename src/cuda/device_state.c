/* The life of a scene on a device, and its update: what is new is uploaded, then vertices are posed, measured and
 * rounded. */
#include "cuda/device_state.h"

#include "cuda/device_cell.h"
#include "cuda/device_floor.h"
#include "cuda/device_memory.h"
#include "cuda/device_queue.h"
#include "cuda/device_tables.h"
#include "cuda/device_upload.h"
#include "cuda/stage_vertices.h"

#include <stddef.h>
#include <string.h>

enum { LEAST_BUCKETS = 1024, BUCKETS_A_PRIMITIVE = 2, BUCKETS_A_MARKED_BLOCK = 4 };

/* Of lower primitives: a sum over all of millions would take longer than all else that a few pairs need. */
enum { MOST_GROUPS = 1 << 21 };
#define MOST_BUCKETS (UINT32_C(1) << 31)

void device_state_init(device_state *state, memory *heap, memory *scratch, const device_operations *operations) {
  memset(state, 0, sizeof *state);
  device_memory_open(&state->memory, heap, scratch, operations);
}

void device_state_release(device_state *state) {
  release_tables(state);
  staging_release(&state->staging, state->memory.heap);
  device_memory_close(&state->memory);
  memset(state, 0, sizeof *state);
}

static uint32_t bits_for(size_t count) {
  uint32_t bits = 1;
  while (bits < 32 && (UINT64_C(1) << bits) < count) bits++;
  return bits;
}

/* Two to four a primitive. */
static uint32_t buckets_for(size_t primitive_count) {
  uint32_t buckets = LEAST_BUCKETS;
  while (buckets < BUCKETS_A_PRIMITIVE * primitive_count && buckets < MOST_BUCKETS) buckets *= 2;
  return buckets;
}

void view_grid(size_t primitive_count, device_view *view) {
  view->primitive_count = (uint32_t)primitive_count;
  view->bucket_count = buckets_for(primitive_count);
  view->bucket_slots = view->bucket_count + BLOCK_CELLS;
  view->marked_blocks = view->bucket_count / BUCKETS_A_MARKED_BLOCK;
}

void view_groups(const device_state *state, size_t primitive_count, device_view *view) {
  const size_t given = state->memory.operations.most_groups, most = given != 0 ? given : MOST_GROUPS;
  view->group_bits = 0;
  while (primitive_count >> view->group_bits > most) view->group_bits++;
  view->group_count = (uint32_t)((primitive_count + (1u << view->group_bits) - 1) >> view->group_bits);
}

enum { TABLE_ALIGNMENT = 16 };

static size_t aligned_bytes(size_t bytes) {
  return (bytes + TABLE_ALIGNMENT - 1) / TABLE_ALIGNMENT * TABLE_ALIGNMENT;
}

/* A byte each, in the last quarter of where the sums will be: none before the last byte of its own sum. */
size_t bucket_counts_place(const device_view *grid) {
  return aligned_bytes(3 * ((size_t)grid->bucket_slots + 1) + 3);
}

size_t marks_place(const device_view *grid) {
  return bucket_counts_place(grid) + aligned_bytes((size_t)grid->bucket_slots + 1);
}

size_t grid_table_bytes(const device_state *state) {
  device_view view;
  view_grid(state->primitive_count, &view);
  return (marks_place(&view) + view.marked_blocks * sizeof(uint64_t) + 255) / 256 * 256;
}

device_view device_scene_view(const device_state *state) {
  const device_buffer *buffers = state->buffers;
  const size_t lanes = state->memory.operations.vertex_lanes;
  device_view view;
  memset(&view, 0, sizeof view); /* compared as bytes */
  view.vertex_count = (uint32_t)state->vertex_count;
  view.vertex_lanes = (uint32_t)(state->vertex_count < lanes ? state->vertex_count : lanes);
  view.object_count = (uint32_t)state->object_count;
  view_grid(state->primitive_count, &view);
  view_groups(state, state->primitive_count, &view);
  view.key_bits = bits_for(state->primitive_count);
  view.objects = buffers[BUFFER_OBJECTS].data;
  view.sources = buffers[BUFFER_SOURCES].data;
  view.rules = buffers[BUFFER_RULES].data;
  view.headers = buffers[BUFFER_HEADERS].data;
  view.vertex_object = buffers[BUFFER_VERTEX_OBJECT].data;
  view.erased = state->has_erased ? buffers[BUFFER_ERASED].data : NULL;
  view.extent = buffers[BUFFER_EXTENT].data;
  view.normalisation = buffers[BUFFER_NORMALISATION].data;
  view.rounded_vertices = buffers[BUFFER_ROUNDED].data;
  view.sample_vertices = buffers[BUFFER_SAMPLE].data;
  view.sample_count = (uint32_t)state->sample_count;
  if (state->slot_bits != 0) {
    view.map = buffers[BUFFER_MAP].data;
    view.slots = (float)(1u << state->slot_bits);
  }
  view.only_triangles = state->only_triangles ? 1 : 0;
  view.reach_bits = state->has_batch[BATCH_TETRAHEDRA] ? 1 : 0;
  view.only_tetrahedra = state->only_tetrahedra ? 1 : 0;
  view.has_tetrahedra = state->has_batch[BATCH_TETRAHEDRA] ? 1 : 0;
  return view;
}

/* Positions on the device are read after what makes them. Objects mostly have one stream in common. */
static graze_result wait_for_positions(device_state *state) {
  const device_operations *device = &state->memory.operations;
  graze_result result = GRAZE_OK;
  const given_place *last = NULL;
  if (state->on_device_count == 0) return GRAZE_OK;
  for (size_t i = 0; i < state->object_count && result == GRAZE_OK; i++) {
    const given_place *given = &state->given[i];
    if (!given->on_device || (last != NULL && last->stream == given->stream)) continue;
    result = device->wait_for(device->context, given->stream);
    last = given;
  }
  return result;
}

static void queue_update(stage_queue *queue) {
  const device_view *v = queue->view;
  queue_mark(queue, MARK_UPDATE_BEGIN);
  queue_clear(queue, v->extent, 0, offsetof(device_extent, sample));
  queue_beside(queue, true);
  queue_stage(queue, STAGE_sample);
  if (v->has_tetrahedra != 0) queue_stage(queue, STAGE_volume);
  queue_clear(queue, v->next_counts, 0, v->next_count_bytes);
  queue_beside(queue, false);
  queue_stage(queue, STAGE_pose);
  queue_stage(queue, v->map != NULL ? STAGE_rounding_mapped : STAGE_rounding);
  queue_mark(queue, MARK_UPDATE_END);
}

/* As many as the last query had are cleared for the next. */
static device_view view_of_update(const device_state *state) {
  device_view view = device_scene_view(state);
  const bool known = state->count_bytes != 0 && state->tables_of == state->primitive_count;
  view.next_counts = known ? (char *)state->buffers[BUFFER_TABLES].data + grid_table_bytes(state) : NULL;
  view.next_count_bytes = known ? state->count_bytes : 0;
  return view;
}

static graze_result place_scene(device_state *state, const scene_upload *scene) {
  graze_result result = upload_scene(state, scene);
  if (result == GRAZE_OK) result = size_buffer(&state->memory, &state->buffers[BUFFER_EXTENT], sizeof(device_extent));
  if (result == GRAZE_OK)
    result = size_buffer(&state->memory, &state->buffers[BUFFER_NORMALISATION], sizeof(normalising_transform));
  if (result == GRAZE_OK)
    result = size_buffer(&state->memory, &state->buffers[BUFFER_ROUNDED], state->vertex_count * sizeof(rounded_vertex));
  return result;
}

/* Lists of an earlier query give way to the scene; news of one that is there need no room. */
static graze_result make_room_for_scene(device_state *state, const scene_upload *scene) {
  const graze_result result = place_scene(state, scene);
  if (result != GRAZE_OUT_OF_MEMORY || scene->objects == NULL) return result;
  return release_spares(&state->memory) ? place_scene(state, scene) : result;
}

/* Rounds the vertices once more: into another map, or into none. */
static graze_result round_again(device_state *state) {
  const device_operations *device = &state->memory.operations;
  const device_view view = device_scene_view(state);
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_stage(&queue, view.map != NULL ? STAGE_rounding_mapped : STAGE_rounding);
  queue_mark(&queue, MARK_UPDATE_END);
  if (queue.result != GRAZE_OK) return queue.result;
  /* Waits, so that the time can be told. */
  return device->download(device->context, &state->extent, view.extent, sizeof state->extent.low);
}

static graze_result leave_map(device_state *state) {
  if (state->slot_bits == 0) return GRAZE_OK;
  state->slot_bits = 0;
  return round_again(state);
}

static graze_result take_map(device_state *state, const axis_map *map) {
  state->slot_bits = 0; /* until the device has all of it */
  const graze_result result = upload_all(&state->memory, &state->buffers[BUFFER_MAP], map, sizeof *map);
  if (result != GRAZE_OK) return result;
  state->map = *map;
  state->slot_bits = map->slot_bits;
  return round_again(state);
}

/* Whether the scene is badly spread is told by samples that have come with the extent, and whether the last map, into
 * which vertices have been rounded, fits it. Only where spread has come or changed does the host wait for the device
 * again: for the other samples, and for the map. */
static graze_result check_spread(device_state *state, axis_map_work *work) {
  const device_operations *device = &state->memory.operations;
  const vertex_bounds bounds = measured_bounds(&state->extent);
  const normalising_transform linear = choose_normalisation(&bounds);
  const size_t count = state->sample_count, first = axis_first_samples(count);
  memcpy(work->sample, state->extent.sample, first * sizeof *work->sample);
  if (!axis_sample_is_crowded(work, first, &linear)) return leave_map(state);
  if (state->slot_bits != 0 && axis_map_fits(work, first, &state->map)) return GRAZE_OK;
  const char *samples = (const char *)state->buffers[BUFFER_EXTENT].data + offsetof(device_extent, sample);
  const graze_result result = device->download(device->context, work->sample, samples, count * sizeof *work->sample);
  if (result != GRAZE_OK) return result;
  return axis_map_choose(work, count, &linear, &bounds) ? take_map(state, &work->map) : leave_map(state);
}

static graze_result choose_map(device_state *state) {
  if (state->sample_count == 0) return GRAZE_OK;
  axis_map_work *work = memory_allocate(state->memory.scratch, 1, sizeof *work);
  const graze_result result = work != NULL ? check_spread(state, work) : GRAZE_OUT_OF_MEMORY;
  memory_release(state->memory.scratch, work, 1, sizeof *work);
  return result;
}

graze_result device_state_update(device_state *state, const scene_upload *scene, bool *finite_out,
                                 double *milliseconds_out) {
  const device_operations *device = &state->memory.operations;
  *finite_out = true;
  *milliseconds_out = 0.0;
  memset(&state->extent, 0, offsetof(device_extent, sample));
  graze_result result = make_room_for_scene(state, scene);
  if (state->sample_count == 0) state->slot_bits = 0; /* too small a scene to care */
  if (result == GRAZE_OK) result = wait_for_positions(state);
  if (result != GRAZE_OK || state->vertex_count == 0) return result;
  const device_view view = view_of_update(state);
  stage_queue queue = {device, &view, GRAZE_OK};
  state->counts_are_clear = false;
  if (!device->begin(device->context, SEQUENCE_UPDATE, &view, sizeof view)) queue_update(&queue);
  result = device->end(device->context);
  if (queue.result != GRAZE_OK) result = queue.result;
  const size_t measured =
      offsetof(device_extent, sample) + axis_first_samples(state->sample_count) * sizeof *state->extent.sample;
  if (result == GRAZE_OK) result = device->download(device->context, &state->extent, view.extent, measured);
  if (result != GRAZE_OK) return result;
  state->counts_are_clear = view.next_counts != NULL;
  *finite_out = state->extent.not_finite == 0;
  if (*finite_out) result = choose_map(state);
  state->floor_level = device_floor_level(state, view.reach_bits);
  if (result != GRAZE_OK) return result;
  *milliseconds_out = device->milliseconds(device->context, MARK_UPDATE_BEGIN, MARK_UPDATE_END);
  return GRAZE_OK;
}

graze_result device_state_fetch_positions(device_state *state, const void *device_positions, void *stream, size_t bytes,
                                          void *positions_out) {
  const device_operations *device = &state->memory.operations;
  const graze_result result = device->wait_for(device->context, stream);
  return result == GRAZE_OK ? device->download(device->context, positions_out, device_positions, bytes) : result;
}
