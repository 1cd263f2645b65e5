/* Gaps of a packing; see packing_gaps.h. */
#include "packing/packing_gaps.h"

#include "base/radix_sort.h"
#include "packing/obstacle_tree.h"
#include "packing/packer.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- the bound */

/* A bound within this fraction above the largest gap found is good enough. */
#define CLOSE_ENOUGH 1.01

/* Each round splits the cubes whose bounds are within this fraction of the largest one. */
#define ROUND_PART 0.9

/* The angle from which obstacles around a cube's center are distinguished. */
#define DIRECTIONS_APART 0.3

/* The square root of three, rounded up. */
#define ROOT_OF_THREE 1.7320508075688774

/* Distances have errors from the rounding of coordinates, which are below 4; those of needles, of 2^-39 of their
 * length. */
#define GAP_MARGIN_DIAGONAL 0x1p-36
#define GAP_MARGIN_COORDINATES 0x1p-46

/* The budget of cubes: memory is linear, and the time a fraction of that of packing. */
enum { CUBES_AT_LEAST = 1 << 16, CUBES_A_SPHERE = 192, CUBES_A_TASK = 64, CUBES_AT_START = 1 << 13 };

/* Below this size, centers of cubes would have to be rounded. */
#define HALF_LEAST 0x1p-48

typedef struct search {
  packer *work;
  array open; /* gap_cube: those whose bound is still too large */
  array cut;  /* gap_cube: eight for each cube split in this round */
  double margin, largest;
  size_t looked_at, budget;
} search;

/* Raises the distances of the list to upper bounds for the whole cube, with the same gradients: an obstacle's nearest
 * point at distance d is at distance sqrt(d^2 + 2 d n.s + s.s) <= d + n.s + s.s / 2 d after a step s. The least comes
 * first. */
static void raise_distances(near_list *near, double reach) {
  int least = 0;
  for (int i = 0; i < near->count; i++) {
    near->distance[i] += 0.5 * reach * reach / near->distance[i];
    if (near->distance[i] < near->distance[least]) least = i;
  }
  const double distance = near->distance[least];
  const vector3 gradient = vector3_load(near->gradient[least]);
  near_list_move(near, 0, least);
  near->distance[0] = distance;
  vector3_store(gradient, near->gradient[0]);
}

/* A bound from several obstacles together. The least of some distances is at most their mean with any weights, and the
 * mean of the lines d_i + n_i . s over a cube is largest at a corner. The multipliers of the linear program of a step
 * are the best weights; with wrong ones the bound is too large but still valid. */
static double bound_by_weights(const near_list *near, double half) {
  step_problem problem;
  double unused[STEP_UNKNOWNS], multipliers[STEP_UNKNOWNS], mean = 0.0, slope[3] = {0.0, 0.0, 0.0}, sum = 0.0;
  step_problem_run(&problem, near, half);
  if (!step_held_direction(&problem, unused, multipliers)) return HUGE_VAL;
  for (int i = 0; i < problem.held_count; i++) {
    const int row = problem.held[i];
    if (row >= near->count || !(multipliers[i] < 0.0)) continue;
    sum -= multipliers[i];
    mean -= multipliers[i] * near->distance[row];
    for (int k = 0; k < 3; k++) slope[k] -= multipliers[i] * near->gradient[row][k];
  }
  if (!(sum > 0.5)) return HUGE_VAL;
  return (mean + half * (fabs(slope[0]) + fabs(slope[1]) + fabs(slope[2]))) / sum;
}

/* The distance of the nearest obstacle of a tree, or the known distance if that is less. */
static double distance_to(const obstacle_tree *tree, const double *point, double known) {
  near_list near;
  near_list_begin(&near, 1.0, 1e-6);
  near.careful = true;
  near.cutoff = known;
  obstacle_tree_search(tree, vector3_load(point), &near);
  return near.count > 0 && near.distance[0] < known ? near.distance[0] : known;
}

/* Computes the bound from several obstacles if a single one is not enough. */
static double bound_by_several(const packing_space *space, const gap_cube *at, double clearance, double reach) {
  near_list near;
  near_list_begin(&near, 1.0 + 2.0 * reach / clearance, DIRECTIONS_APART);
  near.careful = true;
  packing_space_search(space, at->center, &near);
  raise_distances(&near, reach);
  return fmin(clearance + reach, bound_by_weights(&near, at->half));
}

/* The cheapest test comes first: most cubes are inside spheres, and the bound by the nearest obstacle is valid on both
 * sides of the mesh. */
void gap_cube_bound(const packing_space *space, double enough, gap_cube *at) {
  const double reach = ROOT_OF_THREE * at->half;
  orientation_tally tally = {0};
  at->gap = 0.0;
  double clearance = distance_to(&space->spheres, at->center, HUGE_VAL);
  if (clearance + reach > enough) clearance = distance_to(&space->mesh, at->center, clearance);
  at->bound = clearance + reach;
  if (at->bound <= enough) return;
  if (mesh_winding(&space->mesh, at->center, &tally) <= 0) {
    at->bound = reach - distance_to(&space->mesh, at->center, HUGE_VAL);
    return;
  }
  at->gap = clearance > 0.0 ? clearance : 0.0;
  if (reach < clearance) at->bound = bound_by_several(space, at, clearance, reach);
}

static double close_enough(const search *now) {
  return CLOSE_ENOUGH * now->largest - now->margin;
}

static void bound_range(void *context, size_t first, size_t end, uint32_t worker) {
  const search *now = context;
  gap_cube *cubes = now->cut.data;
  (void)worker;
  for (size_t i = first; i < end && !stop_is_requested(now->work->stop); i++)
    gap_cube_bound(&now->work->space, close_enough(now), &cubes[i]);
}

static bool is_open(const search *now, const gap_cube *at) {
  return at->bound > close_enough(now);
}

/* If the center of a cube has a larger gap than any before, a prototype may find a still larger one around it. */
static void raise_largest(search *now) {
  const gap_cube *cubes = now->cut.data, *best = NULL;
  for (size_t i = 0; i < now->cut.count; i++)
    if (cubes[i].gap > (best != NULL ? best->gap : now->largest)) best = &cubes[i];
  if (best == NULL) return;
  prototype found = {{best->center[0], best->center[1], best->center[2]}, best->gap};
  prototype_ascend(&now->work->space, &found);
  now->largest = found.radius > best->gap ? found.radius : best->gap;
}

/* Bounds the cubes of `cut` and keeps those that remain open. */
static graze_result bound_cut(search *now) {
  workers_for(now->work->team, now->cut.count, CUBES_A_TASK, bound_range, now);
  if (stop_was_requested(now->work->stop)) return GRAZE_STOPPED;
  now->looked_at += now->cut.count;
  raise_largest(now);
  const gap_cube *cubes = now->cut.data;
  for (size_t i = 0; i < now->cut.count; i++)
    if (is_open(now, &cubes[i]) && !array_push(&now->open, now->work->heap, &cubes[i])) return GRAZE_OUT_OF_MEMORY;
  return GRAZE_OK;
}

/* Drops cubes that are no longer open; returns the largest bound of the others, 0 if there is none. */
static double close_cubes(search *now) {
  gap_cube *cubes = now->open.data;
  size_t kept = 0;
  double top = 0.0;
  for (size_t i = 0; i < now->open.count; i++) {
    if (!is_open(now, &cubes[i])) continue;
    if (cubes[i].bound > top) top = cubes[i].bound;
    cubes[kept++] = cubes[i];
  }
  now->open.count = kept;
  return top;
}

static void cut_cube(const gap_cube *whole, gap_cube parts_out[8]) {
  for (int part = 0; part < 8; part++) {
    parts_out[part].half = 0.5 * whole->half;
    for (int k = 0; k < 3; k++)
      parts_out[part].center[k] = whole->center[k] + ((part >> k & 1) != 0 ? 0.5 : -0.5) * whole->half;
  }
}

static bool is_to_be_cut(const gap_cube *at, double top) {
  return at->bound >= ROUND_PART * top;
}

/* Splits the cubes with the largest bounds into eight each and moves these to `cut`, which stays empty if the budget is
 * spent. */
static graze_result cut_largest(search *now, double top) {
  gap_cube *cubes = now->open.data;
  size_t count = 0;
  bool finest = false;
  for (size_t i = 0; i < now->open.count; i++) {
    if (!is_to_be_cut(&cubes[i], top)) continue;
    count++;
    finest = finest || cubes[i].half <= HALF_LEAST;
  }
  if (finest || 8 * count > now->budget - now->looked_at) count = 0;
  if (!array_resize(&now->cut, now->work->heap, 8 * count)) return GRAZE_OUT_OF_MEMORY;
  if (count == 0) return GRAZE_OK;
  size_t kept = 0, written = 0;
  for (size_t i = 0; i < now->open.count; i++) {
    if (is_to_be_cut(&cubes[i], top))
      cut_cube(&cubes[i], (gap_cube *)now->cut.data + 8 * written++);
    else
      cubes[kept++] = cubes[i];
  }
  now->open.count = kept;
  return GRAZE_OK;
}

/* Starts with a cube around the mesh's box, whose center is a multiple of an eighth of half its side. */
static graze_result begin_search(search *now) {
  const closed_mesh *mesh = now->work->mesh;
  double longest = 0.0;
  for (int k = 0; k < 3; k++) longest = fmax(longest, mesh->greatest[k] - mesh->least[k]);
  double half = 8.0;
  while (half > HALF_LEAST && 0.5 * half >= 0.75 * longest) half *= 0.5;
  if (!array_reserve(&now->open, now->work->heap, CUBES_AT_START) ||
      !array_reserve(&now->cut, now->work->heap, CUBES_AT_START) || !array_resize(&now->cut, now->work->heap, 1))
    return GRAZE_OUT_OF_MEMORY;
  gap_cube *whole = now->cut.data;
  whole->half = half;
  for (int k = 0; k < 3; k++)
    whole->center[k] = rint(0.5 * (mesh->least[k] + mesh->greatest[k]) / (0.125 * half)) * (0.125 * half);
  return bound_cut(now);
}

static graze_result bound_cubes(search *now, double *bound_out) {
  graze_result result = begin_search(now);
  while (result == GRAZE_OK) {
    const double top = close_cubes(now);
    *bound_out = fmax(top + now->margin, CLOSE_ENOUGH * now->largest);
    if (!(top > 0.0)) break;
    result = cut_largest(now, top);
    if (result != GRAZE_OK || now->cut.count == 0) break;
    result = bound_cut(now);
  }
  return result;
}

graze_result gap_bound_find(packer *work, double *largest, double *bound_out) {
  search now = {.work = work, .largest = *largest};
  array_init(&now.open, sizeof(gap_cube));
  array_init(&now.cut, sizeof(gap_cube));
  now.margin = GAP_MARGIN_DIAGONAL * work->mesh->diagonal + GAP_MARGIN_COORDINATES;
  now.budget = CUBES_AT_LEAST + CUBES_A_SPHERE * work->count;
  const graze_result result = bound_cubes(&now, bound_out);
  *largest = now.largest;
  array_release(&now.open, work->heap);
  array_release(&now.cut, work->heap);
  return result;
}

/* ---------------------------------------------------------------------------------------------- samples and pores */

/* Sample points in the mesh's box. A body that fills a third of it and is nine tenths full leaves two thousand free.
 * Sanitizer builds take fewer. */
#ifndef GRAZE_GAP_SAMPLES
#define GRAZE_GAP_SAMPLES 65536
#endif

enum {
  SAMPLES = GRAZE_GAP_SAMPLES,
  PORES_MOST = 64 /* refreshed at once */
};

static void place_samples(const closed_mesh *mesh, prototype_job *jobs) {
  for (size_t i = 0; i < SAMPLES; i++) {
    for (int k = 0; k < 3; k++)
      jobs[i].sphere.center[k] =
          mesh->least[k] + (mesh->greatest[k] - mesh->least[k]) * scrambled_fraction(0, 3 * i + (size_t)k);
    jobs[i].sphere.radius = HUGE_VAL;
    jobs[i].steps = JOB_IF_INSIDE | JOB_MEASURE;
  }
}

/* Reads the bits of distances, which sort like the distances; 0: not free. */
static void read_jobs(const prototype_job *jobs, uint64_t *gaps) {
  for (size_t i = 0; i < SAMPLES; i++) {
    const double gap = jobs[i].sphere.radius > 0.0 ? jobs[i].sphere.radius : 0.0;
    memcpy(&gaps[i], &gap, sizeof gap);
  }
}

/* Computes the gap that 95 of 100 free points do not exceed, and the largest of all. */
static void read_samples(const uint64_t *gaps, packing_gaps *gaps_out) {
  size_t taken = 0;
  while (taken < SAMPLES && gaps[taken] == 0) taken++;
  if (taken == SAMPLES) return;
  memcpy(&gaps_out->p95, &gaps[taken + (SAMPLES - taken - 1) * 95 / 100], sizeof gaps_out->p95);
  memcpy(&gaps_out->largest, &gaps[SAMPLES - 1], sizeof gaps_out->largest);
}

static graze_result sample_gaps(packer *work, packing_gaps *gaps_out) {
  if (!array_resize(&work->jobs, work->heap, SAMPLES)) return GRAZE_OUT_OF_MEMORY;
  place_samples(work->mesh, work->jobs.data);
  const graze_result result = work->stages.run(work->stages.context, work->jobs.data, SAMPLES);
  if (result != GRAZE_OK) return result;
  uint64_t *gaps = memory_allocate(work->heap, 2 * SAMPLES, sizeof *gaps);
  if (gaps == NULL) return GRAZE_OUT_OF_MEMORY;
  read_jobs(work->jobs.data, gaps);
  radix_sort_keys(gaps, gaps + SAMPLES, SAMPLES, 64);
  read_samples(gaps, gaps_out);
  memory_release(work->heap, gaps, 2 * SAMPLES, sizeof *gaps);
  return GRAZE_OK;
}

/* Takes pores from the top that were not refreshed since the last sphere. False when out of memory. */
static bool take_stale(packer *work, size_t most) {
  work->batch.count = 0;
  for (const pore *top; work->batch.count < most && (top = pore_heap_top(&work->pores)) != NULL;) {
    if (top->seen == work->count) return true;
    if (!array_push(&work->batch, work->heap, top)) return false;
    pore_heap_drop_top(&work->pores);
  }
  return true;
}

static bool put_back(packer *work) {
  pore *pores = work->batch.data;
  for (size_t i = 0; i < work->batch.count; i++) {
    pores[i].seen = work->count;
    if (pores[i].sphere.radius > 0.0 && !pore_heap_add(&work->pores, work->heap, &pores[i])) return false;
  }
  return true;
}

/* The top of the heap is an upper bound unless it was refreshed since the last sphere. It refreshes one, then twice as
 * many each time, as a batch runs in parallel. */
static graze_result find_largest(packer *work, double *largest_out) {
  for (size_t most = 1;; most = 2 * most < PORES_MOST ? 2 * most : PORES_MOST) {
    if (!take_stale(work, most)) return GRAZE_OUT_OF_MEMORY;
    if (work->batch.count == 0) break;
    const graze_result result = packer_refresh(work, work->batch.data, work->batch.count, 0);
    if (result != GRAZE_OK) return result;
    if (!put_back(work)) return GRAZE_OUT_OF_MEMORY;
  }
  const pore *top = pore_heap_top(&work->pores);
  if (top != NULL && top->sphere.radius > *largest_out) *largest_out = top->sphere.radius;
  return GRAZE_OK;
}

graze_result packing_gaps_measure(packer *work, packing_gaps *gaps_out) {
  *gaps_out = (packing_gaps){0.0, 0.0, 0.0};
  graze_result result = sample_gaps(work, gaps_out);
  if (result == GRAZE_OK) result = find_largest(work, &gaps_out->largest);
  return result == GRAZE_OK ? gap_bound_find(work, &gaps_out->largest, &gaps_out->bound) : result;
}
