/* Clusters on a device; see device_clusters.h: points to learn from, the learned clusters, memory of a sweep, and its
 * stages.
 *
 * The stages of a sweep are queued without a wait for the host between them. Their counts show whether the
 * capacities sufficed: otherwise the later stages do nothing, and the query is repeated. */
#include "cuda/device_clusters.h"

#include "broad/clusters_count.h"
#include "broad/clusters_cover.h"

#include <string.h>

CLUSTER_STAGE_LIST(QUEUED_STAGE)
LEARNING_STAGE_LIST(QUEUED_STAGE)

/* Pieces per launch. */
enum { LAUNCH_PIECES = CLUSTER_LANES / PIECE_LANES };

/* The largest number of pieces that indices can address. */
#define MOST_PIECES ((uint64_t)UINT32_MAX - 1)

_Static_assert(sizeof(cluster_view) <= METHOD_VIEW_MOST, "the view fits into a run");

graze_result device_clusters_create(device_search *shared, const method_options *options, void **state_out) {
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

void device_clusters_destroy(void *state) {
  device_clusters *own = state;
  device_memory *held = own->search->memory;
  device_buffer *const buffers[] = {&own->record,      &own->points, &own->pulls, &own->first, &own->keys,
                                    &own->sorted_keys, &own->rows,   &own->ends,  &own->pieces};
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) release_buffer(held, buffers[i]);
  clusters_destroy(held->heap, own->learned);
  memory_release(held->heap, own, 1, sizeof *own);
}

/* ---------------------------------------------------------------------------------------------- learned clusters */

static graze_result sample(device_clusters *own, uint32_t count, float (*points_out)[3]) {
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

graze_result device_clusters_sample(device_clusters *own, uint32_t count, float (*points_out)[3]) {
  const graze_result result = sample(own, count, points_out);
  return result == GRAZE_OUT_OF_MEMORY && release_spares(own->search->memory) ? sample(own, count, points_out) : result;
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

/* One step of fuzzy c-means: centers start at their last positions, and consecutive frames are similar. */
static graze_result move_clusters(device_clusters *own, const device_learning *learning) {
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

graze_result device_clusters_move(device_clusters *own, const device_learning *learning) {
  graze_result result = move_clusters(own, learning);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(own->search->memory)) result = move_clusters(own, learning);
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

static graze_result reserve(void *state, const device_query *query) {
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
static bool enlarge(void *state, const device_totals *totals) {
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
static void count(void *state, const device_query *query, const device_totals *totals, graze_counters *counters) {
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

const search_way search_by_clusters = {.searches = COMPARES_BOXES,
                                       .reserve = reserve,
                                       .view = view_clusters,
                                       .queue_candidates = queue_sweep,
                                       .enlarge = enlarge,
                                       .is_too_long = is_too_long,
                                       .reset_capacities = reset_capacities,
                                       .count = count};

graze_result device_clusters_find(device_clusters *own, device_wrenches *wrenches, const device_query *query,
                                  cluster_range range, device_answer *answer_out) {
  device_query part_query = *query;
  own->range = range;
  part_query.is_part = !range_has_all_clusters(range);
  return device_find(own->search, wrenches, &search_by_clusters, own, &part_query, answer_out);
}
