/* Numbers that objects were given for pairs; see object_numbers.h.
 *
 * Workload: a sort of the objects when objects or primitives came or went, in scenes that have such numbers at all; a
 * binary search among objects for each of the caller's pairs there. */
#include "scene/object_numbers.h"

#include "scene/scene_failure.h"

#include <stdlib.h>

graze_result object_numbers_check(graze_scene *scene, const object_label *label, const scene_object *object) {
  const object_numbers *numbers = &object->numbers;
  if (numbers->object > SCENE_NUMBER_LIMIT)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%s: global_object is %u; at most %zu can be numbered", label->text,
                      numbers->object, SCENE_NUMBER_LIMIT);
  if (object->elements.count > SCENE_NUMBER_LIMIT || numbers->primitive > SCENE_NUMBER_LIMIT - object->elements.count)
    return scene_fail(scene, GRAZE_TOO_LARGE,
                      "%s: global_primitive is %u, and it has %zu primitives; at most %zu can be numbered", label->text,
                      numbers->primitive, object->elements.count, SCENE_NUMBER_LIMIT);
  if (object->positions.count > SCENE_NUMBER_LIMIT || numbers->vertex > SCENE_NUMBER_LIMIT - object->positions.count)
    return scene_fail(scene, GRAZE_TOO_LARGE,
                      "%s: global_vertex is %u, and it has %zu vertices; at most %zu can be numbered", label->text,
                      numbers->vertex, object->positions.count, SCENE_NUMBER_LIMIT);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- update */

static numbered_object numbered_object_of(const scene_object *object, uint32_t slot) {
  const uint32_t count = (uint32_t)object->elements.count;
  if (count == 0) return (numbered_object){NUMBER_OF_NONE, 0, 0, slot};
  return (numbered_object){object->public_object, object->public_primitive, count, slot};
}

static int compare_numbers(const void *a, const void *b) {
  const numbered_object *x = a, *y = b;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  if (x->primitive != y->primitive) return x->primitive < y->primitive ? -1 : 1;
  return (x->slot > y->slot) - (x->slot < y->slot);
}

/* Of two rows that follow each other. */
static graze_result check_apart(graze_scene *scene, const numbered_object *before, const numbered_object *after) {
  if (after->object != before->object || after->object == NUMBER_OF_NONE ||
      after->primitive - before->primitive >= before->count)
    return GRAZE_OK;
  const scene_object *objects = scene_objects(scene);
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s and %s both have primitive %u of global object %u",
                    scene_label(before->slot, objects[before->slot].name).text,
                    scene_label(after->slot, objects[after->slot].name).text, after->primitive, after->object);
}

static graze_result order_by_number(graze_scene *scene) {
  const size_t count = scene_object_slots(scene);
  if (!array_resize(&scene->by_number, &scene->memory, count)) return scene_fail_memory(scene);
  numbered_object *rows = scene->by_number.data;
  for (size_t i = 0; i < count; i++) rows[i] = numbered_object_of(&scene_objects(scene)[i], (uint32_t)i);
  qsort(rows, count, sizeof *rows, compare_numbers);
  for (size_t i = 1; i < count; i++) {
    const graze_result result = check_apart(scene, &rows[i - 1], &rows[i]);
    if (result != GRAZE_OK) return result;
  }
  uint32_t first = 0;
  for (size_t i = 0; i < count; i++) {
    scene_objects(scene)[rows[i].slot].first_primitive = first;
    first += rows[i].count;
  }
  return GRAZE_OK;
}

graze_result scene_choose_numbers(graze_scene *scene) {
  bool some_given = false;
  for (size_t i = 0; i < scene_object_slots(scene); i++) {
    scene_object *object = &scene_objects(scene)[i];
    const bool given = scene_slots(scene)[i].alive && object->numbers.given;
    object->public_object = given ? object->numbers.object : (uint32_t)i;
    object->public_primitive = given ? object->numbers.primitive : 0;
    some_given = some_given || given;
    if (!given) continue;
    const object_label label = scene_label((uint32_t)i, object->name);
    const graze_result result = object_numbers_check(scene, &label, object); /* it may have grown */
    if (result != GRAZE_OK) return result;
  }
  scene->by_number.count = 0;
  return some_given ? order_by_number(scene) : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- looking up */

/* The slot whose object may have the primitive, by the last row that does not begin after it. */
static bool find_slot(const graze_scene *scene, uint32_t object, uint32_t primitive, uint32_t *slot_out) {
  const numbered_object *rows = scene->by_number.data;
  const numbered_object wanted = {object, primitive, 0, UINT32_MAX};
  size_t first = 0, end = scene->by_number.count;
  if (end == 0) {
    *slot_out = object;
    return object < scene->object_count;
  }
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (compare_numbers(&rows[middle], &wanted) <= 0)
      first = middle + 1;
    else
      end = middle;
  }
  if (first == 0 || rows[first - 1].object != object) return false;
  *slot_out = rows[first - 1].slot;
  return true;
}

bool scene_find_numbers(const graze_scene *scene, uint32_t object, uint32_t primitive, uint32_t *slot_out,
                        uint32_t *own_out) {
  if (!find_slot(scene, object, primitive, slot_out)) return false;
  const scene_object *found = &scene_objects(scene)[*slot_out];
  const uint32_t own = primitive - found->public_primitive;
  if (!scene_slots(scene)[*slot_out].alive || own >= found->elements.count) return false;
  if (found->erased.count > 0 && ARRAY_AS(uint8_t, &found->erased)[own] != 0) return false;
  *own_out = own;
  return true;
}

static bool primitive_number(const graze_scene *scene, uint32_t object, uint32_t primitive, uint32_t *number_out) {
  uint32_t slot, own;
  if (!scene_find_numbers(scene, object, primitive, &slot, &own)) return false;
  *number_out = scene_objects(scene)[slot].first_primitive + own;
  return true;
}

bool scene_pair_numbers(const graze_scene *scene, const graze_pair *pair, index_pair *numbers_out) {
  return primitive_number(scene, pair->object_a, pair->primitive_a, &numbers_out->a) &&
         primitive_number(scene, pair->object_b, pair->primitive_b, &numbers_out->b);
}
