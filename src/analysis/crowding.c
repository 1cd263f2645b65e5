/* Measures k: smallest balls, grown boxes, an ordinary search for intersecting boxes, and a sink that compares
 * distances.
 *
 * Workload: an object of 10^2 to 10^7 primitives, once. On a mesh about twenty candidates a primitive, a dozen of which
 * share a vertex with it and need no distance. */
#include "analysis/crowding.h"

#include "analysis/crowding_rule.h"
#include "analysis/nearness.h"
#include "base/timer.h"
#include "broad/grid_level.h"
#include "broad/method_state.h"
#include "geometry/bits.h"

#include <math.h>
#include <string.h>

enum { CROWDING_GRAIN = 2048 };

/* Results of one worker. */
typedef struct crowding_lane {
  _Alignas(MEMORY_ALIGNMENT) uint64_t searched_count;
  uint32_t levels; /* bit i: a primitive lies on level i of the grid */
  double *scratch;
} crowding_lane;

typedef struct crowding_work {
  const crowding_query *query;
  object_source source;      /* with the first primitive at 0 */
  primitive_header *headers; /* with the object at 0 */
  const crowding_counts *counts;
  primitive_box *boxes;
  uint8_t *searched;
  crowding_lane *lanes;
  double *scratch; /* of all lanes */
  size_t scratch_count;
  uint32_t worker_count;
} crowding_work;

/* ---------------------------------------------------------------------------------------------- balls and boxes */

static void bound_range(void *context, size_t first, size_t end, uint32_t worker) {
  const crowding_work *work = context;
  const crowding_query *query = work->query;
  crowding_lane *lane = &work->lanes[worker];
  for (size_t i = first; i < end; i++) {
    const bool removed = query->removed != NULL && query->removed[i] != 0;
    work->headers[i] = query->headers[i];
    work->headers[i].object = 0;
    work->counts->k_of[i] = removed ? 0 : 1;
    work->counts->neighbors_of[i] = 0;
    work->counts->diameter_of[i] = 0.0;
    work->searched[i] = removed ? 0 : 1;
    if (removed) continue;
    const corner_list corners = corners_of(&work->source, (uint32_t)i);
    const double diameter = ball_diameter(&work->source, corners, lane->scratch);
    work->counts->diameter_of[i] = diameter;
    const axis_map *map = query->map;
    const normalized_bounds bounds = map != NULL
                                         ? normalized_bounds_from(&work->source, corners, query->normalization)
                                         : normalized_bounds_of(&work->source, corners, query->rounded_vertices);
    lane->levels |= UINT32_C(1) << grid_level_of(longest_bound(&bounds));
    work->boxes[i] = map != NULL ? grown_mapped_box(&work->source, corners, diameter, map)
                                 : grown_box(&bounds, diameter, query->scale);
    lane->searched_count++;
  }
}

/* ---------------------------------------------------------------------------------------------- pairs */

/* Several workers may increment one counter at once; sums do not depend on the order. */
static void count_one(uint32_t *counter) {
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static size_t count_candidates(void *context, uint32_t worker, uint32_t task, const candidate *candidates,
                               size_t count) {
  const crowding_work *work = context;
  const nearness object = {&work->source, work->query->scale};
  (void)task;
  for (size_t i = 0; i < count; i++) {
    const uint32_t a = candidates[i].pair.a, b = candidates[i].pair.b;
    const near_query near = near_query_of(work->counts->diameter_of[a], work->counts->diameter_of[b]);
    const bool neighbors = have_common_corner(&work->source, candidates[i].a, candidates[i].b, a, b);
    if (!neighbors && !primitives_near(&object, a, b, near.radius, work->lanes[worker].scratch)) continue;
    if (near.counts_for_a) count_one(&work->counts->k_of[a]);
    if (near.counts_for_b) count_one(&work->counts->k_of[b]);
    if (near.counts_for_a && neighbors) count_one(&work->counts->neighbors_of[a]);
    if (near.counts_for_b && neighbors) count_one(&work->counts->neighbors_of[b]);
  }
  return 0;
}

/* The boxes and the method's state belong to this measure only. */
static bool search_once(const crowding_query *query, search *s) {
  object_change everything = CHANGED_ALL;
  method_state state = {0};
  bool found = method_open(&state, query->method, &query->options, query->memory) == GRAZE_OK;
  found = found && method_update(&state, s->view, &everything, s->workers, s->memory) == GRAZE_OK;
  found = found && method_find(&state, s) == GRAZE_OK;
  method_close(&state);
  return found;
}

static bool search_pairs(crowding_work *work, crowding_outcome *outcome) {
  const crowding_query *query = work->query;
  const object_rule rule = {1, 1, true, false, 0};
  const primitive_view view = {.primitive_count = query->count,
                               .headers = work->headers,
                               .rounded_vertices = query->rounded_vertices,
                               .boxes = work->boxes,
                               .searched = work->searched,
                               .sources = &work->source,
                               .rules = &rule,
                               .object_count = 1,
                               .within = true,
                               .only_triangles = kind_batch_of(work->source.kind) == BATCH_TRIANGLES};
  search s = {.view = &view,
              .simd = query->simd,
              .memory = query->memory,
              .workers = query->workers,
              .sink = {work, count_candidates}};
  search_init_ends(&s);
  const double begin = timer_now_ms();
  const bool found = search_once(query, &s);
  outcome->timings.build_ms = s.build_ms;
  outcome->timings.order_ms = s.order_ms;
  outcome->timings.search_ms = fmax(timer_now_ms() - begin - s.build_ms - s.order_ms, 0.0);
  for (uint32_t i = 0; i < work->worker_count; i++) outcome->counters.searched += work->lanes[i].searched_count;
  outcome->counters.levels = s.level_count;
  outcome->counters.box_tests = s.counts.box_tests;
  outcome->counters.candidates = s.counts.candidates;
  outcome->counters.duplicates = s.counts.duplicates;
  return found;
}

/* ---------------------------------------------------------------------------------------------- the measure */

uint32_t crowding_most_corners(const object_source *source, size_t count) {
  uint32_t most = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t corners = corners_of(source, source->first_primitive + (uint32_t)i).count;
    most = corners > most ? corners : most;
    if (source->corner_first == NULL) break;
  }
  return most;
}

static bool allocate_work(crowding_work *work) {
  const crowding_query *query = work->query;
  memory *heap = query->memory;
  const size_t lane_scratch = nearness_scratch(crowding_most_corners(&work->source, query->count)) + 8;
  if (!size_multiply(lane_scratch, work->worker_count, &work->scratch_count)) return false;
  work->headers = memory_allocate(heap, query->count, sizeof *work->headers);
  work->boxes = memory_allocate(heap, query->count, sizeof *work->boxes);
  work->searched = memory_allocate(heap, query->count, sizeof *work->searched);
  work->lanes = memory_allocate(heap, work->worker_count, sizeof *work->lanes);
  work->scratch = memory_allocate(heap, work->scratch_count, sizeof *work->scratch);
  if (work->headers == NULL || work->boxes == NULL || work->searched == NULL || work->lanes == NULL ||
      work->scratch == NULL)
    return false;
  memset(work->lanes, 0, work->worker_count * sizeof *work->lanes);
  for (uint32_t i = 0; i < work->worker_count; i++) work->lanes[i].scratch = work->scratch + i * lane_scratch;
  return true;
}

static void release_work(crowding_work *work) {
  memory *heap = work->query->memory;
  memory_release(heap, work->headers, work->query->count, sizeof *work->headers);
  memory_release(heap, work->boxes, work->query->count, sizeof *work->boxes);
  memory_release(heap, work->searched, work->query->count, sizeof *work->searched);
  memory_release(heap, work->lanes, work->worker_count, sizeof *work->lanes);
  memory_release(heap, work->scratch, work->scratch_count, sizeof *work->scratch);
}

bool crowding_measure(const crowding_query *query, const crowding_counts *counts, crowding_outcome *outcome_out) {
  crowding_work work = {
      .query = query, .source = query->source, .counts = counts, .worker_count = workers_count(query->workers)};
  work.source.first_primitive = 0;
  memset(outcome_out, 0, sizeof *outcome_out);
  bool measured = allocate_work(&work);
  if (measured) {
    const double begin = timer_now_ms();
    workers_for(query->workers, query->count, CROWDING_GRAIN, bound_range, &work);
    outcome_out->timings.bounds_ms = timer_now_ms() - begin;
    measured = search_pairs(&work, outcome_out);
    uint32_t levels = 0;
    for (uint32_t i = 0; i < work.worker_count; i++) levels |= work.lanes[i].levels;
    outcome_out->levels = count_bits(levels);
  }
  release_work(&work);
  return measured;
}

/* ---------------------------------------------------------------------------------------------- summing up */

/* Mean and deviation over the primitives that are not removed. */
static void spread_of(const uint32_t *numbers, const uint32_t *k_of, size_t count, size_t there, double *mean_out,
                      double *deviation_out) {
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < count; i++) sum += k_of[i] != 0 ? (double)numbers[i] : 0.0;
  const double mean = there > 0 ? sum / (double)there : 0.0;
  for (size_t i = 0; i < count; i++)
    squares += k_of[i] != 0 ? ((double)numbers[i] - mean) * ((double)numbers[i] - mean) : 0.0;
  *mean_out = mean;
  *deviation_out = there > 0 ? sqrt(squares / (double)there) : 0.0;
}

graze_crowding crowding_sum_up(graze_kind kind, const crowding_counts *counts, size_t count, uint32_t levels) {
  const kind_row row = kind_row_of(kind);
  graze_crowding sum = {.kind = kind,
                        .levels = levels,
                        .bound_factor = row.bound_factor,
                        .k_of = counts->k_of,
                        .neighbors_of = counts->neighbors_of,
                        .diameter_of = counts->diameter_of,
                        .count = count};
  for (size_t i = 0; i < count; i++) {
    const double diameter = counts->diameter_of[i];
    sum.primitive_count += counts->k_of[i] != 0;
    sum.k = counts->k_of[i] > sum.k ? counts->k_of[i] : sum.k;
    if (!(diameter > 0.0)) continue;
    sum.largest = fmax(sum.largest, diameter);
    sum.smallest = sum.smallest > 0.0 ? fmin(sum.smallest, diameter) : diameter;
  }
  if (sum.smallest > 0.0 && isfinite(sum.largest)) sum.height = log2(sum.largest) - log2(sum.smallest);
  spread_of(counts->k_of, counts->k_of, count, sum.primitive_count, &sum.mean, &sum.deviation);
  spread_of(counts->neighbors_of, counts->k_of, count, sum.primitive_count, &sum.neighbor_mean,
            &sum.neighbor_deviation);
  return sum;
}
