/* Batches of poses on the processor: each task answers several poses.
 *
 * Workload: 10^3 to 10^6 poses of two objects, a few microseconds each. */
#include "backend_cpu/cpu_poses.h"

#include "backend_cpu/pose_test.h"
#include "backend_cpu/pose_trees.h"
#include "base/simd_choice.h"
#include "scene/scene_failure.h"

enum { POSE_GRAIN = 32 };

typedef struct pose_work {
  const pose_test *test;
  const pose_request *request;
  posed_body still, moving;
  _Atomic(size_t) refused; /* the lowest; other tasks continue after one is found */
} pose_work;

static void pose_range(void *context, size_t first, size_t end, uint32_t worker) {
  pose_work *work = context;
  const pose_request *request = work->request;
  posed_body moving = work->moving;
  (void)worker;
  for (size_t i = first; i < end && !stop_is_requested(request->stop); i++) {
    const rigid_pose *pose = &request->poses[i];
    if (!pose_is_sound(pose) || !pose_test_place(work->test->forest, &moving, pose)) {
      note_lowest(&work->refused, i);
      return;
    }
    request->answers[i] = pose_test_run(work->test, &work->still, &moving);
  }
}

static graze_result run_poses(const graze_scene *scene, pose_request *request, const pose_trees *trees) {
  const tree_forest *forest = trees->forest;
  const pose_test test = {.forest = forest,
                          .kernels = SIMD_KERNELS(tree_kernels, scene->simd),
                          .test = request->test,
                          .counts = request->counts,
                          .heap = scene_scratch(scene),
                          .stop = request->stop};
  const uint32_t still = pose_trees_body(trees, request->still, 0);
  const uint32_t moving = pose_trees_body(trees, request->moving, request->still == request->moving ? 0 : 1);
  pose_work work = {.test = &test,
                    .request = request,
                    .still = pose_test_body(forest, still, &scene->sources[request->still]),
                    .moving = pose_test_body(forest, moving, &scene->sources[request->moving])};
  atomic_init(&work.refused, request->count);
  workers_for(scene->workers, request->count, POSE_GRAIN, pose_range, &work);
  request->refused = atomic_load(&work.refused);
  return stop_was_requested(request->stop) ? GRAZE_STOPPED : GRAZE_OK;
}

graze_result cpu_test_poses(const graze_scene *scene, pose_request *request) {
  const uint32_t objects[2] = {request->still, request->moving};
  pose_trees trees;
  graze_result result = pose_trees_open(scene, objects, request->still == request->moving ? 1 : 2, &trees);
  if (result == GRAZE_OK) result = run_poses(scene, request, &trees);
  pose_trees_close(&trees);
  return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
}
