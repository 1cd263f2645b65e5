/* Clusters on a device: points that the host learns from, what it has learned, room for a sweep, and its stages.
 *
 * The stages of a sweep are queued with nothing in between that waits for the host. What they count decides whether
 * there was room: where there was not, the stages behind do nothing, and the query is run again. */
#include "cuda/device_clusters.h"

#include "broad/clusters_count.h"
#include "broad/clusters_cover.h"
#include "cuda/device_memory.h"
#include "cuda/device_query.h"

#include <string.h>

/* Pieces that one launch does. */
enum { LAUNCH_PIECES = CLUSTER_LANES / PIECE_LANES };

/* The most pieces that can be numbered. */
#define MOST_PIECES ((uint64_t)UINT32_MAX - 1)

/* ---------------------------------------------------------------------------------------------- what is learned */

static graze_result sample(device_state *state, uint32_t count, float (*points_out)[3]) {
  const device_operations *device = &state->memory.operations;
  const size_t bytes = count * sizeof *points_out;
  graze_result result = size_spare(&state->memory, &state->buffers[BUFFER_CLUSTER_POINTS], bytes);
  if (result != GRAZE_OK) return result;
  device_view view = device_scene_view(state);
  view.clusters.points = state->buffers[BUFFER_CLUSTER_POINTS].data;
  view.clusters.point_count = count;
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_stage(&queue, STAGE_cluster_point);
  return queue.result == GRAZE_OK ? device->download(device->context, points_out, view.clusters.points, bytes)
                                  : queue.result;
}

graze_result device_state_sample_points(device_state *state, uint32_t count, float (*points_out)[3]) {
  const graze_result result = sample(state, count, points_out);
  return result == GRAZE_OUT_OF_MEMORY && release_spares(&state->memory) ? sample(state, count, points_out) : result;
}

static size_t record_bytes(size_t count) {
  return count * (sizeof(sweep_axis) + 3 * sizeof(float));
}

/* Axes first, then the coordinates one after the other. */
static graze_result upload_record(device_state *state, const cluster_centres *centres, const sweep_axis *axes) {
  const size_t count = centres->count;
  char *record = memory_allocate(state->memory.scratch, record_bytes(count), 1);
  if (record == NULL) return GRAZE_OUT_OF_MEMORY;
  memcpy(record, axes, count * sizeof *axes);
  for (size_t axis = 0; axis < 3; axis++)
    memcpy(record + count * (sizeof *axes + axis * sizeof(float)), centres->coordinates[axis], count * sizeof(float));
  graze_result result = upload_all(&state->memory, &state->buffers[BUFFER_CLUSTERS], record, record_bytes(count));
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(&state->memory))
    result = upload_all(&state->memory, &state->buffers[BUFFER_CLUSTERS], record, record_bytes(count));
  memory_release(state->memory.scratch, record, record_bytes(count), 1);
  return result;
}

graze_result device_state_take_clusters(device_state *state, const cluster_centres *centres, const sweep_axis *axes) {
  state->cluster_count = 0; /* until the device has all of them */
  const graze_result result = upload_record(state, centres, axes);
  if (result != GRAZE_OK) return result;
  state->cluster_count = state->clusters_used = centres->count;
  state->cluster_distance = centres->distance;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- moving on */

static void view_record(const device_state *state, device_clusters *clusters) {
  sweep_axis *axes = state->buffers[BUFFER_CLUSTERS].data;
  float *centres = (float *)(void *)(axes + state->cluster_count);
  for (size_t axis = 0; axis < 3; axis++)
    clusters->centres.coordinates[axis] = clusters->moving[axis] = centres + axis * state->cluster_count;
  clusters->centres.count = state->cluster_count;
  clusters->centres.distance = state->cluster_distance;
  clusters->axes = clusters->turning = axes;
}

/* One step of fuzzy c-means: centres begin where they were, and frames are near each other. */
static graze_result move_clusters(device_state *state, const device_learning *learning) {
  const device_operations *device = &state->memory.operations;
  const size_t count = learning->point_count;
  graze_result result = size_spare(&state->memory, &state->buffers[BUFFER_CLUSTER_POINTS], count * sizeof(float[3]));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_CLUSTER_PULLS], count * sizeof(point_pull));
  if (result != GRAZE_OK) return result;
  device_view view = device_scene_view(state);
  view_record(state, &view.clusters);
  view.clusters.points = state->buffers[BUFFER_CLUSTER_POINTS].data;
  view.clusters.pulls = state->buffers[BUFFER_CLUSTER_PULLS].data;
  view.clusters.point_count = learning->point_count;
  view.clusters.turns_axes = learning->turns_axes ? 1 : 0;
  view.clusters.rule = learning->rule;
  stage_queue queue = {device, &view, GRAZE_OK};
  queue_stage(&queue, STAGE_cluster_point);
  queue_stage(&queue, STAGE_cluster_weigh);
  queue_stage(&queue, STAGE_cluster_move);
  return queue.result;
}

graze_result device_state_move_clusters(device_state *state, const device_learning *learning) {
  graze_result result = move_clusters(state, learning);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(&state->memory)) result = move_clusters(state, learning);
  if (result == GRAZE_OK)
    state->clusters_used = state->cluster_count;
  else
    state->cluster_count = 0;
  return result;
}

/* ---------------------------------------------------------------------------------------------- a sweep */

static uint32_t bits_of(uint32_t count) {
  uint32_t bits = 0;
  while (UINT32_C(1) << bits < count) bits++;
  return bits;
}

/* Of numbers of clusters in keys: huge primitives have a number behind those. */
static uint32_t cluster_bits(uint32_t clusters) {
  return bits_of(clusters + 1);
}

void view_clusters(const device_state *state, const device_query *query, device_view *view) {
  const device_buffer *buffers = state->buffers;
  const uint32_t taken = cluster_bits(state->cluster_count) + view->key_bits;
  device_clusters *clusters = &view->clusters;
  view_record(state, clusters);
  clusters->centres.count = state->clusters_used;
  clusters->start_bits = taken > 32 ? 64 - taken : 32;
  clusters->bounds = buffers[BUFFER_CLUSTER_FIRST].data;
  clusters->first = clusters->bounds != NULL ? (uint32_t *)(void *)(clusters->bounds + state->cluster_count + 1) : NULL;
  clusters->keys = buffers[BUFFER_CLUSTER_KEYS].data;
  clusters->sorted_keys = buffers[BUFFER_CLUSTER_SORTED_KEYS].data;
  clusters->rows = buffers[BUFFER_CLUSTER_ROWS].data;
  clusters->ends = buffers[BUFFER_CLUSTER_ENDS].data;
  clusters->first_piece = buffers[BUFFER_CLUSTER_PIECES].data;
  clusters->member_room = state->member_room;
  clusters->piece_room = state->piece_room;
  clusters->range = query->clusters;
}

/* Bounds of clusters and of the huge, then an entry each and the end. */
static size_t first_bytes(size_t clusters, size_t primitives) {
  return (clusters + 1) * sizeof(cluster_bound) + (primitives + 1) * sizeof(uint32_t);
}

static graze_result size_members(device_state *state) {
  const size_t room = (size_t)state->member_room;
  graze_result result = size_spare(&state->memory, &state->buffers[BUFFER_CLUSTER_FIRST],
                                   first_bytes(state->cluster_count, state->primitive_count));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_CLUSTER_KEYS], room * sizeof(uint64_t));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_CLUSTER_SORTED_KEYS], room * sizeof(uint64_t));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_CLUSTER_ROWS], room * sizeof(sweep_row));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_CLUSTER_ENDS], room * sizeof(uint32_t));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_CLUSTER_PIECES], room * sizeof(uint32_t));
  return result;
}

graze_result size_sweep(device_state *state) {
  const device_operations *device = &state->memory.operations;
  const size_t hint = device->first_capacity;
  if (state->member_room == 0) state->member_room = hint != 0 ? hint : room_for(state->primitive_count);
  if (state->piece_room == 0) state->piece_room = hint != 0 ? hint : LAUNCH_PIECES;
  const graze_result result = size_members(state);
  const size_t room = (size_t)state->member_room, entries = state->primitive_count + 1;
  return result == GRAZE_OK ? device->reserve(device->context, room > entries ? room : entries, room) : result;
}

/* Where primitives are members of too many clusters these do not pay, and one does. */
bool enlarge_sweep(device_state *state, const device_totals *totals) {
  const uint64_t members = tally_sum(totals, TALLY_MEMBERS), pieces = tally_sum(totals, TALLY_PIECES);
  const bool too_many = state->clusters_used > 1 && members > COVER_MOST * (uint64_t)totals->entry_count;
  const bool enlarged = members > state->member_room, longer = pieces > state->piece_room;
  if (too_many) state->clusters_used = 1;
  if (enlarged && !too_many) state->member_room = room_for(members);
  if (longer) state->piece_room = pieces + pieces / 4;
  return too_many || enlarged || longer;
}

void note_sweep(device_state *state, const device_totals *totals) {
  uint64_t *words = state->cluster_notes.words;
  words[NOTE_CLUSTERS] = state->clusters_used;
  words[NOTE_SEARCHED] = totals->entry_count;
  words[NOTE_MEMBERS] = tally_sum(totals, TALLY_MEMBERS);
  words[NOTE_OVERLAPS] = tally_sum(totals, TALLY_BOX_TESTS);
  words[NOTE_MEETINGS] =
      totals->list[LIST_CANDIDATES] + tally_sum(totals, TALLY_NEIGHBOURS) + tally_sum(totals, TALLY_DUPLICATES);
}

bool sweep_is_too_long(const device_totals *totals) {
  return tally_sum(totals, TALLY_MEMBERS) > LONGEST_LIST || tally_sum(totals, TALLY_PIECES) > MOST_PIECES;
}

static void queue_members(stage_queue *queue) {
  const device_view *v = queue->view;
  const device_clusters *clusters = &v->clusters;
  const uint32_t bits = cluster_bits(clusters->centres.count) + clusters->start_bits + v->key_bits;
  queue_clear(queue, clusters->bounds, 0,
              (size_t)((char *)(clusters->first + v->primitive_count + 1) - (char *)clusters->bounds));
  queue_stage(queue, STAGE_cluster_side);
  queue_stage(queue, STAGE_cluster_count);
  queue_stage(queue, STAGE_cluster_huge);
  queue_scan(queue, clusters->first, (size_t)v->primitive_count + 1, NULL);
  /* Free places hold the highest key and stay behind all others. */
  queue_clear(queue, clusters->keys, 0xff, clusters->member_room * sizeof *clusters->keys);
  queue_stage(queue, STAGE_cluster_member);
  if (queue->result == GRAZE_OK)
    queue->result = queue->device->sort(queue->device->context, clusters->keys, clusters->sorted_keys,
                                        (size_t)clusters->member_room, bits);
}

void queue_sweep(stage_queue *queue) {
  const device_view *whole = queue->view;
  const device_clusters *clusters = &whole->clusters;
  queue_members(queue);
  queue_stage(queue, STAGE_cluster_row);
  queue_scan(queue, clusters->first_piece, (size_t)clusters->member_room, NULL); /* behind the members lies anything */
  device_view part = *whole;
  queue->view = &part;
  for (; part.clusters.first_lane < clusters->piece_room * PIECE_LANES; part.clusters.first_lane += CLUSTER_LANES)
    queue_stage(queue, STAGE_cluster_sweep);
  queue->view = whole;
}
