/* Least distances of batches of poses on the processor: each task writes the rows of several configurations.
 *
 * A row of two bodies is one search. A row of a whole configuration searches its pairs of bodies in order of the
 * distance of their boxes, with the best distance so far; pairs whose boxes are farther apart are skipped.
 *
 * Workload: 10^3 to 10^6 configurations of one body or some dozen; 10 to 1000 microseconds each. */
#include "backend_cpu/cpu_pose_distances.h"

#include "backend_cpu/nearest_row.h"
#include "backend_cpu/pose_test.h"
#include "base/simd_choice.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

#include <string.h>

enum { DISTANCE_GRAIN = 4 };

/* Comparing the boxes of so many pairs takes less than a millisecond. */
enum { PAIRS_BETWEEN_STOPS = 4096 };

/* A pair of bodies, and a lower bound of their distance. */
typedef struct distance_candidate {
  double bound;
  size_t pair;
} distance_candidate;

typedef struct distance_work {
  const graze_scene *scene;
  const configuration_request *request;
  const tree_forest *forest;
  const tree_kernels *kernels;
  posed_body *still;              /* one per part; of moving parts, only those not placed by workers */
  exact_box *still_boxes;         /* likewise */
  posed_body *moving;             /* one array per worker */
  exact_box *moving_boxes;        /* likewise */
  distance_candidate *candidates; /* one array per worker, one element per pair */
  bool *is_paired;                /* one per part: whether it is in a pair of bodies */
  const uint8_t *only;            /* one per configuration: nonzero if requested; NULL: all are */
  const found_distances *found;   /* known nearest pairs of the configurations; NULL: none */
  _Atomic(size_t) refused;        /* the lowest invalid pose; other tasks continue after one is found */
} distance_work;

/* One configuration, as processed by a worker. */
typedef struct distance_run {
  const distance_work *work;
  posed_body *moving;
  exact_box *moving_boxes;
  distance_candidate *candidates;
} distance_run;

static bool stops_at(const distance_run *run, size_t pair) {
  return pair % PAIRS_BETWEEN_STOPS == PAIRS_BETWEEN_STOPS - 1 && stop_is_requested(run->work->request->stop);
}

static nearest_body body_of_part(const distance_run *run, uint32_t part) {
  const configuration_request *request = run->work->request;
  const bool moves = part < request->moving_count;
  const posed_body *body = moves ? &run->moving[part] : &run->work->still[part];
  return (nearest_body){.tree = body->tree,
                        .posed = &body->posed,
                        .box = moves ? &run->moving_boxes[part] : &run->work->still_boxes[part],
                        .source = &body->source,
                        .object = request->parts[part]};
}

static size_t place_parts(distance_run *run, const graze_pose *poses) {
  const size_t count = run->work->request->moving_count;
  for (size_t i = 0; i < count; i++) {
    if (!pose_is_sound(&poses[i]) || !pose_test_place(run->work->forest, &run->moving[i], &poses[i])) return i;
    if (run->moving[i].tree != NULL) run->moving_boxes[i] = box_of_posed(&run->moving[i].posed);
  }
  return count;
}

static nearest_search begin_search(const distance_work *work) {
  return nearest_search_begin(work->forest, work->kernels, scene_ranks(work->scene), work->request->max_distance,
                              work->request->visit_limit, work->request->stop);
}

/* The bodies of a pair, the lower object's first. False if one has no primitives. */
static bool bodies_of_pair(const distance_run *run, size_t number, nearest_body bodies_out[2]) {
  const configuration_pair pair = run->work->request->pairs[number];
  const bool in_order = run->work->request->parts[pair.a] < run->work->request->parts[pair.b];
  bodies_out[0] = body_of_part(run, in_order ? pair.a : pair.b);
  bodies_out[1] = body_of_part(run, in_order ? pair.b : pair.a);
  return bodies_out[0].tree != NULL && bodies_out[1].tree != NULL;
}

/* ---------------------------------------------------------------------------------------------- a row per pair */

static graze_nearest row_of_pair(const distance_run *run, size_t number) {
  const distance_work *work = run->work;
  nearest_body bodies[2];
  if (!bodies_of_pair(run, number, bodies)) return nearest_row_empty(HUGE_VAL);
  nearest_search found = begin_search(work);
  nearest_search_run(&found, &bodies[0], &bodies[1], boxes_distance(bodies[0].box, bodies[1].box));
  return nearest_is_listed(&found) ? nearest_row_make(work->scene, &found.state.best, found.state.lower, found.complete)
                                   : nearest_row_empty(work->request->max_distance);
}

static void measure_pairs(const distance_run *run, graze_nearest *rows) {
  const configuration_request *request = run->work->request;
  for (size_t i = 0; i < request->column_count; i++) rows[i] = nearest_row_empty(HUGE_VAL);
  for (size_t i = 0; i < request->pair_count && !stops_at(run, i); i++)
    rows[request->pairs[i].column] = row_of_pair(run, i);
}

/* ---------------------------------------------------------------------------------------------- one row for all
 * pairs */

static bool comes_before(const distance_candidate *a, const distance_candidate *b) {
  return a->bound != b->bound ? a->bound < b->bound : a->pair < b->pair;
}

/* Restores the order of a heap whose first element is the nearest: moves the element at `place` down. */
static void sink(distance_candidate *heap, size_t count, size_t place) {
  const distance_candidate moved = heap[place];
  for (;;) {
    size_t child = 2 * place + 1;
    if (child >= count) break;
    if (child + 1 < count && comes_before(&heap[child + 1], &heap[child])) child++;
    if (!comes_before(&heap[child], &moved)) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = moved;
}

/* Lists candidates within the largest distance, as a heap; *any_out: there are pairs of bodies. */
static size_t list_candidates(const distance_run *run, bool *any_out) {
  const configuration_request *request = run->work->request;
  distance_candidate *heap = run->candidates;
  size_t count = 0;
  *any_out = false;
  for (size_t i = 0; i < request->pair_count && !stops_at(run, i); i++) {
    nearest_body bodies[2];
    if (!bodies_of_pair(run, i, bodies)) continue;
    *any_out = true;
    heap[count] = (distance_candidate){boxes_distance(bodies[0].box, bodies[1].box), i};
    if (heap[count].bound <= request->max_distance) count++;
  }
  for (size_t i = count / 2; i-- > 0;) sink(heap, count, i);
  return count;
}

/* The error bound of rounded distances in a configuration. It follows from the box of all its bodies, so it does not
 * depend on which pairs were searched. */
static double margin_of_configuration(const distance_run *run) {
  const configuration_request *request = run->work->request;
  exact_box all = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  bool any = false;
  for (uint32_t i = 0; i < request->part_count; i++) {
    if (!run->work->is_paired[i]) continue;
    const exact_box *box = body_of_part(run, i).box;
    if (!any) all = *box;
    any = true;
    exact_box_include(&all, box->min);
    exact_box_include(&all, box->max);
  }
  return nearest_margin(&all, &all);
}

/* Searches the nearest candidates of a heap. Returns the least lower bound of the searches whose bound is below the
 * best distance minus its margin, otherwise HUGE_VAL. */
static double search_candidates(const distance_run *run, size_t count, double margin, nearest_search *found) {
  distance_candidate *heap = run->candidates;
  double lower = HUGE_VAL;
  for (; count > 0 && !stop_is_requested(run->work->request->stop); sink(heap, count, 0)) {
    nearest_body bodies[2];
    nearest_state *state = &found->state;
    if (state->best.any && heap[0].bound > state->best.distance + margin) break;
    (void)bodies_of_pair(run, heap[0].pair, bodies);
    state->lower = HUGE_VAL;
    nearest_search_run(found, &bodies[0], &bodies[1], heap[0].bound);
    if (!state->best.any || state->lower < fmax(state->best.distance - state->margin, 0.0))
      lower = fmin(lower, state->lower);
    heap[0] = heap[--count];
    if (count == 0) break;
  }
  return lower;
}

static graze_nearest row_of_all(const distance_run *run) {
  const distance_work *work = run->work;
  bool any;
  const size_t count = list_candidates(run, &any);
  if (!any) return nearest_row_empty(HUGE_VAL);
  const double margin = margin_of_configuration(run);
  nearest_search found = begin_search(work);
  const nearest_best *best = &found.state.best;
  const double lower = search_candidates(run, count, margin, &found);
  found.state.lower = fmin(lower, fmax(best->distance - margin, 0.0));
  return nearest_is_listed(&found) ? nearest_row_make(work->scene, best, found.state.lower, found.complete)
                                   : nearest_row_empty(work->request->max_distance);
}

/* ---------------------------------------------------------------------------------------------- rows of known pairs */

/* Writes the row of a pair of primitives that is the nearest within a margin. False if the pair does not decide the
 * row: its measure does not prove its accuracy, or it is beyond the largest distance where another may be within. */
static bool finish_row(const distance_run *run, const configuration_nearest *found, double margin, graze_nearest *row) {
  const distance_work *work = run->work;
  const double most = work->request->max_distance;
  if (found->state == NEAREST_OPEN) return false;
  if (found->state == NEAREST_NONE || found->distance > most + 2.0 * margin) {
    *row = nearest_row_empty(most);
    return true;
  }
  const configuration_pair pair = work->request->pairs[work->found->pairs[found->pair]];
  const nearest_body s = body_of_part(run, pair.a), t = body_of_part(run, pair.b);
  const uint32_t *ranks = scene_ranks(work->scene);
  const index_pair primitives = {found->a, found->b};
  nearest_search taking = begin_search(work);
  nearest_state *state = &taking.state;
  state->margin = margin;
  primitives_take(state, s.source, t.source, primitives,
                  ranks == NULL ? primitives : (index_pair){ranks[found->a], ranks[found->b]});
  const bool is_sure = state->best.any && state->is_within && state->lower == HUGE_VAL;
  if (!is_sure || state->best.distance != found->distance) return false;
  *row = nearest_row_make(work->scene, &state->best, fmax(state->best.distance - margin, 0.0), true);
  return true;
}

static bool finish_pairs(const distance_run *run, const configuration_nearest *found, graze_nearest *rows) {
  const configuration_request *request = run->work->request;
  const found_distances *known = run->work->found;
  bool good = true;
  for (size_t i = 0; i < request->column_count; i++) rows[i] = nearest_row_empty(HUGE_VAL);
  for (size_t i = 0; i < known->pair_count && good; i++) {
    const configuration_pair pair = request->pairs[known->pairs[i]];
    const double margin = nearest_margin(body_of_part(run, pair.a).box, body_of_part(run, pair.b).box);
    good = finish_row(run, &found[i], margin, &rows[pair.column]);
  }
  return good;
}

/* ---------------------------------------------------------------------------------------------- batches */

/* Answers one configuration, whose parts are placed. */
static void answer(const distance_run *run, size_t number) {
  const configuration_request *request = run->work->request;
  const found_distances *known = run->work->found;
  const bool each_pair = request->answer == GRAZE_CONFIGURATION_OBJECT_PAIRS;
  graze_nearest *rows = (graze_nearest *)request->answers + number * (each_pair ? request->column_count : 1);
  if (known != NULL)
    known->open[number] = each_pair ? !finish_pairs(run, known->found + number * known->pair_count, rows)
                                    : !finish_row(run, &known->found[number], margin_of_configuration(run), rows);
  else if (each_pair)
    measure_pairs(run, rows);
  else
    *rows = row_of_all(run);
}

static void distance_range(void *context, size_t first, size_t end, uint32_t worker) {
  distance_work *work = context;
  const configuration_request *request = work->request;
  const size_t moving = request->moving_count;
  distance_run run = {work, work->moving + worker * moving, work->moving_boxes + worker * moving,
                      work->candidates + worker * request->pair_count};
  for (size_t i = first; i < end && !stop_is_requested(request->stop); i++) {
    if (work->only != NULL && work->only[i] == 0) continue;
    const size_t placed = place_parts(&run, request->poses + i * moving);
    if (placed < moving) {
      note_lowest(&work->refused, i * moving + placed);
      return;
    }
    answer(&run, i);
  }
}

static void note_pairs(distance_work *work) {
  const configuration_request *request = work->request;
  memset(work->is_paired, 0, request->part_count * sizeof *work->is_paired);
  for (size_t i = 0; i < request->pair_count; i++) {
    const configuration_pair pair = request->pairs[i];
    if (work->still[pair.a].tree == NULL || work->still[pair.b].tree == NULL) continue;
    work->is_paired[pair.a] = work->is_paired[pair.b] = true;
  }
}

/* False when out of memory. */
static bool work_begin(distance_work *work, const pose_trees *trees) {
  const graze_scene *scene = work->scene;
  memory *heap = scene_scratch(scene);
  const configuration_request *request = work->request;
  const size_t parts = request->part_count, moving = request->moving_count, shares = workers_count(scene->workers);
  work->still = memory_allocate(heap, parts, sizeof *work->still);
  work->still_boxes = memory_allocate(heap, parts, sizeof *work->still_boxes);
  work->moving = memory_allocate(heap, shares * moving, sizeof *work->moving);
  work->moving_boxes = memory_allocate(heap, shares * moving, sizeof *work->moving_boxes);
  work->candidates = memory_allocate(heap, shares * request->pair_count, sizeof *work->candidates);
  work->is_paired = memory_allocate(heap, parts, sizeof *work->is_paired);
  if (work->still == NULL || work->still_boxes == NULL || work->moving == NULL || work->moving_boxes == NULL ||
      work->candidates == NULL || work->is_paired == NULL)
    return false;
  for (size_t i = 0; i < parts; i++) {
    const uint32_t object = request->parts[i];
    work->still[i] = pose_test_body(trees->forest, pose_trees_body(trees, object, i), &scene->sources[object]);
    work->still_boxes[i] = box_of_posed(&work->still[i].posed);
  }
  for (size_t i = 0; i < shares; i++) memcpy(work->moving + i * moving, work->still, moving * sizeof *work->moving);
  note_pairs(work);
  return true;
}

static void work_end(distance_work *work) {
  memory *heap = scene_scratch(work->scene);
  const configuration_request *request = work->request;
  const size_t parts = request->part_count, moving = request->moving_count;
  const size_t shares = workers_count(work->scene->workers);
  memory_release(heap, work->is_paired, parts, sizeof *work->is_paired);
  memory_release(heap, work->candidates, shares * request->pair_count, sizeof *work->candidates);
  memory_release(heap, work->moving_boxes, shares * moving, sizeof *work->moving_boxes);
  memory_release(heap, work->moving, shares * moving, sizeof *work->moving);
  memory_release(heap, work->still_boxes, parts, sizeof *work->still_boxes);
  memory_release(heap, work->still, parts, sizeof *work->still);
}

static graze_result run_distances(distance_work *work, configuration_request *request, const pose_trees *trees) {
  const graze_scene *scene = work->scene;
  const size_t poses = request->count * request->moving_count;
  work->request = request;
  work->forest = trees->forest;
  work->kernels = SIMD_KERNELS(tree_kernels, scene->simd);
  graze_result result = work_begin(work, trees) ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK) {
    atomic_init(&work->refused, poses);
    workers_for(scene->workers, request->count, DISTANCE_GRAIN, distance_range, work);
    request->refused = atomic_load(&work->refused);
    if (request->refused < poses) request->refused_pose = request->poses[request->refused];
    if (stop_was_requested(request->stop)) result = GRAZE_STOPPED;
  }
  work_end(work);
  return result;
}

graze_result pose_distances_run(const graze_scene *scene, configuration_request *request, const pose_trees *trees,
                                const uint8_t *only_or_null) {
  distance_work work = {.scene = scene, .only = only_or_null};
  return run_distances(&work, request, trees);
}

graze_result pose_distances_finish(const graze_scene *scene, configuration_request *request, const pose_trees *trees,
                                   const found_distances *found) {
  distance_work work = {.scene = scene, .found = found};
  return run_distances(&work, request, trees);
}

graze_result cpu_measure_configurations(const graze_scene *scene, configuration_request *request) {
  pose_trees trees;
  graze_result result = pose_trees_open(scene, request->parts, request->part_count, &trees);
  if (result == GRAZE_OK) result = pose_distances_run(scene, request, &trees, NULL);
  pose_trees_close(&trees);
  return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
}
