/* Batches: reads and checks graze_scene_run_batch, passes it to the backend, and reports refused poses. */
#include "api/batch_plan.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "base/float_environment.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

/* ---------------------------------------------------------------------------------------------- arguments */

static graze_result check_question(const graze_scene *scene, const graze_batch_def *batch) {
  graze_result result = scene_check_test(scene, batch->test);
  if (result != GRAZE_OK) return result;
  if (!(batch->clearance >= 0.0 && batch->clearance <= 0x1p1000))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the clearance is %g: it must not be negative, and at most 2^1000",
                      batch->clearance);
  if (!(batch->max_distance >= 0.0))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the largest distance is %g: it must not be negative",
                      batch->max_distance);
  if (batch->nearest_out != NULL && batch->clearance > 0.0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "a clearance is for tests: distances have max_distance");
  result = scene_check_updated(scene);
  const bool is_near = batch->nearest_out != NULL || batch->clearance > 0.0 || batch->padding_count > 0;
  if (result == GRAZE_OK && is_near) result = scene_check_kinds(scene, SUPPORTS_DISTANCES);
  return result == GRAZE_OK && batch->nearest_out != NULL ? scene_check_on_host(scene) : result;
}

/* Checks the locations and the number of poses and answers. */
static graze_result check_arrays(const graze_scene *scene, const graze_batch_def *batch) {
  const size_t moving = batch->moving_count, left = moving > 0 ? batch->pose_count % moving : batch->pose_count;
  const size_t count = moving > 0 ? batch->pose_count / moving : 0;
  const int answers = (batch->hits_out != NULL) + (batch->counts_out != NULL) + (batch->nearest_out != NULL);
  if (left != 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "configuration %zu has %zu of %zu poses", count, left, moving);
  if ((batch->poses_on_device || batch->answers_on_device) && !scene->backend->one_device)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the %s are on a device, but the scene runs on %s",
                      batch->poses_on_device ? "poses" : "answers",
                      scene->backend->on_device ? "several devices" : "the backend cpu");
  if (answers > 1)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "a batch has one kind of answers, but %d arrays are given",
                      answers);
  if (count > 0 && (batch->poses == NULL || answers == 0))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the %s of %zu configurations are NULL",
                      batch->poses == NULL ? "poses" : "answers", count);
  return GRAZE_OK;
}

static batch_request request_of(const graze_batch_def *batch) {
  batch_request request = {.moving_count = batch->moving_count,
                           .poses = batch->poses,
                           .count = batch->moving_count > 0 ? batch->pose_count / batch->moving_count : 0,
                           .answer = BATCH_HITS,
                           .test = batch->test,
                           .limit = batch->clearance,
                           .goal = NEAREST_ANY_WITHIN,
                           .answers = batch->hits_out,
                           .device_poses = batch->poses_on_device,
                           .device_answers = batch->answers_on_device,
                           .refused = batch->pose_count};
  if (batch->counts_out != NULL) {
    request.answer = BATCH_COUNTS;
    request.answers = batch->counts_out;
  } else if (batch->nearest_out != NULL) {
    request.answer = BATCH_NEAREST;
    request.answers = batch->nearest_out;
    request.limit = batch->max_distance;
    request.goal = batch->any_contact ? NEAREST_ANY_CONTACT : NEAREST_FIRST;
    request.visit_limit = batch->visit_limit;
  }
  return request;
}

/* ---------------------------------------------------------------------------------------------- the call */

/* Reports the first invalid pose, or one that moves a coordinate out of range. */
static graze_result fail_refused(const graze_scene *scene, const batch_request *request) {
  const size_t number = request->refused / request->moving_count;
  const uint32_t index = request->parts[request->refused % request->moving_count];
  const graze_object object = {index, scene_slots(scene)[index].generation};
  if (!pose_is_sound(&request->refused_pose))
    return fail_pose(scene, object, "configuration", number, &request->refused_pose);
  return scene_fail(scene, GRAZE_NOT_FINITE, "configuration %zu: %s: a coordinate is not finite after the pose", number,
                    scene_label(index, scene_objects(scene)[index].name).text);
}

static graze_result run_plan(const batch_plan *plan, batch_request *request) {
  const graze_scene *scene = plan->scene;
  request->parts = plan->parts;
  request->part_count = plan->part_count;
  request->padding = plan->padding;
  request->pairs = plan->pairs;
  request->pair_count = plan->pair_count;
  request->column_count = plan->column_count;
  size_t answers, bytes;
  if (!size_multiply(request->count, request->column_count, &answers) ||
      !size_multiply(answers, sizeof(graze_nearest), &bytes))
    return scene_fail(scene, GRAZE_TOO_LARGE, "%zu configurations of %zu object pairs are more than can be addressed",
                      request->count, request->column_count);
  scene_lock_device(scene);
  const graze_result result = scene->backend->run_batch(scene, request);
  scene_unlock_device(scene);
  if (result == GRAZE_OK && request->refused < request->count * request->moving_count)
    return fail_refused(scene, request);
  return result;
}

graze_result graze_scene_run_batch(const graze_scene *scene, const graze_batch_def *def) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  graze_batch_def batch;
  graze_result result = definition_read(&batch_definition, def, false, &batch);
  if (result == GRAZE_OK) result = check_question(scene, &batch);
  if (result == GRAZE_OK) result = check_arrays(scene, &batch);
  if (result != GRAZE_OK) return result;
  batch_request request = request_of(&batch);
  stop_check stop;
  if (batch.should_stop != NULL) {
    stop_check_init(&stop, batch.should_stop, batch.stop_context);
    request.stop = &stop;
  }
  batch_plan plan = {.scene = scene, .heap = scene_scratch(scene)};
  result = batch_plan_begin(&plan, batch.moving, batch.moving_count);
  if (result == GRAZE_OK) result = batch_plan_complete(&plan, &batch, request.stop);
  if (result == GRAZE_OK && request.count > 0) result = run_plan(&plan, &request);
  batch_plan_release(&plan);
  return result == GRAZE_STOPPED ? scene_fail(scene, result, "the caller stopped the batch") : result;
}

/* ---------------------------------------------------------------------------------------------- default pairs */

/* Writes the first pairs; returns the number of all. */
static size_t list_pairs(const batch_plan *plan, graze_id_pair *pairs_out, size_t capacity) {
  const object_slot *slots = scene_slots(plan->scene);
  size_t count = 0;
  for (size_t i = 0; i < plan->moving_count; i++) {
    const graze_object own = {plan->parts[i], slots[plan->parts[i]].generation};
    for (size_t b = 0; (b = batch_plan_partner(plan, i, b)) < plan->scene->object_count; b++, count++)
      if (count < capacity) pairs_out[count] = (graze_id_pair){own, {(uint32_t)b, slots[b].generation}};
  }
  return count;
}

graze_result graze_scene_list_batch_pairs(const graze_scene *scene, const graze_object *moving, size_t moving_count,
                                          graze_id_pair *pairs_out, size_t capacity, size_t *count_out) {
  if (scene == NULL) return scene_fail_null("scene");
  if (count_out == NULL || (capacity > 0 && pairs_out == NULL))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the output for the %s is NULL",
                      count_out == NULL ? "number of object pairs" : "object pairs");
  graze_result result = scene_check_updated(scene);
  if (result != GRAZE_OK) return result;
  batch_plan plan = {.scene = scene, .heap = scene_scratch(scene)};
  result = batch_plan_begin(&plan, moving, moving_count);
  if (result == GRAZE_OK) *count_out = list_pairs(&plan, pairs_out, capacity);
  batch_plan_release(&plan);
  return result;
}
