/* The k-free measure on a device: one object as a scene of its own, boxes grown by balls, the entries and the search of
 * a query, then counts per primitive.
 *
 * Lists keep their capacity between measures and are shared with queries. If one was too short, everything is
 * repeated, because the counts so far are part of the sums. There are no chunks: if the lists cannot be allocated,
 * the measure is refused. */
#include "cuda/device_crowding.h"

#include "analysis/nearness.h"
#include "cuda/device_memory.h"
#include "cuda/stage_crowding.h"
#include "geometry/bits.h"

#include <stddef.h>
#include <string.h>

CROWDING_STAGE_LIST(QUEUED_STAGE)

enum {
  LEAST_NEAR_CAPACITY = 1024,    /* of a list */
  MOST_SCRATCH_BYTES = 128 << 20 /* of all lanes */
};

/* The measured object, in the form that the stages read. */
typedef struct measured_object {
  object_source source; /* with its first primitive at 0 */
  object_rule rule;
  uint32_t levels;
} measured_object;

/* The state of one measure. */
typedef struct crowding_run {
  device_crowding *own;
  device_search *search;
  const device_measure_request *measure;
  const object_source *source; /* of the object */
} crowding_run;

static graze_result upload_object(const crowding_run *run) {
  measured_object alone;
  memset(&alone, 0, sizeof alone);
  alone.source = *run->source;
  alone.source.first_primitive = 0;
  alone.rule = (object_rule){1, 1, true, false, 0};
  return upload_spare(run->search->memory, &run->own->object, &alone, sizeof alone);
}

/* ---------------------------------------------------------------------------------------------- memory */

static void raise_capacity(device_search *search, device_list list, uint64_t wanted) {
  const size_t hint = search->memory->operations.first_capacity;
  uint64_t *capacity = &search->lists.capacity[list];
  if (hint != 0) wanted = *capacity == 0 ? hint : 0;
  if (wanted > LONGEST_LIST) wanted = LONGEST_LIST;
  if (*capacity < wanted) *capacity = wanted;
}

static void choose_capacities(const crowding_run *run) {
  const graze_kind kind = run->source->kind;
  const uint64_t usual = kind_row_of(kind).near_candidates;
  const uint64_t candidates = usual * run->measure->primitive_count + LEAST_NEAR_CAPACITY;
  raise_capacity(run->search, LIST_CANDIDATES, candidates);
  raise_capacity(run->search, device_apart_list(kind), candidates / 2);
  raise_capacity(run->search, LIST_UNDECIDED, candidates / 16);
}

/* Spheres belong to the batch of other kinds: their distances need no stage of their own. */
static kind_batch measured_batch(graze_kind kind) {
  const kind_batch batch = kind_batch_of(kind);
  return batch == BATCH_SPHERES ? BATCH_OTHERS : batch;
}

/* Kinds without a batch of their own need scratch for any number of corners. */
static uint32_t scratch_of_lane(const crowding_run *run) {
  if (measured_batch(run->source->kind) != BATCH_OTHERS) return 0;
  return (uint32_t)nearness_scratch(run->measure->most_corners);
}

/* One per primitive; fewer if each needs scratch, but at least one. */
static uint32_t lanes_of(const crowding_run *run) {
  const size_t scratch_bytes = scratch_of_lane(run) * sizeof(double);
  size_t lanes = run->measure->primitive_count;
  if (scratch_bytes == 0) return (uint32_t)lanes;
  const size_t most = MOST_SCRATCH_BYTES / scratch_bytes + 1, threads = run->search->memory->operations.vertex_lanes;
  lanes = lanes < most ? lanes : most;
  return (uint32_t)(lanes < threads ? lanes : threads);
}

/* The query options that a measure passes to the grid. */
static const device_query measuring_query = {.within = true};

static graze_result size_measure(const crowding_run *run) {
  device_crowding *own = run->own;
  device_memory *held = run->search->memory;
  const size_t count = run->measure->primitive_count;
  graze_result result = size_entries(run->search, &measuring_query, SEARCHES_CELLS);
  if (result == GRAZE_OK) result = size_spare(held, &own->headers, count * sizeof(primitive_header));
  if (result == GRAZE_OK) result = size_spare(held, &own->boxes, count * sizeof(primitive_box));
  if (result == GRAZE_OK) result = size_spare(held, &own->k_of, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_spare(held, &own->neighbors_of, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_spare(held, &own->diameter_of, count * sizeof(double));
  const size_t scratch = (size_t)scratch_of_lane(run) * lanes_of(run);
  if (result == GRAZE_OK) result = size_spare(held, &own->scratch, scratch * sizeof(double));
  return result;
}

/* ---------------------------------------------------------------------------------------------- stages */

/* The signature of the kept sequence. */
typedef struct measure_views {
  grid_view grid;
  crowding_view measure;
} measure_views;

static void view_measure(const crowding_run *run, measure_views *views) {
  const device_crowding *own = run->own;
  const size_t first = run->source->first_primitive;
  char *alone = own->object.data;
  memset(views, 0, sizeof *views); /* compared as bytes */
  grid_view *grid = &views->grid;
  crowding_view *measure = &views->measure;
  *grid = view_of_query(run->search, &measuring_query, SEARCHES_CELLS);
  view_primitives(run->search, run->measure->primitive_count, grid);
  scene_arrays *scene = &grid->pairs.scene;
  const kind_batch batch = measured_batch(run->source->kind);
  grid->pairs.query.pair_rule = PAIRS_ALL;
  measure->given_headers = scene->headers + first;
  measure->headers = own->headers.data;
  measure->boxes = own->boxes.data;
  scene->object_count = 1;
  scene->only_triangles = batch == BATCH_TRIANGLES ? 1 : 0;
  scene->only_tetrahedra = batch == BATCH_TETRAHEDRA ? 1 : 0;
  scene->sources = (const object_source *)(alone + offsetof(measured_object, source));
  scene->rules = (const object_rule *)(alone + offsetof(measured_object, rule));
  scene->headers = measure->headers;
  scene->grown_boxes = measure->boxes;
  if (scene->removed != NULL) scene->removed += first;
  measure->levels = (uint32_t *)(alone + offsetof(measured_object, levels));
  measure->k_of = own->k_of.data;
  measure->neighbors_of = own->neighbors_of.data;
  measure->diameter_of = own->diameter_of.data;
  measure->lane_scratch = scratch_of_lane(run);
  measure->lanes = lanes_of(run);
  if (measure->lane_scratch != 0) measure->scratch = own->scratch.data;
  measure->pairs = grid->pairs;
}

static void queue_distances(stage_queue *queue, const crowding_view *v, kind_batch batch) {
  queue_stage(queue, neighbors, v);
  if (batch == BATCH_TRIANGLES) queue_stage(queue, near_triangles, v);
  if (batch == BATCH_TETRAHEDRA) queue_stage(queue, near_tetrahedra, v);
  if (batch != BATCH_OTHERS)
    queue_stage(queue, near_open, v);
  else
    queue_stage(queue, near_others, v);
}

static void queue_measure(stage_queue *queue, const measure_views *views, kind_batch batch) {
  queue_mark(queue, MARK_MEASURE_BEGIN);
  queue_stage(queue, ball, &views->measure);
  queue_entries(queue, &views->grid);
  queue_grid_search(queue, &views->grid);
  queue_mark(queue, MARK_SEARCHED);
  queue_grid_clearing(queue, &views->grid);
  queue_distances(queue, &views->measure, batch);
  queue_mark(queue, MARK_TESTED);
}

static graze_result run_measure(const crowding_run *run, device_totals *totals_out) {
  device_search *search = run->search;
  const device_operations *device = &search->memory->operations;
  graze_result result = size_lists(search);
  if (result != GRAZE_OK) return result;
  measure_views views;
  view_measure(run, &views);
  stage_queue queue = {device, GRAZE_OK};
  /* The tables of a subset of primitives have another layout, so their contents cannot be reused either way. */
  const bool has_all = run->measure->primitive_count == search->scene->primitive_count;
  search->grid.is_clear = search->grid.is_clear && has_all;
  result = clear_counts(search, &measuring_query);
  if (result == GRAZE_OK) result = clear_grid(search);
  if (result != GRAZE_OK) return result;
  if (!device->begin(device->context, SEQUENCE_MEASURE, &views, sizeof views))
    queue_measure(&queue, &views, measured_batch(run->source->kind));
  result = device->end(device->context);
  if (queue.result != GRAZE_OK) result = queue.result;
  search->grid.is_clear = result == GRAZE_OK && has_all;
  return result == GRAZE_OK ? fetch_totals(search, &measuring_query, totals_out) : result;
}

/* ---------------------------------------------------------------------------------------------- results */

static graze_result fetch(const crowding_run *run, const device_buffer *buffer, void *to, size_t bytes) {
  return bulk_download(run->search->memory, to, buffer->data, bytes);
}

static graze_result fetch_counts(const crowding_run *run, uint32_t *levels_out) {
  const device_operations *device = &run->search->memory->operations;
  const device_crowding *own = run->own;
  const device_measure_request *measure = run->measure;
  const size_t count = measure->primitive_count;
  const char *alone = own->object.data;
  graze_result result =
      device->download(device->context, levels_out, alone + offsetof(measured_object, levels), sizeof *levels_out);
  if (result == GRAZE_OK) result = fetch(run, &own->k_of, measure->k_of, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = fetch(run, &own->neighbors_of, measure->neighbors_of, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = fetch(run, &own->diameter_of, measure->diameter_of, count * sizeof(double));
  return result;
}

static void record_cost(const device_operations *device, const device_totals *totals,
                        device_measure_answer *measured_out) {
  void *context = device->context;
  measured_out->timings = (graze_timings){.bounds_ms = device->milliseconds(context, MARK_MEASURE_BEGIN, MARK_BOXES),
                                          .build_ms = device->milliseconds(context, MARK_BOXES, MARK_BUILT),
                                          .search_ms = device->milliseconds(context, MARK_BUILT, MARK_SEARCHED),
                                          .test_ms = device->milliseconds(context, MARK_SEARCHED, MARK_TESTED)};
  measured_out->counters.searched = totals->entry_count;
  measured_out->counters.levels = count_bits(totals->level_mask[0]);
  measured_out->counters.box_tests = tally_sum(totals, TALLY_BOX_TESTS);
  measured_out->counters.candidates = totals->list[LIST_CANDIDATES];
}

/* Repeats the measure until the lists are long enough. */
static graze_result measure_all(const crowding_run *run, uint64_t *ranges, device_totals *totals_out) {
  graze_result result = size_measure(run);
  if (result == GRAZE_OK) result = upload_object(run);
  if (result == GRAZE_OK) result = run_measure(run, totals_out);
  for (; result == GRAZE_OK; result = run_measure(run, totals_out)) {
    (*ranges)++;
    if (!enlarge_lists(&run->search->lists, totals_out)) break;
    if (lists_too_long(totals_out)) return GRAZE_TOO_LARGE;
  }
  return result;
}

/* Releases the lists, pairs and contacts of earlier calls if memory is short. A failure does not prevent later
 * queries, which need less memory. */
graze_result device_crowding_measure(device_crowding *own, device_search *search, const device_measure_request *measure,
                                     device_measure_answer *measured_out) {
  const crowding_run run = {own, search, measure, &search->scene->tables.sources[measure->object]};
  search->grid.kept_for = NULL; /* the entries belong to the measure */
  memset(measured_out, 0, sizeof *measured_out);
  if (measure->primitive_count == 0) return GRAZE_OK;
  uint64_t capacity[LIST_COUNT], ranges = 0;
  memcpy(capacity, search->lists.capacity, sizeof capacity);
  choose_capacities(&run);
  device_totals totals;
  graze_result result = measure_all(&run, &ranges, &totals);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(search->memory)) result = measure_all(&run, &ranges, &totals);
  if (result == GRAZE_OK) result = fetch_counts(&run, &measured_out->levels);
  if (result != GRAZE_OK) {
    memcpy(search->lists.capacity, capacity, sizeof capacity);
    release_spares(search->memory);
    return result;
  }
  record_cost(&search->memory->operations, &totals, measured_out);
  measured_out->counters.reruns = ranges - 1;
  return GRAZE_OK;
}
