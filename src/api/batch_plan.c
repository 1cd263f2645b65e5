/* The plan of a batch; see batch_plan.h.
 *
 * Workload: once per call; some dozen moving objects, up to 10^6 pairs of objects. */
#include "api/batch_plan.h"

#include "scene/object_exclusions.h"
#include "scene/object_lookup.h"
#include "scene/scene_failure.h"

#define NO_PART UINT32_MAX

void batch_plan_release(batch_plan *plan) {
  const size_t objects = plan->scene->object_count;
  memory_release(plan->heap, plan->padding, plan->part_count, sizeof *plan->padding);
  memory_release(plan->heap, plan->pairs, plan->pair_capacity, sizeof *plan->pairs);
  memory_release(plan->heap, plan->parts, 2 * objects, sizeof *plan->parts);
  memory_release(plan->heap, plan->part_of, 2 * objects, sizeof *plan->part_of);
}

/* The part of an object, or that of a moving object in the pose of the scene. */
static uint32_t part_of_object(batch_plan *plan, uint32_t object, bool is_twin) {
  uint32_t *part = &plan->part_of[2 * (size_t)object + is_twin];
  if (*part == NO_PART) {
    *part = (uint32_t)plan->part_count;
    plan->parts[plan->part_count++] = object;
  }
  return *part;
}

static graze_result add_moving(batch_plan *plan, const graze_object *moving, size_t count) {
  const graze_scene *scene = plan->scene;
  for (size_t i = 0; i < count; i++) {
    const scene_object *object = scene_peek_object(scene, moving[i]);
    if (object == NULL)
      return scene_fail(scene, GRAZE_NO_SUCH_OBJECT,
                        "moving object %zu: object %u of generation %u is not in the scene", i, moving[i].index,
                        moving[i].generation);
    const uint32_t part = plan->part_of[2 * (size_t)moving[i].index];
    if (part != NO_PART)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "moving object %zu: %s is already moving object %u", i,
                        scene_label(moving[i].index, object->name).text, part);
    (void)part_of_object(plan, moving[i].index, false);
  }
  plan->moving_count = count;
  return GRAZE_OK;
}

graze_result batch_plan_begin(batch_plan *plan, const graze_object *moving, size_t count) {
  const graze_scene *scene = plan->scene;
  const size_t objects = scene->object_count;
  if (count > 0 && moving == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu moving objects is NULL", count);
  plan->part_of = memory_allocate(plan->heap, 2 * objects, sizeof *plan->part_of);
  plan->parts = memory_allocate(plan->heap, 2 * objects, sizeof *plan->parts);
  if (plan->part_of == NULL || plan->parts == NULL) return scene_fail_memory(scene);
  for (size_t i = 0; i < 2 * objects; i++) plan->part_of[i] = NO_PART;
  return add_moving(plan, moving, count);
}

size_t batch_plan_partner(const batch_plan *plan, size_t part, size_t object) {
  const graze_scene *scene = plan->scene;
  const uint32_t own = plan->parts[part];
  for (; object < scene->object_count; object++)
    if (scene_slots(scene)[object].alive && object != own && plan->part_of[2 * object] >= part &&
        scene_includes_pair(scene, own, (uint32_t)object))
      break;
  return object;
}

/* ---------------------------------------------------------------------------------------------- pairs */

static graze_result make_room(batch_plan *plan, size_t count) {
  if (count >= UINT32_MAX) return scene_fail(plan->scene, GRAZE_TOO_LARGE, "too many object pairs: %zu", count);
  plan->pair_capacity = plan->column_count = count;
  plan->pairs = memory_allocate(plan->heap, count, sizeof *plan->pairs);
  return plan->pairs != NULL ? GRAZE_OK : scene_fail_memory(plan->scene);
}

static size_t count_all_pairs(const batch_plan *plan, stop_check *stop) {
  const size_t objects = plan->scene->object_count;
  size_t count = 0;
  for (size_t i = 0; i < plan->moving_count && !stop_is_requested(stop); i++)
    for (size_t object = 0; (object = batch_plan_partner(plan, i, object)) < objects; object++) count++;
  return count;
}

static graze_result plan_all_pairs(batch_plan *plan, stop_check *stop) {
  const size_t objects = plan->scene->object_count, count = count_all_pairs(plan, stop);
  const graze_result result = stop_was_requested(stop) ? GRAZE_STOPPED : make_room(plan, count);
  if (result != GRAZE_OK) return result;
  for (uint32_t i = 0; i < plan->moving_count && !stop_is_requested(stop); i++)
    for (size_t object = 0; (object = batch_plan_partner(plan, i, object)) < objects; object++) {
      const uint32_t part = part_of_object(plan, (uint32_t)object, false), column = (uint32_t)plan->pair_count;
      plan->pairs[plan->pair_count++] = (configuration_pair){i, part, column};
    }
  return stop_was_requested(stop) ? GRAZE_STOPPED : GRAZE_OK;
}

static graze_result add_given_pair(batch_plan *plan, const graze_id_pair *given, size_t number, bool unfiltered) {
  const graze_scene *scene = plan->scene;
  const graze_object a = given->a, b = given->b;
  const scene_object *first = scene_peek_object(scene, a), *second = scene_peek_object(scene, b);
  if (first == NULL || second == NULL)
    return scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "object pair %zu: object %u of generation %u is not in the scene",
                      number, first == NULL ? a.index : b.index, first == NULL ? a.generation : b.generation);
  const bool is_self = first == second;
  if (is_self && plan->part_of[2 * (size_t)a.index] >= plan->moving_count)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "object pair %zu: %s is paired with itself, and does not move",
                      number, scene_label(a.index, first->name).text);
  if (!is_self && !unfiltered && !scene_includes_pair(scene, a.index, b.index)) return GRAZE_OK;
  const uint32_t part = part_of_object(plan, a.index, false);
  plan->pairs[plan->pair_count++] =
      (configuration_pair){part, part_of_object(plan, b.index, is_self), (uint32_t)number};
  return GRAZE_OK;
}

static graze_result plan_given_pairs(batch_plan *plan, const graze_batch_def *batch) {
  graze_result result = make_room(plan, batch->pair_count);
  for (size_t i = 0; i < batch->pair_count && result == GRAZE_OK; i++)
    result = add_given_pair(plan, &batch->pairs[i], i, batch->ignore_filters);
  return result;
}

/* ---------------------------------------------------------------------------------------------- padding */

static graze_result check_padding(const graze_scene *scene, const graze_batch_padding *given, size_t number) {
  const scene_object *object = scene_peek_object(scene, given->object);
  if (object == NULL)
    return scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "padding %zu: object %u of generation %u is not in the scene",
                      number, given->object.index, given->object.generation);
  if (given->padding >= 0.0 && given->padding <= 0x1p1000) return GRAZE_OK;
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                    "padding %zu: %s: the padding is %g: it must not be negative, and at most 2^1000", number,
                    scene_label(given->object.index, object->name).text, given->padding);
}

static graze_result plan_padding(batch_plan *plan, const graze_batch_def *batch) {
  const graze_scene *scene = plan->scene;
  if (batch->padding_count == 0) return GRAZE_OK;
  if (batch->paddings == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu paddings is NULL", batch->padding_count);
  plan->padding = memory_allocate(plan->heap, plan->part_count, sizeof *plan->padding);
  if (plan->padding == NULL) return scene_fail_memory(scene);
  for (size_t i = 0; i < plan->part_count; i++) plan->padding[i] = -1.0;
  for (size_t i = 0; i < batch->padding_count; i++) {
    const graze_batch_padding *given = &batch->paddings[i];
    const graze_result result = check_padding(scene, given, i);
    if (result != GRAZE_OK) return result;
    for (size_t twin = 0; twin < 2; twin++) {
      const uint32_t part = plan->part_of[2 * (size_t)given->object.index + twin];
      if (part == NO_PART) continue;
      if (!(plan->padding[part] < 0.0))
        return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "padding %zu: object %u is already padded", i,
                          given->object.index);
      plan->padding[part] = given->padding;
    }
  }
  for (size_t i = 0; i < plan->part_count; i++) plan->padding[i] = fmax(plan->padding[i], 0.0);
  return GRAZE_OK;
}

graze_result batch_plan_complete(batch_plan *plan, const graze_batch_def *batch, stop_check *stop_or_null) {
  const graze_scene *scene = plan->scene;
  const bool all = batch->pairs == NULL;
  if (all && batch->pair_count > 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu object pairs is NULL", batch->pair_count);
  if (all && batch->ignore_filters)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "filters are ignored for given object pairs only");
  graze_result result = all ? plan_all_pairs(plan, stop_or_null) : plan_given_pairs(plan, batch);
  if (result == GRAZE_OK) result = plan_padding(plan, batch);
  if (result != GRAZE_OK || batch->each_pair) return result;
  plan->column_count = 1;
  for (size_t i = 0; i < plan->pair_count; i++) plan->pairs[i].column = 0;
  return GRAZE_OK;
}
