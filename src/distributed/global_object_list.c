/* Lists of pairs of objects; see global_object_list.h.
 *
 * Workload: the pairs of a frame, sorted by their first primitive; few belong to objects not yet listed. */
#include "distributed/global_object_list.h"

#include <stdlib.h>

static int compare_objects(const void *a, const void *b) {
  const graze_object_pair *x = a, *y = b;
  if (x->object_a != y->object_a) return x->object_a < y->object_a ? -1 : 1;
  return (x->object_b > y->object_b) - (x->object_b < y->object_b);
}

void object_list_sort(array *objects) {
  graze_object_pair *list = objects->data;
  size_t kept = 0;
  if (objects->count > 0) qsort(list, objects->count, sizeof *list, compare_objects);
  for (size_t i = 0; i < objects->count; i++)
    if (kept == 0 || compare_objects(&list[kept - 1], &list[i]) != 0) list[kept++] = list[i];
  objects->count = kept;
}

bool object_list_add(array *objects, memory *heap, uint32_t object_a, uint32_t object_b) {
  const graze_object_pair pair = {object_a, object_b};
  if (objects->count > 0 && compare_objects(&ARRAY_AS(graze_object_pair, objects)[objects->count - 1], &pair) == 0)
    return true;
  if (objects->count > 0 && objects->count == objects->capacity) object_list_sort(objects);
  return array_push(objects, heap, &pair);
}

size_t object_list_find(const array *objects, uint32_t object_a, uint32_t object_b) {
  const graze_object_pair key = {object_a, object_b};
  const graze_object_pair *found = bsearch(&key, objects->data, objects->count, sizeof key, compare_objects);
  return (size_t)(found - ARRAY_AS(graze_object_pair, objects));
}
