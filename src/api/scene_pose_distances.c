/* Least distances of batches of poses: reads and checks graze_scene_measure_poses and
 * graze_scene_measure_configurations, and passes them to the backend. Poses of one object are configurations of one
 * object with one object pair. */
#include "api/configuration_plan.h"
#include "api/definitions.h"
#include "base/float_environment.h"
#include "scene/object_lookup.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

static graze_result read_options(const graze_scene *scene, const graze_pose_distance_options *given,
                                 graze_pose_distance_options *options_out) {
  graze_result result = definition_read(&pose_distance_options_definition, given, true, options_out);
  if (result != GRAZE_OK) return result;
  if (!(options_out->max_distance >= 0.0))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the largest distance is %g: it must not be negative",
                      options_out->max_distance);
  result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = scene_check_kinds(scene, SUPPORTS_DISTANCES);
  return result == GRAZE_OK ? scene_check_on_host(scene) : result;
}

static configuration_call call_of(const graze_scene *scene, const graze_pose_distance_options *options,
                                  const graze_object *moving, const graze_pose *poses, size_t pose_count,
                                  graze_nearest *answers) {
  return (configuration_call){.moving = moving,
                              .poses = poses,
                              .pose_count = pose_count,
                              .answers = answers,
                              .pairs = options->pairs,
                              .pair_count = options->pair_count,
                              .device_poses = options->device_poses,
                              .device_answers = options->device_answers,
                              .should_stop = options->should_stop,
                              .stop_context = options->stop_context,
                              .answer_bytes = sizeof(graze_nearest),
                              .run = scene->backend->measure_configurations};
}

static configuration_request request_of(const graze_pose_distance_options *options, size_t moving_count) {
  return (configuration_request){.moving_count = moving_count,
                                 .answer =
                                     options->each_pair ? GRAZE_CONFIGURATION_OBJECT_PAIRS : GRAZE_CONFIGURATION_ANY,
                                 .max_distance = options->max_distance,
                                 .visit_limit = options->visit_limit};
}

/* Filters and exclusions do not apply. */
static graze_result measure_two(const graze_scene *scene, const configuration_call *call, uint32_t still,
                                uint32_t moving, configuration_request *request) {
  const uint32_t parts[2] = {moving, still};
  const configuration_pair pair = {0, 1, 0};
  request->parts = parts;
  request->part_count = 2;
  request->pairs = &pair;
  request->pair_count = request->column_count = 1;
  return configuration_execute(scene, call, request, "pose");
}

graze_result graze_scene_measure_poses(const graze_scene *scene, graze_object still, graze_object moving,
                                       const graze_pose *poses, size_t count, const graze_pose_distance_options *given,
                                       graze_nearest *answers_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  graze_pose_distance_options options;
  graze_result result = read_options(scene, given, &options);
  if (result != GRAZE_OK) return result;
  const scene_object *object = scene_find_object(scene, moving);
  if (object == NULL || scene_find_object(scene, still) == NULL) return GRAZE_NO_SUCH_OBJECT;
  if (still.index == moving.index)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "a distance needs two different objects, but %s is given twice",
                      scene_label(moving.index, object->name).text);
  if (options.pairs != NULL || options.pair_count > 0 || options.each_pair)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                      "object pairs can only be chosen for configurations, not for poses of one object");
  const configuration_call call = call_of(scene, &options, &moving, poses, count, answers_out);
  configuration_request request = request_of(&options, 1);
  result = configuration_call_read(scene, &call, &request);
  if (result != GRAZE_OK || count == 0) return result;
  return measure_two(scene, &call, still.index, moving.index, &request);
}

graze_result graze_scene_measure_configurations(const graze_scene *scene, const graze_object *moving,
                                                size_t moving_count, const graze_pose *poses, size_t pose_count,
                                                const graze_pose_distance_options *given, graze_nearest *answers_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  graze_pose_distance_options options;
  const graze_result result = read_options(scene, given, &options);
  if (result != GRAZE_OK) return result;
  const configuration_call call = call_of(scene, &options, moving, poses, pose_count, answers_out);
  configuration_request request = request_of(&options, moving_count);
  return configuration_call_run(scene, &call, &request);
}
