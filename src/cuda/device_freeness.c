/* The k-free measure on a device: one object as a scene of its own, boxes grown by balls, the rows and the search of a
 * query, then counts by primitive.
 *
 * Lists keep their room from measure to measure and share it with queries. Where one was too short all is run again,
 * because what was counted by then is part of the sums. There are no chunks: where the lists cannot be had, the measure
 * is refused. */
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
  device_object object;
  object_source source; /* with the first primitive at 0 */
  object_rule rule;
  uint32_t levels;
} measured_object;

static graze_result upload_object(device_frame *frame, const frame_measure *measure) {
  measured_object alone;
  memset(&alone, 0, sizeof alone);
  alone.object = frame->objects[measure->object];
  alone.object.takes_part = 1;
  alone.source = frame->sources[measure->object];
  alone.source.first_primitive = 0;
  alone.rule = (object_rule){1, 1, true};
  return upload_all(frame, BUFFER_MEASURED_OBJECT, &alone, sizeof alone);
}

/* ---------------------------------------------------------------------------------------------- room */

static void raise_capacity(device_frame *frame, device_list list, uint64_t wanted) {
  const size_t hint = frame->operations.first_capacity;
  if (hint != 0) wanted = frame->capacity[list] == 0 ? hint : 0;
  if (wanted > LONGEST_LIST) wanted = LONGEST_LIST;
  if (frame->capacity[list] < wanted) frame->capacity[list] = wanted;
}

/* Candidates that a primitive of a usual mesh has, and some more: surfaces have five to nine, and solids touch on all
 * sides. */
static uint64_t usual_candidates(graze_kind kind) {
  if (kind == GRAZE_KIND_TETRAHEDRON) return 80;
  return kind == GRAZE_KIND_POLYHEDRON ? 20 : 10;
}

static void choose_capacities(device_frame *frame, const frame_measure *measure) {
  const graze_kind kind = frame->sources[measure->object].kind;
  const uint64_t candidates = usual_candidates(kind) * measure->primitive_count + LEAST_NEAR_CAPACITY;
  raise_capacity(frame, LIST_CANDIDATES, candidates);
  raise_capacity(frame, device_apart_list(kind), candidates / 2);
  raise_capacity(frame, LIST_UNDECIDED, candidates / 16);
}

/* Polygons and polyhedra need it however few corners they have. */
static uint32_t scratch_of_lane(const device_frame *frame, const frame_measure *measure) {
  const graze_kind kind = frame->sources[measure->object].kind;
  if (kind == GRAZE_KIND_TRIANGLE || kind == GRAZE_KIND_TETRAHEDRON) return 0;
  return (uint32_t)nearness_scratch(measure->most_corners);
}

/* As many as there are primitives; fewer where each needs scratch, and one at least. */
static uint32_t lanes_of(const device_frame *frame, const frame_measure *measure) {
  const size_t scratch_bytes = scratch_of_lane(frame, measure) * sizeof(double);
  size_t lanes = measure->primitive_count;
  if (scratch_bytes == 0) return (uint32_t)lanes;
  const size_t most = MOST_SCRATCH_BYTES / scratch_bytes + 1, threads = frame->operations.vertex_lanes;
  lanes = lanes < most ? lanes : most;
  return (uint32_t)(lanes < threads ? lanes : threads);
}

static graze_result size_measure(device_frame *frame, const frame_measure *measure) {
  const size_t count = measure->primitive_count;
  graze_result result = size_rows(frame);
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_MEASURED_TAGS, count * sizeof(primitive_tag));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_GROWN_BOXES, count * sizeof(primitive_box));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_K_OF, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_NEIGHBOURS_OF, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_DIAMETER_OF, count * sizeof(double));
  const size_t scratch = (size_t)scratch_of_lane(frame, measure) * lanes_of(frame, measure);
  if (result == GRAZE_OK) result = size_buffer(frame, BUFFER_SCRATCH, scratch * sizeof(double));
  return result;
}

/* ---------------------------------------------------------------------------------------------- stages */

static device_view view_of_measure(const device_frame *frame, const frame_measure *measure) {
  const device_buffer *buffers = frame->buffers;
  const frame_query query = {.within = true};
  const size_t first = frame->sources[measure->object].first_primitive;
  char *alone = buffers[BUFFER_MEASURED_OBJECT].data;
  device_view view = view_of_query(frame, &query);
  view_primitives(frame, measure->primitive_count, &view);
  view.object_count = 1;
  view.only_triangles = frame->sources[measure->object].kind == GRAZE_KIND_TRIANGLE ? 1 : 0;
  view.only_tetrahedra = frame->sources[measure->object].kind == GRAZE_KIND_TETRAHEDRON ? 1 : 0;
  view.objects = (const device_object *)(alone + offsetof(measured_object, object));
  view.sources = (const object_source *)(alone + offsetof(measured_object, source));
  view.rules = (const object_rule *)(alone + offsetof(measured_object, rule));
  view.measure.levels = (uint32_t *)(alone + offsetof(measured_object, levels));
  view.measure.given_tags = view.tags + first;
  view.tags = view.measure.tags = buffers[BUFFER_MEASURED_TAGS].data;
  if (view.erased != NULL) view.erased += first;
  view.measure.boxes = buffers[BUFFER_GROWN_BOXES].data;
  view.measure.k_of = buffers[BUFFER_K_OF].data;
  view.measure.neighbours_of = buffers[BUFFER_NEIGHBOURS_OF].data;
  view.measure.diameter_of = buffers[BUFFER_DIAMETER_OF].data;
  view.measure.lane_scratch = scratch_of_lane(frame, measure);
  view.measure.lanes = lanes_of(frame, measure);
  if (view.measure.lane_scratch != 0) view.measure.scratch = buffers[BUFFER_SCRATCH].data;
  return view;
}

static void queue_distances(stage_queue *queue, graze_kind kind) {
  queue_stage(queue, STAGE_neighbours);
  if (kind == GRAZE_KIND_TRIANGLE) queue_stage(queue, STAGE_near_triangles);
  if (kind == GRAZE_KIND_TETRAHEDRON) queue_stage(queue, STAGE_near_tetrahedra);
  if (kind == GRAZE_KIND_TRIANGLE || kind == GRAZE_KIND_TETRAHEDRON)
    queue_stage(queue, STAGE_near_open);
  else
    queue_stage(queue, STAGE_near_others);
}

static graze_result run_measure(device_frame *frame, const frame_measure *measure, device_totals *totals_out) {
  const device_operations *device = &frame->operations;
  graze_result result = size_lists(frame);
  if (result != GRAZE_OK) return result;
  const device_view view = view_of_measure(frame, measure);
  stage_queue queue = {device, &view, GRAZE_OK};
  if (!device->begin(device->context, SEQUENCE_MEASURE, &view, sizeof view)) {
    queue_mark(&queue, MARK_MEASURE_BEGIN);
    queue_stage(&queue, STAGE_ball);
    queue_rows(&queue);
    queue_stage(&queue, STAGE_search);
    queue_mark(&queue, MARK_SEARCHED);
    queue_distances(&queue, frame->sources[measure->object].kind);
    queue_mark(&queue, MARK_TESTED);
  }
  result = device->end(device->context);
  if (queue.result != GRAZE_OK) result = queue.result;
  return result == GRAZE_OK ? device->download(device->context, totals_out, view.totals, sizeof *totals_out) : result;
}

/* ---------------------------------------------------------------------------------------------- what comes back */

static graze_result fetch(device_frame *frame, device_buffer_name name, void *to, size_t bytes) {
  const device_operations *device = &frame->operations;
  return device->download(device->context, to, frame->buffers[name].data, bytes);
}

static graze_result fetch_counts(device_frame *frame, const frame_measure *measure, uint32_t *levels_out) {
  const device_operations *device = &frame->operations;
  const size_t count = measure->primitive_count;
  const char *alone = frame->buffers[BUFFER_MEASURED_OBJECT].data;
  graze_result result =
      device->download(device->context, levels_out, alone + offsetof(measured_object, levels), sizeof *levels_out);
  if (result == GRAZE_OK) result = fetch(frame, BUFFER_K_OF, measure->k_of, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = fetch(frame, BUFFER_NEIGHBOURS_OF, measure->neighbours_of, count * sizeof(uint32_t));
  if (result == GRAZE_OK) result = fetch(frame, BUFFER_DIAMETER_OF, measure->diameter_of, count * sizeof(double));
  return result;
}

static void tell_cost(const device_frame *frame, const device_totals *totals, frame_measured *measured_out) {
  const device_operations *device = &frame->operations;
  void *context = device->context;
  measured_out->timings = (graze_timings){.bounds_ms = device->milliseconds(context, MARK_MEASURE_BEGIN, MARK_BOXES),
                                          .build_ms = device->milliseconds(context, MARK_BOXES, MARK_BUILT),
                                          .search_ms = device->milliseconds(context, MARK_BUILT, MARK_SEARCHED),
                                          .test_ms = device->milliseconds(context, MARK_SEARCHED, MARK_TESTED)};
  measured_out->counters.searched = totals->row_count;
  measured_out->counters.levels = count_bits(totals->level_mask);
  measured_out->counters.box_tests = tally_sum(totals, TALLY_BOX_TESTS);
  measured_out->counters.candidates = totals->list[LIST_CANDIDATES];
}

/* As many runs as the lists need to be long enough. */
static graze_result measure_all(device_frame *frame, const frame_measure *measure, uint64_t *runs,
                                device_totals *totals_out) {
  graze_result result = size_measure(frame, measure);
  if (result == GRAZE_OK) result = upload_object(frame, measure);
  if (result == GRAZE_OK) result = run_measure(frame, measure, totals_out);
  for (; result == GRAZE_OK; result = run_measure(frame, measure, totals_out)) {
    ++*runs;
    if (!enlarge_lists(frame, totals_out)) break;
    if (lists_too_long(totals_out)) return GRAZE_TOO_LARGE;
  }
  return result;
}

/* Lists, pairs and contacts of earlier calls give way. What was not enough for the measure is no reason to refuse
 * queries, which need less. */
graze_result device_frame_measure(device_frame *frame, const frame_measure *measure, frame_measured *measured_out) {
  memset(measured_out, 0, sizeof *measured_out);
  if (measure->primitive_count == 0) return GRAZE_OK;
  uint64_t capacity[LIST_COUNT], runs = 0;
  memcpy(capacity, frame->capacity, sizeof capacity);
  choose_capacities(frame, measure);
  device_totals totals;
  graze_result result = measure_all(frame, measure, &runs, &totals);
  if (result == GRAZE_OUT_OF_MEMORY && release_lists(frame)) result = measure_all(frame, measure, &runs, &totals);
  if (result == GRAZE_OK) result = fetch_counts(frame, measure, &measured_out->levels);
  if (result != GRAZE_OK) {
    memcpy(frame->capacity, capacity, sizeof capacity);
    release_lists(frame);
    return result;
  }
  tell_cost(frame, &totals, measured_out);
  measured_out->counters.reruns = runs - 1;
  return GRAZE_OK;
}
