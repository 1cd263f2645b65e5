/* Measuring k: smallest balls, boxes grown by an eighth of the ball's diameter, an ordinary search for boxes that meet,
 * and a sink that asks how near the two are.
 *
 * A near pair is at most min(d_i, d_j) / 4 apart, which is at most d_i / 8 + d_j / 8: an eighth on each side is enough,
 * and half of what a quarter would let through. The boxes are half as large as the frame has them, so that the growth
 * does not carry them out of it.
 *
 * Workload: an object of 10^2 to 10^7 primitives, once. On a mesh some twenty candidates a primitive, of which a dozen
 * share a vertex with it: they need no distance. */
#include "analysis/freeness.h"

#include "analysis/nearness.h"
#include "broad/grid.h"
#include "geometry/box.h"
#include "geometry/smallest_ball.h"

#include <math.h>
#include <string.h>

enum { FREENESS_GRAIN = 2048 };

#define NOT_SMALLER (1.0 - 1e-12)
#define NEAR_ENOUGH (1.0 + 1e-12)

/* What one worker writes alone. */
typedef struct freeness_lane {
  _Alignas(MEMORY_ALIGNMENT) size_t population[GRID_LEVEL_COUNT];
  uint32_t levels; /* bit i: a primitive lies on level i of the grid */
  double *scratch;
} freeness_lane;

typedef struct freeness_work {
  const freeness_question *question;
  object_source source; /* with the first primitive at 0 */
  primitive_tag *tags;  /* with the object at 0 */
  const freeness_counts *counts;
  primitive_box *boxes;
  uint8_t *levels;
  freeness_lane *lanes;
  double *scratch; /* of all lanes */
  size_t scratch_count;
  uint32_t worker_count;
} freeness_work;

/* ---------------------------------------------------------------------------------------------- balls and boxes */

static double diameter_of(const object_source *source, corner_list corners, double *scratch) {
  for (uint32_t i = 0; i < corners.count; i++) fetch_vertex(source, corners.vertices[i], scratch + 3 * (size_t)i);
  double centre[3];
  return smallest_ball(scratch, corners.count, centre);
}

typedef struct frame_bounds {
  double min[3], max[3];
} frame_bounds;

static frame_bounds bounds_of(const freeness_work *work, corner_list corners) {
  frame_bounds bounds = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (uint32_t i = 0; i < corners.count; i++) {
    const near_vertex *v = &work->question->near_vertices[work->source.first_vertex + corners.vertices[i]];
    const double at[3] = {v->x, v->y, v->z}, error = v->error;
    for (int axis = 0; axis < 3; axis++) {
      bounds.min[axis] = fmin(bounds.min[axis], at[axis] - error);
      bounds.max[axis] = fmax(bounds.max[axis], at[axis] + error);
    }
  }
  return bounds;
}

/* The longest side of the box when it is grown by so much. */
static float longest_side(const frame_bounds *bounds, double growth) {
  double longest = 0.0;
  for (int axis = 0; axis < 3; axis++) longest = fmax(longest, bounds->max[axis] - bounds->min[axis] + 2.0 * growth);
  return float_round_up(longest);
}

static primitive_box grown_box(const frame_bounds *bounds, double growth) {
  primitive_box grown;
  for (int axis = 0; axis < 3; axis++) {
    grown.min[axis] = float_round_down(0.5 * (bounds->min[axis] - growth));
    grown.max[axis] = float_round_up(0.5 * (bounds->max[axis] + growth));
  }
  return grown;
}

static float box_side(const primitive_box *bounds) {
  float longest = 0.0f;
  for (int axis = 0; axis < 3; axis++) longest = fmaxf(longest, bounds->max[axis] - bounds->min[axis]);
  return longest;
}

static void bound_range(void *context, size_t first, size_t end, uint32_t worker) {
  const freeness_work *work = context;
  const freeness_question *question = work->question;
  freeness_lane *lane = &work->lanes[worker];
  for (size_t i = first; i < end; i++) {
    const bool erased = question->erased != NULL && question->erased[i] != 0;
    work->tags[i] = question->tags[i];
    work->tags[i].object = 0;
    work->counts->k_of[i] = erased ? 0 : 1;
    work->counts->neighbours_of[i] = 0;
    work->counts->diameter_of[i] = 0.0;
    work->levels[i] = LEVEL_NOT_SEARCHED;
    if (erased) continue;
    const corner_list corners = corners_of(&work->source, (uint32_t)i);
    const double diameter = diameter_of(&work->source, corners, lane->scratch);
    work->counts->diameter_of[i] = diameter;
    const frame_bounds bounds = bounds_of(work, corners);
    lane->levels |= UINT32_C(1) << grid_level_of(longest_side(&bounds, 0.0));
    /* No ball of the frame is larger than 1; a diameter beyond the largest double is. */
    const double growth = fmin(diameter * question->scale, 1.0) * 0.125 * (1.0 + 1e-6);
    work->boxes[i] = grown_box(&bounds, growth);
    work->levels[i] = grid_level_of(box_side(&work->boxes[i]));
    lane->population[work->levels[i]]++;
  }
}

/* ---------------------------------------------------------------------------------------------- pairs */

/* Several workers may count for one primitive at once; sums do not depend on the order. */
static void count_one(uint32_t *counter) {
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static bool tags_share_corner(const primitive_tag *a, const primitive_tag *b) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (a->corner[i] == b->corner[j]) return true;
  return false;
}

static void consume(void *context, uint32_t worker, uint32_t task, const candidate *candidates, size_t count) {
  const freeness_work *work = context;
  const nearness object = {&work->source, work->question->scale};
  const bool triangles = work->source.kind == GRAZE_KIND_TRIANGLE;
  (void)task;
  for (size_t i = 0; i < count; i++) {
    const uint32_t a = candidates[i].pair.a, b = candidates[i].pair.b;
    const double a_size = work->counts->diameter_of[a], b_size = work->counts->diameter_of[b];
    const bool a_asks = b_size >= a_size * NOT_SMALLER, b_asks = a_size >= b_size * NOT_SMALLER;
    const bool neighbours =
        tags_share_corner(candidates[i].a, candidates[i].b) || (!triangles && share_corner(&work->source, a, b));
    const double asked = a_asks && b_asks ? fmax(a_size, b_size) : fmin(a_size, b_size);
    if (!neighbours && !primitives_near(&object, a, b, asked * 0.25 * NEAR_ENOUGH, work->lanes[worker].scratch))
      continue;
    if (a_asks) count_one(&work->counts->k_of[a]);
    if (b_asks) count_one(&work->counts->k_of[b]);
    if (a_asks && neighbours) count_one(&work->counts->neighbours_of[a]);
    if (b_asks && neighbours) count_one(&work->counts->neighbours_of[b]);
  }
}

static bool search_pairs(freeness_work *work) {
  const freeness_question *question = work->question;
  const object_rule rule = {1, 1, true};
  primitive_view view = {.primitive_count = question->count,
                         .tags = work->tags,
                         .near_vertices = question->near_vertices,
                         .boxes = work->boxes,
                         .levels = work->levels,
                         .sources = &work->source,
                         .rules = &rule,
                         .object_count = 1,
                         .within = true,
                         .only_triangles = work->source.kind == GRAZE_KIND_TRIANGLE};
  for (uint32_t i = 0; i < work->worker_count; i++)
    for (int level = 0; level < GRID_LEVEL_COUNT; level++)
      view.level_population[level] += work->lanes[i].population[level];
  search s = {.view = &view,
              .hash = question->hash,
              .once = question->once,
              .simd = question->simd,
              .memory = question->memory,
              .workers = question->workers,
              .sink = {work, consume}};
  atomic_init(&s.last_task, UINT32_MAX);
  atomic_init(&s.out_of_memory, false);
  return question->method->find(&s) == GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- the measure */

static uint32_t most_corners(const object_source *source, size_t count) {
  uint32_t most = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t corners = corners_of(source, (uint32_t)i).count;
    most = corners > most ? corners : most;
    if (source->corner_first == NULL) break;
  }
  return most;
}

static bool allocate(freeness_work *work) {
  const freeness_question *question = work->question;
  memory *heap = question->memory;
  const size_t lane_scratch = nearness_scratch(most_corners(&work->source, question->count)) + 8;
  if (!size_multiply(lane_scratch, work->worker_count, &work->scratch_count)) return false;
  work->tags = memory_allocate(heap, question->count, sizeof *work->tags);
  work->boxes = memory_allocate(heap, question->count, sizeof *work->boxes);
  work->levels = memory_allocate(heap, question->count, sizeof *work->levels);
  work->lanes = memory_allocate(heap, work->worker_count, sizeof *work->lanes);
  work->scratch = memory_allocate(heap, work->scratch_count, sizeof *work->scratch);
  if (work->tags == NULL || work->boxes == NULL || work->levels == NULL || work->lanes == NULL || work->scratch == NULL)
    return false;
  memset(work->lanes, 0, work->worker_count * sizeof *work->lanes);
  for (uint32_t i = 0; i < work->worker_count; i++) work->lanes[i].scratch = work->scratch + i * lane_scratch;
  return true;
}

static void release(freeness_work *work) {
  memory *heap = work->question->memory;
  memory_release(heap, work->tags, work->question->count, sizeof *work->tags);
  memory_release(heap, work->boxes, work->question->count, sizeof *work->boxes);
  memory_release(heap, work->levels, work->question->count, sizeof *work->levels);
  memory_release(heap, work->lanes, work->worker_count, sizeof *work->lanes);
  memory_release(heap, work->scratch, work->scratch_count, sizeof *work->scratch);
}

bool freeness_measure(const freeness_question *question, const freeness_counts *counts, uint32_t *levels_out) {
  freeness_work work = {.question = question,
                        .source = question->source,
                        .counts = counts,
                        .worker_count = workers_count(question->workers)};
  work.source.first_primitive = 0;
  *levels_out = 0;
  bool measured = allocate(&work);
  if (measured) {
    workers_for(question->workers, question->count, FREENESS_GRAIN, bound_range, &work);
    measured = search_pairs(&work);
    uint32_t levels = 0;
    for (uint32_t i = 0; i < work.worker_count; i++) levels |= work.lanes[i].levels;
    for (; levels != 0; levels &= levels - 1) ++*levels_out;
  }
  release(&work);
  return measured;
}

/* ---------------------------------------------------------------------------------------------- summing up */

/* By the kind: the factor that holds by proof (docs/k_free.md), and the published one. */
static const struct {
  uint32_t bound, paper;
} factors[] = {[GRAZE_KIND_TRIANGLE] = {10, 3},
               [GRAZE_KIND_POLYGON] = {25, 7},
               [GRAZE_KIND_TETRAHEDRON] = {24, 4},
               [GRAZE_KIND_POLYHEDRON] = {156, 21}};

/* Mean and deviation of the numbers of primitives that are there. */
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

graze_freeness freeness_sum_up(graze_kind kind, const freeness_counts *counts, size_t count, uint32_t levels) {
  graze_freeness sum = {.kind = kind,
                        .levels = levels,
                        .bound_factor = factors[kind].bound,
                        .paper_factor = factors[kind].paper,
                        .k_of = counts->k_of,
                        .neighbours_of = counts->neighbours_of,
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
  spread_of(counts->neighbours_of, counts->k_of, count, sum.primitive_count, &sum.neighbour_mean,
            &sum.neighbour_deviation);
  return sum;
}
