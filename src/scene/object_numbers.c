/* Numbers of objects in pairs; see object_numbers.h.
 *
 * Workload: a sort of the objects when objects or primitives were added or removed, in scenes with such numbers, and of
 * the primitives if each has a number. Then, each pair that the caller passes takes a binary search. */
#include "scene/object_numbers.h"

#include "base/radix_sort.h"
#include "base/view.h"
#include "scene/scene_failure.h"

#include <stdlib.h>

static graze_result check_numbers(graze_scene *scene, const object_label *label, const scene_object *object) {
  const object_numbers *numbers = &object->numbers;
  if (numbers->object > SCENE_NUMBER_LIMIT)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%s: global_object is %u; at most %zu can be numbered", label->text,
                      numbers->object, SCENE_NUMBER_LIMIT);
  if (object->elements.count > SCENE_NUMBER_LIMIT ||
      (numbers->primitives.count == 0 && numbers->primitive > SCENE_NUMBER_LIMIT - object->elements.count))
    return scene_fail(scene, GRAZE_TOO_LARGE,
                      "%s: global_primitive is %u, and the object has %zu primitives; at most %zu can be numbered",
                      label->text, numbers->primitive, object->elements.count, SCENE_NUMBER_LIMIT);
  if (object->positions.count > SCENE_NUMBER_LIMIT ||
      (numbers->vertices.count == 0 && numbers->vertex > SCENE_NUMBER_LIMIT - object->positions.count))
    return scene_fail(scene, GRAZE_TOO_LARGE,
                      "%s: global_vertex is %u, and the object has %zu vertices; at most %zu can be numbered",
                      label->text, numbers->vertex, object->positions.count, SCENE_NUMBER_LIMIT);
  return GRAZE_OK;
}

static graze_result copy_numbers(graze_scene *scene, const object_label *label, const graze_view *view, const char *one,
                                 const char *many, size_t count, array *to) {
  if (view->count == 0) return GRAZE_OK;
  if (view->count != count)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: %zu %s have %zu global numbers", label->text, count, many,
                      view->count);
  if (!array_resize(to, &scene->memory, count)) return scene_fail_memory(scene);
  view_read_indices(view, 0, count, to->data);
  for (size_t i = 0; i < count; i++)
    if (ARRAY_AS(uint32_t, to)[i] >= SCENE_NUMBER_LIMIT)
      return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: the global number of %s %zu is %s; 0 to %zu are allowed",
                        label->text, one, i, view_index_text(view, i, 0).text, SCENE_NUMBER_LIMIT - 1);
  return GRAZE_OK;
}

graze_result object_numbers_fill(graze_scene *scene, const object_label *label, const graze_object_def *def,
                                 scene_object *object) {
  object_numbers *numbers = &object->numbers;
  *numbers = (object_numbers){.given = def->global_numbers};
  array_init(&numbers->primitives, sizeof(uint32_t));
  array_init(&numbers->vertices, sizeof(uint32_t));
  if (!def->global_numbers) return GRAZE_OK;
  numbers->object = def->global_object;
  numbers->primitive = def->global_primitives.count == 0 ? def->global_primitive : 0;
  numbers->vertex = def->global_vertices.count == 0 ? def->global_vertex : 0;
  graze_result result = view_check(&def->global_primitives, GRAZE_FORMAT_UINT32, "global primitives");
  if (result == GRAZE_OK) result = view_check(&def->global_vertices, GRAZE_FORMAT_UINT32, "global vertices");
  if (result == GRAZE_OK)
    result = copy_numbers(scene, label, &def->global_primitives, "primitive", "primitives", object->elements.count,
                          &numbers->primitives);
  if (result == GRAZE_OK)
    result = copy_numbers(scene, label, &def->global_vertices, "vertex", "vertices", object->positions.count,
                          &numbers->vertices);
  return result == GRAZE_OK ? check_numbers(scene, label, object) : result;
}

void object_numbers_release(object_numbers *numbers, memory *heap) {
  if (numbers->primitives.element_bytes == 0) return; /* the object was refused before its numbers were set */
  array_release(&numbers->primitives, heap);
  array_release(&numbers->vertices, heap);
}

graze_result object_numbers_check_growth(const graze_scene *scene, const object_label *label,
                                         const scene_object *object, bool primitives, bool vertices) {
  const object_numbers *numbers = &object->numbers;
  if ((!primitives || numbers->primitives.count == 0) && (!vertices || numbers->vertices.count == 0)) return GRAZE_OK;
  return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: each of its %s has a global number; it cannot grow", label->text,
                    primitives && numbers->primitives.count > 0 ? "primitives" : "vertices");
}

void object_numbers_copy(const scene_object *object, bool of_vertices, size_t first, size_t count,
                         uint32_t *numbers_out) {
  const object_numbers *numbers = &object->numbers;
  const array *each = of_vertices ? &numbers->vertices : &numbers->primitives;
  const uint32_t begin = of_vertices ? numbers->vertex : numbers->primitive;
  for (size_t i = 0; i < count; i++)
    numbers_out[i] = each->count > 0 ? ARRAY_AS(uint32_t, each)[first + i] : begin + (uint32_t)(first + i);
}

/* ---------------------------------------------------------------------------------------------- ranks */

void primitive_ranks_init(primitive_ranks *ranked) {
  array_init(&ranked->keys, sizeof(uint64_t));
  array_init(&ranked->primitives, sizeof(uint32_t));
  array_init(&ranked->ranks, sizeof(uint32_t));
}

void primitive_ranks_release(primitive_ranks *ranked, memory *heap) {
  ARRAYS_RELEASE(heap, &ranked->keys, &ranked->primitives, &ranked->ranks);
}

static uint64_t number_key(uint32_t object, uint32_t primitive) {
  return (uint64_t)object << 32 | primitive;
}

/* A key for each primitive of the scene, by its number there. */
static void write_keys(const graze_scene *scene, uint64_t *keys_out, uint32_t *primitives_out) {
  for (size_t i = 0; i < scene_object_slots(scene); i++) {
    const scene_object *object = &scene_objects(scene)[i];
    const uint32_t *each = object->numbers.primitives.data;
    for (size_t k = 0; k < object->elements.count; k++) {
      const uint32_t number = object->first_primitive + (uint32_t)k;
      keys_out[number] =
          number_key(object->public_object, each != NULL ? each[k] : object->public_primitive + (uint32_t)k);
      primitives_out[number] = number;
    }
  }
}

/* The slot of the object that has a primitive of the scene: for messages. */
static size_t slot_with(const graze_scene *scene, uint32_t primitive) {
  size_t slot = 0;
  while (primitive - scene_objects(scene)[slot].first_primitive >= scene_objects(scene)[slot].elements.count) slot++;
  return slot;
}

static graze_result fail_twice(graze_scene *scene, uint64_t key, uint32_t before, uint32_t after) {
  const scene_object *objects = scene_objects(scene);
  const size_t a = slot_with(scene, before), b = slot_with(scene, after);
  const object_label label = scene_label((uint32_t)a, objects[a].name);
  const uint32_t object = (uint32_t)(key >> 32), primitive = (uint32_t)key;
  if (a != b)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s and %s both have primitive %u of global object %u", label.text,
                      scene_label((uint32_t)b, objects[b].name).text, primitive, object);
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: primitives %u and %u are both primitive %u of global object %u",
                    label.text, before - objects[a].first_primitive, after - objects[a].first_primitive, primitive,
                    object);
}

static graze_result rank_primitives(graze_scene *scene, size_t count) {
  primitive_ranks *ranked = &scene->ranked;
  memory *heap = &scene->memory, *scratch = &scene->scratch.heap;
  uint64_t *more_keys = memory_allocate(scratch, count, sizeof *more_keys);
  uint32_t *more_primitives = memory_allocate(scratch, count, sizeof *more_primitives);
  const bool has_room = more_keys != NULL && more_primitives != NULL && array_resize(&ranked->keys, heap, count) &&
                        array_resize(&ranked->primitives, heap, count) && array_resize(&ranked->ranks, heap, count);
  uint64_t *keys = ranked->keys.data;
  uint32_t *primitives = ranked->primitives.data;
  if (has_room) {
    write_keys(scene, keys, primitives);
    radix_sort_pairs_stoppable(keys, primitives, more_keys, more_primitives, count, 64, scratch, scene->workers, NULL);
  }
  memory_release(scratch, more_keys, count, sizeof *more_keys);
  memory_release(scratch, more_primitives, count, sizeof *more_primitives);
  if (!has_room) return scene_fail_memory(scene);
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && keys[i] == keys[i - 1]) return fail_twice(scene, keys[i], primitives[i - 1], primitives[i]);
    ARRAY_AS(uint32_t, &ranked->ranks)[primitives[i]] = (uint32_t)i;
  }
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

/* Refuses two consecutive rows that share a primitive. */
static graze_result check_apart(graze_scene *scene, const numbered_object *before, const numbered_object *after) {
  if (after->object != before->object || after->object == NUMBER_OF_NONE ||
      after->primitive - before->primitive >= before->count)
    return GRAZE_OK;
  const scene_object *objects = scene_objects(scene);
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s and %s both have primitive %u of global object %u",
                    scene_label(before->slot, objects[before->slot].name).text,
                    scene_label(after->slot, objects[after->slot].name).text, after->primitive, after->object);
}

static graze_result order_by_number(graze_scene *scene, bool some_each) {
  const size_t count = scene_object_slots(scene);
  if (!array_resize(&scene->by_number, &scene->memory, count)) return scene_fail_memory(scene);
  numbered_object *rows = scene->by_number.data;
  for (size_t i = 0; i < count; i++) rows[i] = numbered_object_of(&scene_objects(scene)[i], (uint32_t)i);
  qsort(rows, count, sizeof *rows, compare_numbers);
  for (size_t i = 1; i < count && !some_each; i++) {
    const graze_result result = check_apart(scene, &rows[i - 1], &rows[i]);
    if (result != GRAZE_OK) return result;
  }
  uint32_t first = 0;
  for (size_t i = 0; i < count; i++) {
    scene_objects(scene)[rows[i].slot].first_primitive = first;
    first += rows[i].count;
  }
  return some_each ? rank_primitives(scene, first) : GRAZE_OK;
}

graze_result scene_choose_numbers(graze_scene *scene) {
  bool some_given = false, some_each = false;
  for (size_t i = 0; i < scene_object_slots(scene); i++) {
    scene_object *object = &scene_objects(scene)[i];
    const bool given = scene_slots(scene)[i].alive && object->numbers.given;
    object->public_object = given ? object->numbers.object : (uint32_t)i;
    object->public_primitive = given ? object->numbers.primitive : 0;
    some_given = some_given || given;
    some_each = some_each || (given && object->numbers.primitives.count > 0);
    if (!given) continue;
    const object_label label = scene_label((uint32_t)i, object->name);
    const graze_result result = check_numbers(scene, &label, object); /* it may have gained primitives */
    if (result != GRAZE_OK) return result;
  }
  scene->by_number.count = 0;
  primitive_ranks_release(&scene->ranked, &scene->memory);
  return some_given ? order_by_number(scene, some_each) : GRAZE_OK;
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

/* A binary search among the ranks. */
static bool find_ranked(const graze_scene *scene, uint64_t key, uint32_t *slot_out, uint32_t *own_out) {
  const uint64_t *keys = scene->ranked.keys.data;
  size_t first = 0, end = scene->ranked.keys.count;
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (keys[middle] < key)
      first = middle + 1;
    else
      end = middle;
  }
  if (first == scene->ranked.keys.count || keys[first] != key) return false;
  const uint32_t number = ARRAY_AS(uint32_t, &scene->ranked.primitives)[first];
  *slot_out = scene->headers[number].object;
  *own_out = number - scene_objects(scene)[*slot_out].first_primitive;
  return true;
}

static bool find_consecutive(const graze_scene *scene, uint32_t object, uint32_t primitive, uint32_t *slot_out,
                             uint32_t *own_out) {
  if (!find_slot(scene, object, primitive, slot_out)) return false;
  const scene_object *found = &scene_objects(scene)[*slot_out];
  *own_out = primitive - found->public_primitive;
  return scene_slots(scene)[*slot_out].alive && *own_out < found->elements.count;
}

bool scene_find_numbers(const graze_scene *scene, uint32_t object, uint32_t primitive, uint32_t *slot_out,
                        uint32_t *own_out) {
  const bool found = scene_ranks(scene) != NULL ? find_ranked(scene, number_key(object, primitive), slot_out, own_out)
                                                : find_consecutive(scene, object, primitive, slot_out, own_out);
  if (!found) return false;
  const array *removed = &scene_objects(scene)[*slot_out].removed;
  return removed->count == 0 || ARRAY_AS(uint8_t, removed)[*own_out] == 0;
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
