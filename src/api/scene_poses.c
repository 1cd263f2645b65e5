/* Batches of poses: reads and checks graze_scene_test_poses, passes it to the backend, and reports refused poses. */
#include "api/definitions.h"
#include "api/query_reading.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "graze/poses.h"
#include "scene/object_lookup.h"
#include "scene/scene_failure.h"

static graze_result check_arguments(const graze_scene *scene, const pose_request *request) {
  if (request->poses != NULL && request->answers != NULL) return GRAZE_OK;
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the %s of %zu poses are NULL",
                    request->poses == NULL ? "poses" : "answers", request->count);
}

/* Reports the first invalid pose, or one that moves a coordinate out of range. */
static graze_result fail_refused(const graze_scene *scene, graze_object moving, const pose_request *request) {
  const size_t place = request->refused;
  const graze_pose *pose = &request->poses[place];
  if (!pose_is_sound(pose)) return fail_pose(scene, moving, "pose", place, pose);
  return scene_fail(scene, GRAZE_NOT_FINITE, "pose %zu: %s: a coordinate is not finite after the pose", place,
                    scene_label(moving.index, scene_objects(scene)[moving.index].name).text);
}

static graze_result run_tests(const graze_scene *scene, graze_object moving, const graze_pose_options *options,
                              pose_request *request) {
  stop_check stop;
  if (options->should_stop != NULL) {
    stop_check_init(&stop, options->should_stop, options->stop_context);
    request->stop = &stop;
  }
  scene_lock_device(scene);
  const graze_result result = scene->backend->test_poses(scene, request);
  scene_unlock_device(scene);
  if (result == GRAZE_STOPPED) return scene_fail(scene, result, "the caller stopped the pose tests");
  if (result == GRAZE_OK && request->refused < request->count) return fail_refused(scene, moving, request);
  return result;
}

graze_result graze_scene_test_poses(const graze_scene *scene, graze_object still, graze_object moving,
                                    const graze_pose *poses, size_t count, const graze_pose_options *given,
                                    uint64_t *answers_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  graze_pose_options options;
  graze_result result = definition_read(&pose_options_definition, given, true, &options);
  if (result == GRAZE_OK) result = scene_check_test(scene, options.test);
  if (result != GRAZE_OK) return result;
  if (scene_find_object(scene, still) == NULL || scene_find_object(scene, moving) == NULL) return GRAZE_NO_SUCH_OBJECT;
  result = scene_check_updated(scene);
  if (result != GRAZE_OK || count == 0) return result;
  pose_request request = {.still = still.index,
                          .moving = moving.index,
                          .poses = poses,
                          .count = count,
                          .test = options.test,
                          .counts = options.count_pairs,
                          .answers = answers_out,
                          .refused = count};
  result = check_arguments(scene, &request);
  return result == GRAZE_OK ? run_tests(scene, moving, &options, &request) : result;
}
