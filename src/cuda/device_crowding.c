/* The k-free measure on a device: one object as a scene of its own, boxes grown by balls, the entries and the search of
 * a query, then counts by primitive.
 *
 * Lists keep their room from measure to measure and share it with queries. Where one was too short all is run again,
 * because what was counted by then is part of the sums. There are no chunks: where the lists cannot be had, the measure
 * is refused. */
#include "cuda/bulk_copy.h"
#include "cuda/device_memory.h"
#include "cuda/device_query.h"
#include "geometry/bits.h"

#include "analysis/nearness.h"

#include <stddef.h>
#include <string.h>

enum {
  LEAST_NEAR_CAPACITY = 1024,    /* of a list */
  MOST_SCRATCH_BYTES = 128 << 20 /* of all lanes */
};

/* The one object, as the stages see it. */
typedef struct measured_object {
  object_source source; /* with the first primitive at 0 */
  object_rule rule;
  uint32_t levels;
} measured_object;

static graze_result upload_object(device_state *state, const device_measure_request *measure) {
  measured_object alone;
  memset(&alone, 0, sizeof alone);
  alone.source = state->sources[measure->object];
  alone.source.first_primitive = 0;
  alone.rule = (object_rule){1, 1, true};
  return upload_spare(&state->memory, &state->buffers[BUFFER_MEASURED_OBJECT], &alone, sizeof alone);
}

/* ---------------------------------------------------------------------------------------------- room */

static void raise_capacity(device_state *state, device_list list, uint64_t wanted) {
  const size_t hint = state->memory.operations.first_capacity;
  if (hint != 0) wanted = state->capacity[list] == 0 ? hint : 0;
  if (wanted > LONGEST_LIST) wanted = LONGEST_LIST;
  if (state->capacity[list] < wanted) state->capacity[list] = wanted;
}

static void choose_capacities(device_state *state, const device_measure_request *measure) {
  const graze_kind kind = state->sources[measure->object].kind;
  const uint64_t usual = kind_row_of(kind).near_candidates;
  const uint64_t candidates = usual * measure->primitive_count + LEAST_NEAR_CAPACITY;
  raise_capacity(state, LIST_CANDIDATES, candidates);
  raise_capacity(state, device_apart_list(kind), candidates / 2);
  raise_capacity(state, LIST_UNDECIDED, candidates / 16);
}

/* Spheres go with the others: their distances need no stage of their own. */
static kind_batch measured_batch(graze_kind kind) {
  const kind_batch batch = kind_batch_of(kind);
  return batch == BATCH_SPHERES ? BATCH_OTHERS : batch;
}

/* Kinds without a batch of their own need it however few corners they have. */
static uint32_t scratch_of_lane(const device_state *state, const device_measure_request *measure) {
  const graze_kind kind = state->sources[measure->object].kind;
  if (measured_batch(kind) != BATCH_OTHERS) return 0;
  return (uint32_t)nearness_scratch(measure->most_corners);
}

/* As many as there are primitives; fewer where each needs scratch, and one at least. */
static uint32_t lanes_of(const device_state *state, const device_measure_request *measure) {
  const size_t scratch_bytes = scratch_of_lane(state, measure) * sizeof(double);
  size_t lanes = measure->primitive_count;
  if (scratch_bytes == 0) return (uint32_t)lanes;
  const size_t most = MOST_SCRATCH_BYTES / scratch_bytes + 1, threads = state->memory.operations.vertex_lanes;
  lanes = lanes < most ? lanes : most;
  return (uint32_t)(lanes < threads ? lanes : threads);
}

/* What a measure asks the grid for. */
static const device_query measured_query = {.within = true};

static graze_result size_measure(device_state *state, const device_measure_request *measure) {
  const size_t count = measure->primitive_count;
  graze_result result = size_entries(state, &measured_query, 0);
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_MEASURED_HEADERS], count * sizeof(primitive_header));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_GROWN_BOXES], count * sizeof(primitive_box));
  if (result == GRAZE_OK) result = size_spare(&state->memory, &state->buffers[BUFFER_K_OF], count * sizeof(uint32_t));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_NEIGHBOURS_OF], count * sizeof(uint32_t));
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_DIAMETER_OF], count * sizeof(double));
  const size_t scratch = (size_t)scratch_of_lane(state, measure) * lanes_of(state, measure);
  if (result == GRAZE_OK)
    result = size_spare(&state->memory, &state->buffers[BUFFER_SCRATCH], scratch * sizeof(double));
  return result;
}

/* ---------------------------------------------------------------------------------------------- stages */

static device_view view_of_measure(const device_state *state, const device_measure_request *measure) {
  const device_buffer *buffers = state->buffers;
  const size_t first = state->sources[measure->object].first_primitive;
  char *alone = buffers[BUFFER_MEASURED_OBJECT].data;
  device_view view = view_of_query(state, &measured_query);
  view_primitives(state, measure->primitive_count, &view);
  view.object_count = 1;
  view.pair_rule = PAIRS_ALL;
  const kind_batch batch = measured_batch(state->sources[measure->object].kind);
  view.only_triangles = batch == BATCH_TRIANGLES ? 1 : 0;
  view.only_tetrahedra = batch == BATCH_TETRAHEDRA ? 1 : 0;
  view.sources = (const object_source *)(alone + offsetof(measured_object, source));
  view.rules = (const object_rule *)(alone + offsetof(measured_object, rule));
  view.measure.levels = (uint32_t *)(alone + offsetof(measured_object, levels));
  view.measure.given_headers = view.headers + first;
  view.headers = view.measure.headers = buffers[BUFFER_MEASURED_HEADERS].data;
  if (view.erased != NULL) view.erased += first;
  view.measure.boxes = buffers[BUFFER_GROWN_BOXES].data;
  view.measure.k_of = buffers[BUFFER_K_OF].data;
  view.measure.neighbours_of = buffers[BUFFER_NEIGHBOURS_OF].data;
  view.measure.diameter_of = buffers[BUFFER_DIAMETER_OF].data;
  view.measure.lane_scratch = scratch_of_lane(state, measure);
  view.measure.lanes = lanes_of(state, measure);
  if (view.measure.lane_scratch != 0) view.measure.scratch = buffers[BUFFER_SCRATCH].data;
  return view;
}

static void queue_distances(stage_queue *queue, kind_batch batch) {
  queue_stage(queue, STAGE_neighbours);
  if (batch == BATCH_TRIANGLES) queue_stage(queue, STAGE_near_triangles);
  if (batch == BATCH_TETRAHEDRA) queue_stage(queue, STAGE_near_tetrahedra);
  queue_stage(queue, batch != BATCH_OTHERS ? STAGE_near_open : STAGE_near_others);
}

static graze_result run_measure(device_state *state, const device_measure_request *measure, device_totals *totals_out) {
  const device_operations *device = &state->memory.operations;
  graze_result result = size_lists(state);
  if (result != GRAZE_OK) return result;
  const device_view view = view_of_measure(state, measure);
  stage_queue queue = {device, &view, GRAZE_OK};
  /* The tables of a part of all primitives lie elsewhere: neither has what the other leaves behind. */
  const bool has_all = measure->primitive_count == state->primitive_count;
  state->grid_is_clear = state->grid_is_clear && has_all;
  result = clear_counts(state, &measured_query, &view);
  if (result == GRAZE_OK) result = clear_grid(state, &view);
  if (result != GRAZE_OK) return result;
  if (!device->begin(device->context, SEQUENCE_MEASURE, &view, sizeof view)) {
    queue_mark(&queue, MARK_MEASURE_BEGIN);
    queue_stage(&queue, STAGE_ball);
    queue_entries(&queue);
    queue_stage(&queue, STAGE_search);
    queue_mark(&queue, MARK_SEARCHED);
    queue_grid_clearing(&queue);
    queue_distances(&queue, measured_batch(state->sources[measure->object].kind));
    queue_mark(&queue, MARK_TESTED);
  }
  result = device->end(device->context);
  if (queue.result != GRAZE_OK) result = queue.result;
  state->grid_is_clear = result == GRAZE_OK && has_all;
  return result == GRAZE_OK ? device->download(device->context, totals_out, view.totals, sizeof *totals_out) : result;
}

/* ---------------------------------------------------------------------------------------------- what comes back */

static graze_result fetch(device_state *state, device_buffer_name name, void *to, size_t bytes) {
  return bulk_download(&state->memory, to, state->buffers[name].data, bytes);
}

static graze_result fetch_counts(device_state *state, const device_measure_request *measure, uint32_t *levels_out) {
  const device_operations *device = &state->memory.operations;
  const size_t count = measure->primitive_count;
  const char *alone = state->buffers[BUFFER_MEASURED_OBJECT].data;
  graze_result result =
      device->download(device->context, levels_out, alone + offsetof(measured_object, levels), sizeof *levels_out);
  if (result == GRAZE_OK) result = fetch(state, BUFFER_K_OF, measure->k_of, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = fetch(state, BUFFER_NEIGHBOURS_OF, measure->neighbours_of, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = fetch(state, BUFFER_DIAMETER_OF, measure->diameter_of, count * sizeof(double));
  return result;
}

static void tell_cost(const device_state *state, const device_totals *totals, device_measure_answer *measured_out) {
  const device_operations *device = &state->memory.operations;
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

/* Buckets could not be counted, or a list was cut short. */
static bool needs_another_run(device_state *state, const device_totals *totals) {
  return widen_counts(state, totals) || enlarge_lists(state, totals);
}

/* As many runs as the lists need to be long enough. */
static graze_result measure_all(device_state *state, const device_measure_request *measure, uint64_t *ranges,
                                device_totals *totals_out) {
  graze_result result = size_measure(state, measure);
  if (result == GRAZE_OK) result = upload_object(state, measure);
  if (result == GRAZE_OK) result = run_measure(state, measure, totals_out);
  for (; result == GRAZE_OK; result = run_measure(state, measure, totals_out)) {
    ++*ranges;
    if (!needs_another_run(state, totals_out)) break;
    if (lists_too_long(totals_out)) return GRAZE_TOO_LARGE;
  }
  return result;
}

/* Lists, pairs and contacts of earlier calls give way. What was not enough for the measure is no reason to refuse
 * queries, which need less. */
graze_result device_state_measure(device_state *state, const device_measure_request *measure,
                                  device_measure_answer *measured_out) {
  state->leaves_are_entries = false; /* entries are those of the measure */
  memset(measured_out, 0, sizeof *measured_out);
  if (measure->primitive_count == 0) return GRAZE_OK;
  uint64_t capacity[LIST_COUNT], ranges = 0;
  memcpy(capacity, state->capacity, sizeof capacity);
  choose_capacities(state, measure);
  device_totals totals;
  graze_result result = measure_all(state, measure, &ranges, &totals);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(&state->memory))
    result = measure_all(state, measure, &ranges, &totals);
  if (result == GRAZE_OK) result = fetch_counts(state, measure, &measured_out->levels);
  if (result != GRAZE_OK) {
    memcpy(state->capacity, capacity, sizeof capacity);
    release_spares(&state->memory);
    return result;
  }
  tell_cost(state, &totals, measured_out);
  measured_out->counters.reruns = ranges - 1;
  return GRAZE_OK;
}
