/* Tests of configurations; see batch_tests.h.
 *
 * The pairs of objects are known in advance, so that a configuration costs one box test per pair or group of pairs, and
 * a test of two trees where the boxes meet. Boxes are grown by half of the clearance and the padding of their body: two
 * that do not meet are farther apart than the limit of the pair. */
#include "backend_cpu/batch_tests.h"

#include "broad/tree_occupancy_table.h"

#include <string.h>

enum { RECENT_MOST = 16 };

/* Pairs that had hits, the most recent first. */
struct recent_hits {
  size_t pairs[RECENT_MOST], count;
};

/* ---------------------------------------------------------------------------------------------- a pair */

/* Within a limit, the bounded search for the nearest pair is faster than listing the pairs of grown boxes. */
static bool comes_within(const batch_run *run, configuration_pair pair, double limit) {
  const nearest_body s = batch_nearest_body(run, pair.a), t = batch_nearest_body(run, pair.b);
  if (s.tree == NULL || t.tree == NULL || !exact_boxes_meet(s.box, t.box)) return false;
  nearest_search found = batch_search(run->work, limit, NEAREST_ANY_WITHIN);
  nearest_search_run(&found, &s, &t, 0.0);
  return found.state.is_within;
}

static bool is_free(const batch_run *run, configuration_pair pair) {
  const size_t moving = run->work->request->moving_count;
  return pair.a < moving && pair.b >= moving && run->work->tests->free[run->worker * moving + pair.a];
}

static uint64_t test_pair(const batch_run *run, size_t number) {
  const batch_tests *tests = run->work->tests;
  const configuration_pair pair = tests->groups.pairs[number];
  if (is_free(run, pair)) return 0;
  const double limit = batch_limit(run->work->request, pair);
  if (limit > 0.0 && !tests->test.counts) return comes_within(run, pair, limit);
  return pose_test_run(&tests->test, batch_part(run, pair.a), batch_part(run, pair.b), limit);
}

/* Thousands of groups take milliseconds. */
enum { GROUPS_BETWEEN_STOPS = 256 };

static bool stops_at(const batch_run *run, size_t group) {
  return group % GROUPS_BETWEEN_STOPS == GROUPS_BETWEEN_STOPS - 1 && stop_is_requested(run->work->request->stop);
}

/* Lists the pairs of a group whose boxes meet; returns their number. */
static size_t pairs_that_meet(const batch_run *run, const pair_group *group, size_t met_out[PAIR_GROUP_MOST]) {
  const configuration_pair *pairs = run->work->tests->groups.pairs;
  size_t count = 0;
  if (group->has_resting && is_free(run, pairs[group->first])) return 0;
  if (group->has_box && !exact_boxes_meet(batch_box(run, pairs[group->first].a), &group->box)) return 0;
  for (size_t i = group->first; i < group->first + group->count; i++)
    if (exact_boxes_meet(batch_box(run, pairs[i].a), batch_box(run, pairs[i].b))) met_out[count++] = i;
  return count;
}

/* ---------------------------------------------------------------------------------------------- a configuration */

static size_t place_of_recent(const recent_hits *recent, size_t number) {
  size_t place = 0;
  while (place < recent->count && recent->pairs[place] != number) place++;
  return place;
}

/* Moves a hit to the front; a new one replaces the oldest. */
static void note_hit(recent_hits *recent, size_t number) {
  size_t place = place_of_recent(recent, number);
  if (place == recent->count && place < RECENT_MOST) recent->count++;
  if (place == RECENT_MOST) place--;
  for (; place > 0; place--) recent->pairs[place] = recent->pairs[place - 1];
  recent->pairs[0] = number;
}

/* Pairs that hit in earlier configurations are likely to hit again, so they are tested first. The answer does not
 * depend on the order. */
static bool test_any(const batch_run *run) {
  const pair_groups *groups = &run->work->tests->groups;
  recent_hits *recent = &run->work->tests->recent[run->worker];
  size_t met[PAIR_GROUP_MOST], hit = SIZE_MAX;
  if (groups->pair_count == 1) return test_pair(run, 0) != 0;
  for (size_t i = 0; i < recent->count && hit == SIZE_MAX; i++)
    if (test_pair(run, recent->pairs[i]) != 0) hit = recent->pairs[i];
  for (size_t g = 0; g < groups->group_count && hit == SIZE_MAX && !stops_at(run, g); g++) {
    const size_t count = pairs_that_meet(run, &groups->groups[g], met);
    for (size_t i = 0; i < count && hit == SIZE_MAX; i++)
      if (place_of_recent(recent, met[i]) == recent->count && test_pair(run, met[i]) != 0) hit = met[i];
  }
  if (hit != SIZE_MAX) note_hit(recent, hit);
  return hit != SIZE_MAX;
}

/* Writes a hit, or adds a count, of each pair to its column: one of the two rows is given. */
static void test_all(const batch_run *run, uint8_t *hits, uint64_t *counts) {
  const pair_groups *groups = &run->work->tests->groups;
  const size_t columns = run->work->request->column_count;
  size_t met[PAIR_GROUP_MOST];
  if (hits != NULL) memset(hits, 0, columns * sizeof *hits);
  if (counts != NULL) memset(counts, 0, columns * sizeof *counts);
  for (size_t g = 0; g < groups->group_count && !stops_at(run, g); g++) {
    const size_t count = pairs_that_meet(run, &groups->groups[g], met);
    for (size_t i = 0; i < count; i++) {
      const uint32_t column = groups->pairs[met[i]].column;
      const uint64_t found = test_pair(run, met[i]);
      if (hits != NULL && found != 0) hits[column] = 1;
      if (counts != NULL) counts[column] += found;
    }
  }
}

void batch_tests_answer(const batch_run *run, size_t number) {
  const batch_request *request = run->work->request;
  const size_t first = number * request->column_count;
  if (request->answer == BATCH_COUNTS)
    test_all(run, NULL, (uint64_t *)request->answers + first);
  else if (request->column_count == 1)
    ((uint8_t *)request->answers)[first] = test_any(run);
  else
    test_all(run, (uint8_t *)request->answers + first, NULL);
}

static exact_box box_grown_by(const posed_space *posed, double twice) {
  const posed_space grown = posed_space_grown(posed, twice);
  return box_of_posed(&grown);
}

/* The cells of resting parts are not grown, so that the box of the moving part is grown by the whole limit. */
void batch_tests_place(const batch_run *run, uint32_t part) {
  const batch_tests *tests = run->work->tests;
  const posed_space *posed = &run->moving[part].posed;
  exact_box *box = &run->moving_boxes[part];
  bool *free = &tests->free[run->worker * run->work->request->moving_count + part];
  *box = box_of_posed(posed);
  if (tests->growth == NULL) {
    *free = occupancy_is_free(&tests->resting_cells, box);
    return;
  }
  const double limit = run->work->request->limit;
  const exact_box reach = box_grown_by(posed, tests->growth[part] + (limit + 2.0 * tests->resting_padding));
  *free = occupancy_is_free(&tests->resting_cells, &reach);
  *box = box_grown_by(posed, tests->growth[part]);
}

/* ---------------------------------------------------------------------------------------------- a batch */

/* Grows the boxes of resting parts, if there is a clearance or padding. False when out of memory. */
static bool grow_resting(batch_work *work) {
  const batch_request *request = work->request;
  batch_tests *tests = work->tests;
  if (!(request->limit > 0.0) && request->padding == NULL) return true;
  tests->growth = memory_allocate(scene_scratch(work->scene), request->part_count, sizeof *tests->growth);
  if (tests->growth == NULL) return false;
  for (size_t i = 0; i < request->part_count; i++) {
    const double padding = request->padding != NULL ? request->padding[i] : 0.0;
    tests->growth[i] = request->limit + 2.0 * padding;
    if (i >= request->moving_count) tests->resting_padding = fmax(tests->resting_padding, padding);
    if (work->resting[i].tree != NULL) work->resting_boxes[i] = box_grown_by(&work->resting[i].posed, tests->growth[i]);
  }
  return true;
}

/* False when out of memory. */
static bool make_cells(batch_work *work, const pose_trees *trees) {
  const batch_request *request = work->request;
  memory *heap = scene_scratch(work->scene);
  uint32_t *bodies = memory_allocate(heap, request->part_count, sizeof *bodies);
  if (bodies == NULL) return false;
  for (size_t i = 0; i < request->part_count; i++) bodies[i] = pose_trees_body(trees, request->parts[i], i);
  const occupancy_request occupied = {.forest = trees->forest,
                                      .bodies = bodies,
                                      .part_count = request->part_count,
                                      .moving_count = request->moving_count,
                                      .poses = request->poses,
                                      .configuration_count = request->count};
  exact_box domain;
  const bool good = !occupancy_pays(&occupied, &domain) ||
                    occupancy_make(&work->tests->resting_cells, heap, &occupied, &domain, work->scene->workers);
  memory_release(heap, bodies, request->part_count, sizeof *bodies);
  return good;
}

bool batch_tests_begin(batch_work *work, const pose_trees *trees) {
  memory *heap = scene_scratch(work->scene);
  const batch_request *request = work->request;
  batch_tests *tests = work->tests;
  const size_t shares = workers_count(work->scene->workers);
  tests->test = (pose_test){.forest = work->forest,
                            .kernels = work->kernels,
                            .test = request->test,
                            .counts = request->answer == BATCH_COUNTS,
                            .heap = heap,
                            .stop = request->stop};
  tests->free = memory_allocate(heap, shares * request->moving_count, sizeof *tests->free);
  tests->recent = memory_allocate(heap, shares, sizeof *tests->recent);
  if (tests->free == NULL || tests->recent == NULL || !grow_resting(work)) return false;
  for (size_t i = 0; i < shares; i++) tests->recent[i].count = 0;
  return make_cells(work, trees) &&
         pair_groups_make(&tests->groups, heap, request->pairs, request->pair_count, work->resting_boxes,
                          request->part_count, request->moving_count, request->stop);
}

void batch_tests_end(batch_work *work) {
  memory *heap = scene_scratch(work->scene);
  const batch_request *request = work->request;
  batch_tests *tests = work->tests;
  const size_t shares = workers_count(work->scene->workers);
  pair_groups_release(&tests->groups, heap);
  occupancy_release(&tests->resting_cells, heap);
  memory_release(heap, tests->growth, request->part_count, sizeof *tests->growth);
  memory_release(heap, tests->recent, shares, sizeof *tests->recent);
  memory_release(heap, tests->free, shares * request->moving_count, sizeof *tests->free);
}
