/* One part of a divided scene; see slab.h.
 *
 * Workload: filled and asked once a frame. Pairs come sorted, so that the first primitive of a pair is mostly that of
 * the pair before. */
#include "distributed/slab.h"

#include "graze/parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct slab_object {
  graze_object object;
  uint32_t number; /* the global one */
  size_t first_key;
} slab_object;

graze_result slab_create(slab *made, const graze_scene_def *def, const graze_method_def *method,
                         rank_failure *failure) {
  *made = (slab){0};
  array_init(&made->objects, sizeof(slab_object));
  array_init(&made->keys, sizeof(uint64_t));
  graze_result result = graze_scene_create(def, &made->scene);
  if (result == GRAZE_OK && method != NULL) result = graze_scene_set_method(made->scene, method);
  return rank_failure_note(failure, result);
}

void slab_destroy(slab *made, memory *heap) {
  graze_scene_destroy(made->scene);
  if (made->objects.element_bytes == 0) return; /* never made */
  array_release(&made->objects, heap);
  array_release(&made->keys, heap);
  *made = (slab){0};
}

graze_result slab_clear(slab *made, rank_failure *failure) {
  graze_result result = GRAZE_OK;
  made->objects.count = made->keys.count = 0;
  for (graze_object o = {0}; result == GRAZE_OK && (o = graze_scene_next_object(made->scene, o)).generation != 0;)
    result = graze_scene_remove_object(made->scene, o);
  return rank_failure_note(failure, result);
}

/* Numbers of objects are given out lowest first, so that they are those of the list. */
static graze_result take_parcel(slab *made, memory *heap, const unsigned char *from, const uint64_t sizes[2],
                                rank_failure *failure) {
  slab_object taken = {.first_key = made->keys.count};
  if (!array_resize(&made->keys, heap, made->keys.count + sizes[1])) return rank_failure_say_memory(failure);
  memcpy(ARRAY_AS(uint64_t, &made->keys) + taken.first_key, from, 8 * sizes[1]);
  graze_result result = graze_scene_add_part(made->scene, from + 8 * sizes[1], sizes[0], &taken.object);
  graze_object_info info = {0};
  if (result == GRAZE_OK) result = graze_object_get_info(made->scene, taken.object, &info);
  if (result != GRAZE_OK) return rank_failure_note(failure, result);
  taken.number = info.global_object;
  if (taken.object.index != made->objects.count)
    return rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "object %u of a slab has number %u",
                            (unsigned)made->objects.count, taken.object.index);
  return array_push(&made->objects, heap, &taken) ? GRAZE_OK : rank_failure_say_memory(failure);
}

graze_result slab_take(slab *made, memory *heap, const void *bytes, uint64_t size, rank_failure *failure) {
  const unsigned char *from = bytes, *end = from + size;
  while (from < end) {
    uint64_t sizes[2];
    memcpy(sizes, from, sizeof sizes);
    const graze_result result = take_parcel(made, heap, from + sizeof sizes, sizes, failure);
    if (result != GRAZE_OK) return result;
    from += sizeof sizes + 8 * sizes[1] + sizes[0];
  }
  return GRAZE_OK;
}

static int compare_numbers(const void *a, const void *b) {
  const slab_object *x = a, *y = b;
  if (x->number != y->number) return x->number < y->number ? -1 : 1;
  return (x->first_key > y->first_key) - (x->first_key < y->first_key);
}

/* The objects of a number, which follow each other in a sorted list. */
static size_t objects_with(const slab_object *sorted, size_t count, uint32_t number, size_t *first_out) {
  size_t first = 0, end = count;
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (sorted[middle].number < number)
      first = middle + 1;
    else
      end = middle;
  }
  for (end = first; end < count && sorted[end].number == number;) end++;
  *first_out = first;
  return end - first;
}

static graze_result exclude_pair(slab *made, const slab_object *sorted, graze_object_pair pair) {
  size_t first_a, first_b;
  const size_t count_a = objects_with(sorted, made->objects.count, pair.object_a, &first_a);
  const size_t count_b = objects_with(sorted, made->objects.count, pair.object_b, &first_b);
  for (size_t i = first_a; i < first_a + count_a; i++)
    for (size_t k = first_b; k < first_b + count_b; k++) {
      const graze_result result = graze_scene_exclude(made->scene, sorted[i].object, sorted[k].object, true);
      if (result != GRAZE_OK) return result;
    }
  return GRAZE_OK;
}

graze_result slab_exclude(slab *made, memory *heap, const graze_object_pair *exclusions, size_t count,
                          rank_failure *failure) {
  const size_t object_count = made->objects.count;
  if (count == 0 || object_count == 0) return GRAZE_OK;
  slab_object *sorted = memory_allocate(heap, object_count, sizeof *sorted);
  if (sorted == NULL) return rank_failure_say_memory(failure);
  memcpy(sorted, made->objects.data, object_count * sizeof *sorted);
  qsort(sorted, object_count, sizeof *sorted, compare_numbers);
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < count && result == GRAZE_OK; i++)
    result = rank_failure_note(failure, exclude_pair(made, sorted, exclusions[i]));
  memory_release(heap, sorted, object_count, sizeof *sorted);
  return result;
}

static graze_result key_of(const slab *made, uint32_t object, uint32_t primitive, uint64_t *key_out,
                           rank_failure *failure) {
  graze_object found;
  uint32_t own;
  const graze_result result = graze_scene_find_primitive(made->scene, object, primitive, &found, &own);
  if (result != GRAZE_OK) return rank_failure_note(failure, result);
  const slab_object *taken = &ARRAY_AS(slab_object, &made->objects)[found.index];
  *key_out = ARRAY_AS(uint64_t, &made->keys)[taken->first_key + own];
  return GRAZE_OK;
}

/* Keeps the pairs whose cell is the part's. The list is the library's memory, which nobody else reads. */
static graze_result keep_own(const slab *made, const division *parts, graze_pairs *pairs, rank_failure *failure) {
  graze_pair *kept = (graze_pair *)(uintptr_t)pairs->pairs;
  size_t kept_count = 0;
  graze_pair before = {0};
  uint64_t key_a = 0, key_b = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const graze_pair pair = pairs->pairs[i];
    graze_result result = GRAZE_OK;
    if (i == 0 || before.object_a != pair.object_a || before.primitive_a != pair.primitive_a)
      result = key_of(made, pair.object_a, pair.primitive_a, &key_a, failure);
    if (result == GRAZE_OK) result = key_of(made, pair.object_b, pair.primitive_b, &key_b, failure);
    if (result != GRAZE_OK) return result;
    if (division_owner(parts, division_greatest(key_a, key_b)) == made->part) kept[kept_count++] = pair;
    before = pair;
  }
  pairs->count = kept_count;
  pairs->hash = graze_pairs_hash(kept, kept_count);
  return GRAZE_OK;
}

graze_result slab_find(slab *made, const division *parts, const graze_query *query, graze_pairs *pairs,
                       rank_failure *failure) {
  graze_result result = graze_scene_update(made->scene);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(made->scene, query, pairs);
  if (result != GRAZE_OK) return rank_failure_note(failure, result);
  return parts->part_count > 1 ? keep_own(made, parts, pairs, failure) : GRAZE_OK;
}
