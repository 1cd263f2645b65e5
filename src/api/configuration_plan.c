/* The plan of a call about configurations; see configuration_plan.h.
 *
 * Workload: once per call; some dozen moving objects, up to 10^6 pairs of objects. */
#include "api/configuration_plan.h"

#include "scene/object_exclusions.h"
#include "scene/object_lookup.h"
#include "scene/scene_failure.h"

#define NO_PART UINT32_MAX

void configuration_plan_release(configuration_plan *plan) {
  const size_t objects = plan->scene->object_count;
  memory_release(plan->heap, plan->pairs, plan->pair_capacity, sizeof *plan->pairs);
  memory_release(plan->heap, plan->parts, objects, sizeof *plan->parts);
  memory_release(plan->heap, plan->part_of, objects, sizeof *plan->part_of);
}

static uint32_t part_of_object(configuration_plan *plan, uint32_t object) {
  if (plan->part_of[object] == NO_PART) {
    plan->part_of[object] = (uint32_t)plan->part_count;
    plan->parts[plan->part_count++] = object;
  }
  return plan->part_of[object];
}

static graze_result add_moving(configuration_plan *plan, const graze_object *moving, size_t count) {
  const graze_scene *scene = plan->scene;
  for (size_t i = 0; i < count; i++) {
    const scene_object *object = scene_peek_object(scene, moving[i]);
    if (object == NULL)
      return scene_fail(scene, GRAZE_NO_SUCH_OBJECT,
                        "moving object %zu: object %u of generation %u is not in the scene", i, moving[i].index,
                        moving[i].generation);
    if (plan->part_of[moving[i].index] != NO_PART)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "moving object %zu: %s is already moving object %u", i,
                        scene_label(moving[i].index, object->name).text, plan->part_of[moving[i].index]);
    (void)part_of_object(plan, moving[i].index);
  }
  plan->moving_count = count;
  return GRAZE_OK;
}

graze_result configuration_plan_begin(configuration_plan *plan, const graze_object *moving, size_t count) {
  const graze_scene *scene = plan->scene;
  const size_t objects = scene->object_count;
  if (count > 0 && moving == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu moving objects is NULL", count);
  plan->part_of = memory_allocate(plan->heap, objects, sizeof *plan->part_of);
  plan->parts = memory_allocate(plan->heap, objects, sizeof *plan->parts);
  if (plan->part_of == NULL || plan->parts == NULL) return scene_fail_memory(scene);
  for (size_t i = 0; i < objects; i++) plan->part_of[i] = NO_PART;
  return add_moving(plan, moving, count);
}

size_t configuration_plan_partner(const configuration_plan *plan, size_t part, size_t object) {
  const graze_scene *scene = plan->scene;
  const uint32_t own = plan->parts[part];
  for (; object < scene->object_count; object++)
    if (scene_slots(scene)[object].alive && object != own && plan->part_of[object] >= part &&
        scene_includes_pair(scene, own, (uint32_t)object))
      break;
  return object;
}

static size_t count_all_pairs(const configuration_plan *plan, stop_check *stop) {
  const size_t objects = plan->scene->object_count;
  size_t count = 0;
  for (size_t i = 0; i < plan->moving_count && !stop_is_requested(stop); i++)
    for (size_t object = 0; (object = configuration_plan_partner(plan, i, object)) < objects; object++) count++;
  return count;
}

static graze_result make_room(configuration_plan *plan, size_t count) {
  if (count >= UINT32_MAX) return scene_fail(plan->scene, GRAZE_TOO_LARGE, "too many object pairs: %zu", count);
  plan->pair_capacity = count;
  plan->pairs = memory_allocate(plan->heap, count, sizeof *plan->pairs);
  return plan->pairs != NULL ? GRAZE_OK : scene_fail_memory(plan->scene);
}

static graze_result fail_stopped(const graze_scene *scene, const char *what) {
  return scene_fail(scene, GRAZE_STOPPED, "the caller stopped the %s tests", what);
}

static graze_result plan_all_pairs(configuration_plan *plan, stop_check *stop) {
  const size_t objects = plan->scene->object_count, count = count_all_pairs(plan, stop);
  const graze_result result = stop_was_requested(stop) ? GRAZE_OK : make_room(plan, count);
  if (result != GRAZE_OK) return result;
  for (uint32_t i = 0; i < plan->moving_count && !stop_is_requested(stop); i++)
    for (size_t object = 0; (object = configuration_plan_partner(plan, i, object)) < objects; object++) {
      const uint32_t part = part_of_object(plan, (uint32_t)object), column = (uint32_t)plan->pair_count;
      plan->pairs[plan->pair_count++] = (configuration_pair){i, part, column};
    }
  return stop_was_requested(stop) ? fail_stopped(plan->scene, "configuration") : GRAZE_OK;
}

static graze_result plan_given_pairs(configuration_plan *plan, const graze_configuration_pair *given, size_t count) {
  const graze_scene *scene = plan->scene;
  const graze_result result = make_room(plan, count);
  if (result != GRAZE_OK) return result;
  for (size_t i = 0; i < count; i++) {
    const graze_object a = given[i].a, b = given[i].b;
    const scene_object *first = scene_peek_object(scene, a), *second = scene_peek_object(scene, b);
    if (first == NULL || second == NULL)
      return scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "object pair %zu: object %u of generation %u is not in the scene",
                        i, first == NULL ? a.index : b.index, first == NULL ? a.generation : b.generation);
    if (first == second)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "object pair %zu: %s is paired with itself", i,
                        scene_label(a.index, first->name).text);
    if (!scene_includes_pair(scene, a.index, b.index)) continue;
    plan->pairs[plan->pair_count++] =
        (configuration_pair){part_of_object(plan, a.index), part_of_object(plan, b.index), (uint32_t)i};
  }
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- requests */

/* Reads the locations of poses and answers, and the number of poses. */
static graze_result check_arguments(const graze_scene *scene, const configuration_request *request, size_t pose_count) {
  const size_t moving = request->moving_count, left = moving > 0 ? pose_count % moving : pose_count;
  if (left != 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "configuration %zu has %zu of %zu poses",
                      moving > 0 ? pose_count / moving : 0, left, moving);
  if ((request->device_poses || request->device_answers) && !scene->backend->one_device)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the %s are on a device, but the scene runs on %s",
                      request->device_poses ? "poses" : "answers",
                      scene->backend->on_device ? "several devices" : "the backend cpu");
  if (pose_count > 0 && (request->poses == NULL || request->answers == NULL))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the %s of %zu configurations are NULL",
                      request->poses == NULL ? "poses" : "answers", request->count);
  return GRAZE_OK;
}

/* Refuses poses or answers given both on the host and on the device. */
static graze_result check_places(const graze_scene *scene, const configuration_call *call) {
  if (call->device_poses != NULL && call->poses != NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "poses are given both on the host and on the device");
  if (call->device_answers != NULL && call->answers != NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "answers are requested both on the host and on the device");
  return GRAZE_OK;
}

static graze_result fail_refused(const graze_scene *scene, const configuration_request *request, const char *what) {
  const size_t number = request->refused / request->moving_count;
  const uint32_t index = request->parts[request->refused % request->moving_count];
  const graze_object object = {index, scene_slots(scene)[index].generation};
  if (!pose_is_sound(&request->refused_pose)) return fail_pose(scene, object, what, number, &request->refused_pose);
  return scene_fail(scene, GRAZE_NOT_FINITE, "%s %zu: %s: a coordinate is not finite after the pose", what, number,
                    scene_label(index, scene_objects(scene)[index].name).text);
}

/* Sets the stop check of a request that has none yet. */
static void begin_stop(const configuration_call *call, configuration_request *request, stop_check *stop) {
  if (call->should_stop == NULL || request->stop != NULL) return;
  stop_check_init(stop, call->should_stop, call->stop_context);
  request->stop = stop;
}

graze_result configuration_execute(const graze_scene *scene, const configuration_call *call,
                                   configuration_request *request, const char *what) {
  stop_check stop;
  begin_stop(call, request, &stop);
  scene_lock_device(scene);
  const graze_result result = call->run(scene, request);
  scene_unlock_device(scene);
  if (result == GRAZE_STOPPED) return fail_stopped(scene, what);
  if (result == GRAZE_OK && request->refused < request->count * request->moving_count)
    return fail_refused(scene, request, what);
  return result;
}

static graze_result run_plan(configuration_plan *plan, const configuration_call *call, configuration_request *request) {
  const graze_scene *scene = plan->scene;
  const bool all = call->pairs == NULL;
  if (all && call->pair_count > 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu object pairs is NULL", call->pair_count);
  const graze_result result =
      all ? plan_all_pairs(plan, request->stop) : plan_given_pairs(plan, call->pairs, call->pair_count);
  if (result != GRAZE_OK || request->count == 0) return result;
  request->parts = plan->parts;
  request->part_count = plan->part_count;
  request->pairs = plan->pairs;
  request->pair_count = plan->pair_count;
  request->column_count = all ? plan->pair_count : call->pair_count;
  size_t answers, bytes;
  if (!size_multiply(request->count, request->column_count, &answers) ||
      !size_multiply(answers, call->answer_bytes, &bytes))
    return scene_fail(scene, GRAZE_TOO_LARGE, "%zu configurations of %zu object pairs are more than can be addressed",
                      request->count, request->column_count);
  return configuration_execute(scene, call, request, "configuration");
}

graze_result configuration_call_read(const graze_scene *scene, const configuration_call *call,
                                     configuration_request *request) {
  const graze_result result = check_places(scene, call);
  if (result != GRAZE_OK) return result;
  const size_t moving = request->moving_count;
  request->poses = call->device_poses != NULL ? call->device_poses : call->poses;
  request->device_poses = call->device_poses != NULL;
  request->answers = call->device_answers != NULL ? call->device_answers : call->answers;
  request->device_answers = call->device_answers != NULL;
  request->count = moving > 0 ? call->pose_count / moving : 0;
  request->refused = call->pose_count;
  return check_arguments(scene, request, call->pose_count);
}

graze_result configuration_call_run(const graze_scene *scene, const configuration_call *call,
                                    configuration_request *request) {
  graze_result result = configuration_call_read(scene, call, request);
  if (result != GRAZE_OK) return result;
  stop_check stop;
  begin_stop(call, request, &stop);
  configuration_plan plan = {.scene = scene, .heap = scene_scratch(scene)};
  result = configuration_plan_begin(&plan, call->moving, request->moving_count);
  if (result == GRAZE_OK) result = run_plan(&plan, call, request);
  configuration_plan_release(&plan);
  return result;
}
