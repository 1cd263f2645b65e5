/* One part of a divided scene; see slab.h.
 *
 * Workload: one query a frame, after some of its objects were moved, added or removed. Pairs are sorted, so the first
 * primitive of a pair is mostly that of the previous pair. */
#include "distributed/slab.h"

#include "distributed/portion_list.h"
#include "graze/inside/parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct slab_object {
  graze_object object; /* generation 0: none */
  uint32_t number;     /* the global one */
  uint64_t primitive_count;
} slab_object;

void slab_init(slab *made, graze_scene *scene, uint32_t part) {
  *made = (slab){.scene = scene, .part = part};
  array_init(&made->objects, sizeof(slab_object));
  array_init(&made->sources, sizeof(array));
}

void slab_release(slab *made, memory *heap) {
  if (made->objects.element_bytes == 0) return; /* never made */
  for (size_t i = 0; i < made->sources.count; i++) array_release(&ARRAY_AS(array, &made->sources)[i], heap);
  array_release(&made->sources, heap);
  array_release(&made->objects, heap);
  *made = (slab){0};
}

graze_result slab_clear(slab *made, rank_failure *failure) {
  graze_result result = GRAZE_OK;
  made->objects.count = made->held_count = 0;
  made->has_new_objects = true;
  for (size_t i = 0; i < made->sources.count; i++) ARRAY_AS(array, &made->sources)[i].count = 0;
  for (graze_object o = {0}; result == GRAZE_OK && (o = graze_scene_next_object(made->scene, o)).generation != 0;)
    result = graze_scene_remove_object(made->scene, o);
  return rank_failure_note(failure, result);
}

/* ---------------------------------------------------------------------------------------------- portions */

/* The place that stores the index of a source's object; NULL when out of memory. */
static uint32_t *place_of(slab *made, memory *heap, uint32_t source, uint64_t object) {
  array none;
  array_init(&none, sizeof(uint32_t));
  while (made->sources.count <= source)
    if (!array_push(&made->sources, heap, &none)) return NULL;
  array *places = &ARRAY_AS(array, &made->sources)[source];
  const size_t before = places->count;
  if (before <= object) {
    if (!array_resize(places, heap, object + 1)) return NULL;
    memset(ARRAY_AS(uint32_t, places) + before, 0, (places->count - before) * sizeof(uint32_t));
  }
  return &ARRAY_AS(uint32_t, places)[object];
}

static graze_result drop_object(slab *made, uint32_t *place, rank_failure *failure) {
  if (*place == 0) return GRAZE_OK;
  slab_object *taken = &ARRAY_AS(slab_object, &made->objects)[*place - 1];
  const graze_result result = graze_scene_remove_object(made->scene, taken->object);
  if (result != GRAZE_OK) return rank_failure_note(failure, result);
  made->held_count -= taken->primitive_count;
  made->has_new_objects = true;
  *taken = (slab_object){0};
  *place = 0;
  return GRAZE_OK;
}

static graze_result add_object(slab *made, memory *heap, uint32_t *place, const void *bytes, size_t size,
                               rank_failure *failure) {
  slab_object added = {0};
  const slab_object none = {0};
  graze_object_info info = {0};
  graze_result result = graze_scene_add_part(made->scene, bytes, size, &added.object);
  if (result == GRAZE_OK) result = graze_object_get_info(made->scene, added.object, &info);
  if (result != GRAZE_OK) return rank_failure_note(failure, result);
  added.number = info.global_object;
  added.primitive_count = info.live_count;
  while (made->objects.count <= added.object.index)
    if (!array_push(&made->objects, heap, &none)) return rank_failure_say_memory(failure);
  ARRAY_AS(slab_object, &made->objects)[added.object.index] = added;
  made->held_count += added.primitive_count;
  made->has_new_objects = true;
  *place = added.object.index + 1;
  return GRAZE_OK;
}

static graze_result take_portion(slab *made, memory *heap, uint32_t *place, const void *bytes, size_t size,
                                 rank_failure *failure) {
  bool moved = false;
  if (*place != 0 && size > 0) {
    const graze_object there = ARRAY_AS(slab_object, &made->objects)[*place - 1].object;
    const graze_result result = graze_object_move_to_part(made->scene, there, bytes, size, &moved);
    if (result != GRAZE_OK) return rank_failure_note(failure, result);
  }
  if (moved) return GRAZE_OK;
  const graze_result result = drop_object(made, place, failure);
  return result == GRAZE_OK && size > 0 ? add_object(made, heap, place, bytes, size, failure) : result;
}

graze_result slab_take(slab *made, memory *heap, uint32_t source, const void *bytes, uint64_t size,
                       rank_failure *failure) {
  const unsigned char *from = bytes, *end = from + size;
  while (from < end) {
    uint64_t head[2]; /* the bytes of the part, the object's index */
    memcpy(head, from, sizeof head);
    uint32_t *place = place_of(made, heap, source, head[1]);
    if (place == NULL) return rank_failure_say_memory(failure);
    const graze_result result = take_portion(made, heap, place, from + sizeof head, head[0], failure);
    if (result != GRAZE_OK) return result;
    from += sizeof head + head[0];
  }
  return GRAZE_OK;
}

uint64_t slab_count_of(const slab *made, uint32_t source) {
  uint64_t count = 0;
  if (source >= made->sources.count) return 0;
  const array *places = &ARRAY_AS(array, &made->sources)[source];
  for (size_t i = 0; i < places->count; i++) {
    const uint32_t place = ARRAY_AS(uint32_t, places)[i];
    if (place != 0) count += ARRAY_AS(slab_object, &made->objects)[place - 1].primitive_count;
  }
  return count;
}

bool slab_find_object(const slab *made, uint32_t source, uint32_t object, graze_object *found_out) {
  if (source >= made->sources.count) return false;
  const array *places = &ARRAY_AS(array, &made->sources)[source];
  if (object >= places->count || ARRAY_AS(uint32_t, places)[object] == 0) return false;
  *found_out = ARRAY_AS(slab_object, &made->objects)[ARRAY_AS(uint32_t, places)[object] - 1].object;
  return true;
}

/* ---------------------------------------------------------------------------------------------- exclusions */

static int compare_numbers(const void *a, const void *b) {
  const slab_object *x = a, *y = b;
  if (x->number != y->number) return x->number < y->number ? -1 : 1;
  return (x->object.index > y->object.index) - (x->object.index < y->object.index);
}

/* An object with this number, in a sorted list; NULL: none. */
static const slab_object *object_with(const slab_object *sorted, size_t count, uint32_t number) {
  size_t first = 0, end = count;
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (sorted[middle].number < number)
      first = middle + 1;
    else
      end = middle;
  }
  return first < count && sorted[first].number == number ? &sorted[first] : NULL;
}

/* One part of each object suffices: its exclusions are those of all parts. */
static graze_result exclude_pair(slab *made, const slab_object *sorted, size_t count, graze_object_pair pair) {
  const slab_object *a = object_with(sorted, count, pair.object_a), *b = object_with(sorted, count, pair.object_b);
  return a == NULL || b == NULL ? GRAZE_OK : graze_scene_exclude(made->scene, a->object, b->object, true);
}

graze_result slab_exclude(slab *made, memory *heap, const graze_object_pair *exclusions, size_t count,
                          rank_failure *failure) {
  const slab_object *objects = made->objects.data;
  size_t object_count = 0;
  if (!made->has_new_objects || count == 0 || made->objects.count == 0) return GRAZE_OK;
  slab_object *sorted = memory_allocate(heap, made->objects.count, sizeof *sorted);
  if (sorted == NULL) return rank_failure_say_memory(failure);
  for (size_t i = 0; i < made->objects.count; i++)
    if (objects[i].object.generation != 0) sorted[object_count++] = objects[i];
  qsort(sorted, object_count, sizeof *sorted, compare_numbers);
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < count && result == GRAZE_OK; i++)
    result = rank_failure_note(failure, exclude_pair(made, sorted, object_count, exclusions[i]));
  memory_release(heap, sorted, made->objects.count, sizeof *sorted);
  made->has_new_objects = result != GRAZE_OK;
  return result;
}

/* ---------------------------------------------------------------------------------------------- pairs */

/* The cell of the lower corner of the primitive's widened box. Few primitives are in pairs, so keys are not kept. */
static graze_result key_of(const slab *made, const division *parts, double margin, uint32_t object, uint32_t primitive,
                           uint64_t *key_out, rank_failure *failure) {
  graze_object found;
  uint32_t own;
  double box[6];
  graze_result result = graze_scene_find_primitive(made->scene, object, primitive, &found, &own);
  if (result == GRAZE_OK) result = graze_object_get_boxes(made->scene, found, own, 1, box);
  if (result != GRAZE_OK) return rank_failure_note(failure, result);
  widen_box(box, margin);
  *key_out = division_key(parts, box);
  return GRAZE_OK;
}

/* Keeps the pairs whose cell belongs to the part. The list is memory of the library, and has no other readers. */
static graze_result keep_own(const slab *made, const division *parts, double margin, graze_pairs *pairs,
                             rank_failure *failure) {
  graze_pair *kept = (graze_pair *)(uintptr_t)pairs->pairs;
  size_t kept_count = 0;
  graze_pair before = {0};
  uint64_t key_a = 0, key_b = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const graze_pair pair = pairs->pairs[i];
    graze_result result = GRAZE_OK;
    if (i == 0 || before.object_a != pair.object_a || before.primitive_a != pair.primitive_a)
      result = key_of(made, parts, margin, pair.object_a, pair.primitive_a, &key_a, failure);
    if (result == GRAZE_OK) result = key_of(made, parts, margin, pair.object_b, pair.primitive_b, &key_b, failure);
    if (result != GRAZE_OK) return result;
    if (division_owner(parts, division_greatest(key_a, key_b)) == made->part) kept[kept_count++] = pair;
    before = pair;
  }
  pairs->count = kept_count;
  pairs->hash = graze_pairs_hash(kept, kept_count);
  return GRAZE_OK;
}

graze_result slab_find(slab *made, const division *parts, double clearance, const graze_query *query,
                       graze_pairs *pairs, rank_failure *failure) {
  const graze_result result = graze_scene_find_pairs(made->scene, query, pairs);
  if (result != GRAZE_OK) return rank_failure_note(failure, result);
  return parts->part_count > 1 ? keep_own(made, parts, box_margin(clearance), pairs, failure) : GRAZE_OK;
}
