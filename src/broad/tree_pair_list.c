/* Pairs of bodies, and which of them a query requests. */
#include "broad/tree_pair_list.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

bool body_pair_list_reserve(body_pair_list *list, memory *heap, size_t capacity) {
  if (capacity <= list->capacity) return true;
  body_pair *pairs = memory_allocate(heap, capacity, sizeof *pairs);
  if (pairs == NULL) return false;
  if (list->count > 0) memcpy(pairs, list->pairs, list->count * sizeof *pairs);
  memory_release(heap, list->pairs, list->capacity, sizeof *pairs);
  list->pairs = pairs;
  list->capacity = capacity;
  return true;
}

bool body_pair_list_append(body_pair_list *list, memory *heap, uint32_t s, uint32_t t) {
  if (list->count == list->capacity &&
      !body_pair_list_reserve(list, heap, list->capacity > 0 ? 2 * list->capacity : FIRST_CAPACITY))
    return false;
  list->pairs[list->count++] = (body_pair){s, t};
  return true;
}

void body_pair_list_release(body_pair_list *list, memory *heap) {
  memory_release(heap, list->pairs, list->capacity, sizeof *list->pairs);
  *list = (body_pair_list){0};
}

bool tree_bodies_are_requested(const tree_forest *forest, const primitive_view *view, uint32_t s, uint32_t t) {
  if (!objects_meet(view, forest->bodies[s].object, forest->bodies[t].object)) return false;
  const query_focus *focus = &view->focus;
  return !focus->in_box ||
         (exact_boxes_meet(&forest->boxes[s], &focus->box) && exact_boxes_meet(&forest->boxes[t], &focus->box));
}
