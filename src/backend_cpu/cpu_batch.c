/* Batches on the processor: each task places the bodies of several configurations, and answers each of them.
 *
 * Workload: 10^3 to 10^6 configurations of one body or some dozen, in a scene of one large body or some hundred; a
 * microsecond to a millisecond each. */
#include "backend_cpu/cpu_batch.h"

#include "backend_cpu/batch_tests.h"
#include "base/simd_choice.h"
#include "scene/scene_failure.h"

#include <string.h>

/* Configurations of a task. */
enum { ROW_GRAIN = 4, TEST_GRAIN = 16, PAIR_GRAIN = 32 };

static size_t grain_of(const batch_work *work) {
  return work->rows != NULL ? ROW_GRAIN : work->request->pair_count > 1 ? TEST_GRAIN : PAIR_GRAIN;
}

/* Returns the number of parts up to the first with an invalid pose. */
static size_t place_parts(const batch_run *run, const graze_pose *poses) {
  const batch_work *work = run->work;
  const size_t count = work->request->moving_count;
  for (size_t i = 0; i < count; i++) {
    posed_body *body = &run->moving[i];
    if (!pose_is_sound(&poses[i]) || !pose_test_place(work->forest, body, &poses[i])) return i;
    if (work->tests != NULL)
      batch_tests_place(run, (uint32_t)i);
    else if (body->tree != NULL)
      run->moving_boxes[i] = box_of_posed(&body->posed);
  }
  return count;
}

static void run_range(void *context, size_t first, size_t end, uint32_t worker) {
  batch_work *work = context;
  const batch_request *request = work->request;
  const size_t moving = request->moving_count;
  const batch_run run = {work, work->moving + worker * moving, work->moving_boxes + worker * moving, worker};
  for (size_t i = first; i < end && !stop_is_requested(request->stop); i++) {
    if (work->only != NULL && work->only[i] == 0) continue;
    const size_t placed = place_parts(&run, request->poses + i * moving);
    if (placed < moving) {
      note_lowest(&work->refused, i * moving + placed);
      return;
    }
    if (work->tests != NULL)
      batch_tests_answer(&run, i);
    else
      batch_rows_answer(&run, i);
  }
}

/* Where nothing moves, the columns of the only configuration are independent. */
static void run_columns(void *context, size_t first, size_t end, uint32_t worker) {
  const batch_work *work = context;
  const batch_run run = {.work = work, .worker = worker};
  for (size_t i = first; i < end && !stop_is_requested(work->request->stop); i++) batch_rows_answer_column(&run, i);
}

/* False when out of memory. */
static bool make_bodies(batch_work *work, const pose_trees *trees) {
  const graze_scene *scene = work->scene;
  memory *heap = scene_scratch(scene);
  const batch_request *request = work->request;
  const size_t parts = request->part_count, moving = request->moving_count, shares = workers_count(scene->workers);
  work->resting = memory_allocate(heap, parts, sizeof *work->resting);
  work->resting_boxes = memory_allocate(heap, parts, sizeof *work->resting_boxes);
  work->moving = memory_allocate(heap, shares * moving, sizeof *work->moving);
  work->moving_boxes = memory_allocate(heap, shares * moving, sizeof *work->moving_boxes);
  if (work->resting == NULL || work->resting_boxes == NULL || work->moving == NULL || work->moving_boxes == NULL)
    return false;
  for (size_t i = 0; i < parts; i++) {
    const uint32_t object = request->parts[i];
    work->resting[i] = pose_test_body(trees->forest, pose_trees_body(trees, object, i), &scene->sources[object]);
    work->resting_boxes[i] = box_of_posed(&work->resting[i].posed);
  }
  for (size_t i = 0; i < shares; i++) memcpy(work->moving + i * moving, work->resting, moving * sizeof *work->moving);
  return true;
}

static void release_bodies(batch_work *work) {
  memory *heap = scene_scratch(work->scene);
  const size_t parts = work->request->part_count, moving = work->request->moving_count;
  const size_t shares = workers_count(work->scene->workers);
  memory_release(heap, work->moving_boxes, shares * moving, sizeof *work->moving_boxes);
  memory_release(heap, work->moving, shares * moving, sizeof *work->moving);
  memory_release(heap, work->resting_boxes, parts, sizeof *work->resting_boxes);
  memory_release(heap, work->resting, parts, sizeof *work->resting);
}

static graze_result run_work(batch_work *work, batch_request *request) {
  const size_t poses = request->count * request->moving_count;
  atomic_init(&work->refused, poses);
  if (work->rows != NULL && request->moving_count == 0 && request->count == 1)
    workers_for(work->scene->workers, request->column_count, 1, run_columns, work);
  else
    workers_for(work->scene->workers, request->count, grain_of(work), run_range, work);
  request->refused = atomic_load(&work->refused);
  if (request->refused < poses) request->refused_pose = request->poses[request->refused];
  return stop_was_requested(request->stop) ? GRAZE_STOPPED : GRAZE_OK;
}

static graze_result run_all(batch_work *work, batch_request *request, const pose_trees *trees,
                            const found_distances *found_or_null) {
  batch_tests tests = {0};
  batch_rows rows = {.found = found_or_null};
  work->request = request;
  work->forest = trees->forest;
  work->kernels = SIMD_KERNELS(tree_kernels, work->scene->simd);
  const bool is_test = request->answer != BATCH_NEAREST;
  work->tests = is_test ? &tests : NULL;
  work->rows = is_test ? NULL : &rows;
  bool good = make_bodies(work, trees);
  if (good) good = is_test ? batch_tests_begin(work, trees) : batch_rows_begin(work);
  const graze_result result = good ? run_work(work, request) : GRAZE_OUT_OF_MEMORY;
  request->visit_count = rows.visits;
  request->measure_count = rows.measures;
  if (is_test)
    batch_tests_end(work);
  else
    batch_rows_end(work);
  release_bodies(work);
  return result;
}

graze_result batch_run_with(const graze_scene *scene, batch_request *request, const pose_trees *trees,
                            const uint8_t *only_or_null) {
  batch_work work = {.scene = scene, .only = only_or_null};
  return run_all(&work, request, trees, NULL);
}

graze_result batch_finish(const graze_scene *scene, batch_request *request, const pose_trees *trees,
                          const found_distances *found) {
  batch_work work = {.scene = scene};
  return run_all(&work, request, trees, found);
}

graze_result cpu_run_batch(const graze_scene *scene, batch_request *request) {
  pose_trees trees;
  graze_result result = pose_trees_open(scene, request->parts, request->part_count, &trees);
  if (result == GRAZE_OK) result = batch_run_with(scene, request, &trees, NULL);
  pose_trees_close(&trees);
  return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
}
