/* Configurations of many objects: reads and checks graze_scene_test_configurations, and passes it to the backend. */
#include "api/configuration_plan.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "base/float_environment.h"
#include "scene/scene_failure.h"

static graze_result check_scene(const graze_scene *scene, const graze_configuration_options *options) {
  const graze_result result = scene_check_test(scene, options->test);
  if (result != GRAZE_OK) return result;
  if ((unsigned)options->answer > GRAZE_CONFIGURATION_OBJECT_PAIRS)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "unknown configuration answer %u", (unsigned)options->answer);
  return scene_check_updated(scene);
}

graze_result graze_scene_test_configurations(const graze_scene *scene, const graze_object *moving, size_t moving_count,
                                             const graze_pose *poses, size_t pose_count,
                                             const graze_configuration_options *given, void *answers_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  graze_configuration_options options;
  graze_result result = definition_read(&configuration_options_definition, given, true, &options);
  if (result == GRAZE_OK) result = check_scene(scene, &options);
  if (result != GRAZE_OK) return result;
  const configuration_call call = {.moving = moving,
                                   .poses = poses,
                                   .pose_count = pose_count,
                                   .answers = answers_out,
                                   .pairs = options.pairs,
                                   .pair_count = options.pair_count,
                                   .device_poses = options.device_poses,
                                   .device_answers = options.device_answers,
                                   .should_stop = options.should_stop,
                                   .stop_context = options.stop_context,
                                   .answer_bytes = 1,
                                   .run = scene->backend->test_configurations};
  configuration_request request = {.moving_count = moving_count, .answer = options.answer, .test = options.test};
  return configuration_call_run(scene, &call, &request);
}

/* Writes the first pairs; returns the number of all. */
static size_t list_pairs(const configuration_plan *plan, graze_configuration_pair *pairs_out, size_t capacity) {
  const object_slot *slots = scene_slots(plan->scene);
  size_t count = 0;
  for (size_t i = 0; i < plan->moving_count; i++) {
    const graze_object own = {plan->parts[i], slots[plan->parts[i]].generation};
    for (size_t b = 0; (b = configuration_plan_partner(plan, i, b)) < plan->scene->object_count; b++, count++)
      if (count < capacity) pairs_out[count] = (graze_configuration_pair){own, {(uint32_t)b, slots[b].generation}};
  }
  return count;
}

graze_result graze_scene_list_configuration_pairs(const graze_scene *scene, const graze_object *moving,
                                                  size_t moving_count, graze_configuration_pair *pairs_out,
                                                  size_t capacity, size_t *count_out) {
  if (scene == NULL) return scene_fail_null("scene");
  if (count_out == NULL || (capacity > 0 && pairs_out == NULL))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the output for the %s is NULL",
                      count_out == NULL ? "number of object pairs" : "object pairs");
  graze_result result = scene_check_updated(scene);
  if (result != GRAZE_OK) return result;
  configuration_plan plan = {.scene = scene, .heap = scene_scratch(scene)};
  result = configuration_plan_begin(&plan, moving, moving_count);
  if (result == GRAZE_OK) *count_out = list_pairs(&plan, pairs_out, capacity);
  configuration_plan_release(&plan);
  return result;
}
