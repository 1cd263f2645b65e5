/* Batches of poses on the processor: tasks of some poses each, every answer in its place.
 *
 * Workload: 10^3 to 10^6 poses of two objects, a few microseconds each. */
#include "backend_cpu/cpu_poses.h"

#include "backend_cpu/cpu_state.h"
#include "backend_cpu/pose_test.h"
#include "base/simd_choice.h"
#include "broad/method.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/scene_view.h"

enum { POSE_GRAIN = 32 };

typedef struct pose_work {
  const pose_test *test;
  const pose_request *request;
  const body_space *space; /* of what moves; NULL: there is nothing of it */
  _Atomic(size_t) refused; /* the lowest; whichever task finds it, the others go on */
} pose_work;

static void refuse(pose_work *work, size_t place) {
  size_t seen = atomic_load(&work->refused);
  while (place < seen && !atomic_compare_exchange_weak(&work->refused, &seen, place)) {
  }
}

static bool stays_finite(const body_space *space, const rigid_pose *pose) {
  const posed_space posed = pose_space(space, pose);
  return posed_space_is_finite(&posed);
}

static void pose_range(void *context, size_t first, size_t end, uint32_t worker) {
  pose_work *work = context;
  const pose_request *request = work->request;
  (void)worker;
  for (size_t i = first; i < end && !stop_is_asked_for(request->stop); i++) {
    const rigid_pose *pose = &request->poses[i];
    if (!pose_is_sound(pose) || (work->space != NULL && !stays_finite(work->space, pose))) {
      refuse(work, i);
      return;
    }
    request->answers[i] = pose_test_run(work->test, pose);
  }
}

static graze_result run_poses(const graze_scene *scene, pose_request *request, const tree_forest *forest,
                              uint32_t still, uint32_t moving) {
  const pose_test test = {.forest = forest,
                          .still = still,
                          .moving = moving,
                          .still_source = scene->sources[request->still],
                          .moving_source = scene->sources[request->moving],
                          .kernels = SIMD_KERNELS(tree_kernels, scene->simd),
                          .test = request->test,
                          .counts = request->counts,
                          .heap = scene_scratch(scene),
                          .stop = request->stop};
  pose_work work = {
      .test = &test, .request = request, .space = moving != NO_BODY ? &forest->bodies[moving].space : NULL};
  atomic_init(&work.refused, request->count);
  workers_for(scene->workers, request->count, POSE_GRAIN, pose_range, &work);
  request->refused = atomic_load(&work.refused);
  return stop_was_asked_for(request->stop) ? GRAZE_STOPPED : GRAZE_OK;
}

graze_result cpu_make_pose_trees(const graze_scene *scene, const pose_request *request, tree_forest *forest_out) {
  const object_source sources[2] = {scene_source_of(scene, request->still), scene_source_of(scene, request->moving)};
  const object_change changes[2] = {CHANGED_ALL, CHANGED_ALL};
  primitive_view view = scene_view(scene);
  view.sources = sources;
  view.object_count = request->still == request->moving ? 1 : 2;
  const search_notes notes = {{0}};
  const method_news news = {&view, changes, &notes, scene->workers, scene_scratch(scene)};
  tree_forest_init(forest_out, scene_scratch(scene), &(tree_options){0});
  return tree_forest_update(forest_out, &news);
}

static graze_result run_with_own_trees(const graze_scene *scene, pose_request *request) {
  tree_forest forest;
  graze_result result = cpu_make_pose_trees(scene, request, &forest);
  if (result == GRAZE_OK)
    result = run_poses(scene, request, &forest, forest.body_of[0],
                       forest.body_of[request->still == request->moving ? 0 : 1]);
  tree_forest_release(&forest);
  return result;
}

graze_result cpu_test_poses(const graze_scene *scene, pose_request *request) {
  graze_result result;
  const method_state *state = &cpu_state_of(scene)->search;
  if (method_has_traits(state->row, METHOD_KEEPS_TREES)) {
    const tree_forest *forest = state->own;
    result = run_poses(scene, request, forest, forest->body_of[request->still], forest->body_of[request->moving]);
  } else {
    result = run_with_own_trees(scene, request);
  }
  return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
}
