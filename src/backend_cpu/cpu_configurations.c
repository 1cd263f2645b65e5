/* Configurations of many objects on the processor: each task answers several configurations.
 *
 * Workload: 10^3 to 10^6 configurations of some dozen bodies, in a scene of one large body or some hundred; 10 to
 * 100 microseconds each. The pairs of objects are known in advance, so that a configuration costs its poses, one box
 * test per pair, and a test of two trees where the boxes meet. */
#include "backend_cpu/cpu_configurations.h"

#include "backend_cpu/pair_groups.h"
#include "backend_cpu/pose_test.h"
#include "backend_cpu/pose_trees.h"
#include "base/simd_choice.h"
#include "broad/tree_occupancy_table.h"
#include "scene/scene_failure.h"

#include <string.h>

enum { CONFIGURATION_GRAIN = 16, RECENT_MOST = 16 };

/* Pairs that had hits, the most recent first. */
typedef struct recent_hits {
  size_t pairs[RECENT_MOST], count;
} recent_hits;

typedef struct configuration_work {
  const pose_test *test;
  const configuration_request *request;
  posed_body *still;       /* one per part; of moving parts, only those not placed by workers */
  exact_box *still_boxes;  /* likewise */
  posed_body *moving;      /* one array per worker */
  exact_box *moving_boxes; /* likewise */
  bool *free;              /* likewise: far from all still parts */
  pair_groups groups;
  occupancy still_cells;   /* of all still parts; without sums if the call is too small to benefit */
  recent_hits *recent;     /* one per worker */
  _Atomic(size_t) refused; /* the lowest invalid pose; other tasks continue after one is found */
} configuration_work;

/* One configuration, as processed by a worker. */
typedef struct configuration_run {
  const configuration_work *work;
  posed_body *moving;
  exact_box *moving_boxes;
  bool *free;
  recent_hits *recent; /* of earlier configurations */
} configuration_run;

static const posed_body *part_of(const configuration_run *run, uint32_t part) {
  return part < run->work->request->moving_count ? &run->moving[part] : &run->work->still[part];
}

static const exact_box *box_of_part(const configuration_run *run, uint32_t part) {
  return part < run->work->request->moving_count ? &run->moving_boxes[part] : &run->work->still_boxes[part];
}

static uint64_t test_pair(const configuration_run *run, size_t number) {
  const configuration_pair pair = run->work->groups.pairs[number];
  const size_t moving = run->work->request->moving_count;
  if (pair.a < moving && pair.b >= moving && run->free[pair.a]) return 0;
  return pose_test_run(run->work->test, part_of(run, pair.a), part_of(run, pair.b));
}

/* Thousands of groups take milliseconds. */
enum { GROUPS_BETWEEN_STOPS = 256 };

static bool stops_at(const configuration_run *run, size_t group) {
  return group % GROUPS_BETWEEN_STOPS == GROUPS_BETWEEN_STOPS - 1 && stop_is_requested(run->work->request->stop);
}

/* Lists the pairs of a group whose boxes meet; returns their number. */
static size_t pairs_that_meet(const configuration_run *run, const pair_group *group, size_t met_out[PAIR_GROUP_MOST]) {
  const configuration_pair *pairs = run->work->groups.pairs;
  size_t count = 0;
  if (group->has_still && run->free[pairs[group->first].a]) return 0;
  if (group->has_box && !exact_boxes_meet(box_of_part(run, pairs[group->first].a), &group->box)) return 0;
  for (size_t i = group->first; i < group->first + group->count; i++)
    if (exact_boxes_meet(box_of_part(run, pairs[i].a), box_of_part(run, pairs[i].b))) met_out[count++] = i;
  return count;
}

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

static size_t place_parts(configuration_run *run, const graze_pose *poses) {
  const size_t count = run->work->request->moving_count;
  for (size_t i = 0; i < count; i++) {
    if (!pose_is_sound(&poses[i]) || !pose_test_place(run->work->test->forest, &run->moving[i], &poses[i])) return i;
    run->moving_boxes[i] = box_of_posed(&run->moving[i].posed);
    run->free[i] = occupancy_is_free(&run->work->still_cells, &run->moving_boxes[i]);
  }
  return count;
}

/* Pairs that hit in earlier configurations are likely to hit again, so they are tested first. The answer does not
 * depend on the order. */
static bool test_any(configuration_run *run) {
  const pair_groups *groups = &run->work->groups;
  recent_hits *recent = run->recent;
  size_t met[PAIR_GROUP_MOST], hit = SIZE_MAX;
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

static uint64_t test_counts(const configuration_run *run) {
  const pair_groups *groups = &run->work->groups;
  size_t met[PAIR_GROUP_MOST];
  uint64_t sum = 0;
  for (size_t g = 0; g < groups->group_count && !stops_at(run, g); g++) {
    const size_t count = pairs_that_meet(run, &groups->groups[g], met);
    for (size_t i = 0; i < count; i++) sum += test_pair(run, met[i]);
  }
  return sum;
}

static void test_object_pairs(const configuration_run *run, uint8_t *row) {
  const pair_groups *groups = &run->work->groups;
  size_t met[PAIR_GROUP_MOST];
  memset(row, 0, run->work->request->column_count);
  for (size_t g = 0; g < groups->group_count && !stops_at(run, g); g++) {
    const size_t count = pairs_that_meet(run, &groups->groups[g], met);
    for (size_t i = 0; i < count; i++) row[groups->pairs[met[i]].column] = test_pair(run, met[i]) != 0;
  }
}

static void answer(configuration_run *run, size_t number) {
  const configuration_request *request = run->work->request;
  switch (request->answer) {
  case GRAZE_CONFIGURATION_ANY:
    ((uint8_t *)request->answers)[number] = test_any(run);
    break;
  case GRAZE_CONFIGURATION_COUNTS:
    ((uint64_t *)request->answers)[number] = test_counts(run);
    break;
  case GRAZE_CONFIGURATION_OBJECT_PAIRS:
    test_object_pairs(run, (uint8_t *)request->answers + number * request->column_count);
    break;
  }
}

static void configuration_range(void *context, size_t first, size_t end, uint32_t worker) {
  configuration_work *work = context;
  const configuration_request *request = work->request;
  const size_t moving = request->moving_count;
  configuration_run run = {work, work->moving + worker * moving, work->moving_boxes + worker * moving,
                           work->free + worker * moving, &work->recent[worker]};
  for (size_t i = first; i < end && !stop_is_requested(request->stop); i++) {
    const size_t placed = place_parts(&run, request->poses + i * moving);
    if (placed < moving) {
      note_lowest(&work->refused, i * moving + placed);
      return;
    }
    answer(&run, i);
  }
}

/* False when out of memory. */
static bool make_cells(configuration_work *work, const graze_scene *scene, const pose_trees *trees) {
  const configuration_request *request = work->request;
  memory *heap = scene_scratch(scene);
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
                    occupancy_make(&work->still_cells, heap, &occupied, &domain, scene->workers);
  memory_release(heap, bodies, request->part_count, sizeof *bodies);
  return good;
}

/* False when out of memory. */
static bool work_begin(configuration_work *work, const graze_scene *scene, const pose_trees *trees) {
  memory *heap = scene_scratch(scene);
  const configuration_request *request = work->request;
  const size_t parts = request->part_count, moving = request->moving_count, shares = workers_count(scene->workers);
  work->still = memory_allocate(heap, parts, sizeof *work->still);
  work->still_boxes = memory_allocate(heap, parts, sizeof *work->still_boxes);
  work->moving = memory_allocate(heap, shares * moving, sizeof *work->moving);
  work->moving_boxes = memory_allocate(heap, shares * moving, sizeof *work->moving_boxes);
  work->free = memory_allocate(heap, shares * moving, sizeof *work->free);
  work->recent = memory_allocate(heap, shares, sizeof *work->recent);
  if (work->still == NULL || work->still_boxes == NULL || work->moving == NULL || work->moving_boxes == NULL ||
      work->free == NULL || work->recent == NULL)
    return false;
  for (size_t i = 0; i < parts; i++) {
    const uint32_t object = request->parts[i];
    work->still[i] = pose_test_body(trees->forest, pose_trees_body(trees, object, i), &scene->sources[object]);
    work->still_boxes[i] = box_of_posed(&work->still[i].posed);
  }
  for (size_t i = 0; i < shares; i++) {
    memcpy(work->moving + i * moving, work->still, moving * sizeof *work->moving);
    work->recent[i].count = 0;
  }
  return make_cells(work, scene, trees) && pair_groups_make(&work->groups, heap, request->pairs, request->pair_count,
                                                            work->still_boxes, parts, moving, request->stop);
}

static void work_end(configuration_work *work, const graze_scene *scene) {
  memory *heap = scene_scratch(scene);
  const configuration_request *request = work->request;
  const size_t parts = request->part_count, moving = request->moving_count, shares = workers_count(scene->workers);
  pair_groups_release(&work->groups, heap);
  occupancy_release(&work->still_cells, heap);
  memory_release(heap, work->recent, shares, sizeof *work->recent);
  memory_release(heap, work->free, shares * moving, sizeof *work->free);
  memory_release(heap, work->moving_boxes, shares * moving, sizeof *work->moving_boxes);
  memory_release(heap, work->moving, shares * moving, sizeof *work->moving);
  memory_release(heap, work->still_boxes, parts, sizeof *work->still_boxes);
  memory_release(heap, work->still, parts, sizeof *work->still);
}

static graze_result run_configurations(const graze_scene *scene, configuration_request *request,
                                       const pose_trees *trees) {
  const size_t poses = request->count * request->moving_count;
  const pose_test test = {.forest = trees->forest,
                          .kernels = SIMD_KERNELS(tree_kernels, scene->simd),
                          .test = request->test,
                          .counts = request->answer == GRAZE_CONFIGURATION_COUNTS,
                          .heap = scene_scratch(scene),
                          .stop = request->stop};
  configuration_work work = {.test = &test, .request = request};
  graze_result result = work_begin(&work, scene, trees) ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK) {
    atomic_init(&work.refused, poses);
    workers_for(scene->workers, request->count, CONFIGURATION_GRAIN, configuration_range, &work);
    request->refused = atomic_load(&work.refused);
    if (request->refused < poses) request->refused_pose = request->poses[request->refused];
    if (stop_was_requested(request->stop)) result = GRAZE_STOPPED;
  }
  work_end(&work, scene);
  return result;
}

graze_result cpu_test_configurations(const graze_scene *scene, configuration_request *request) {
  pose_trees trees;
  graze_result result = pose_trees_open(scene, request->parts, request->part_count, &trees);
  if (result == GRAZE_OK) result = run_configurations(scene, request, &trees);
  pose_trees_close(&trees);
  return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
}
