/* Pairs of bodies, and which of them are asked for. */
#include "broad/tree_pair_list.h"

#include <string.h>

enum { FIRST_ROOM = 64 };

bool body_pair_list_reserve(body_pair_list *list, memory *heap, size_t room) {
  if (room <= list->room) return true;
  body_pair *pairs = memory_allocate(heap, room, sizeof *pairs);
  if (pairs == NULL) return false;
  if (list->count > 0) memcpy(pairs, list->pairs, list->count * sizeof *pairs);
  memory_release(heap, list->pairs, list->room, sizeof *pairs);
  list->pairs = pairs;
  list->room = room;
  return true;
}

bool body_pair_list_append(body_pair_list *list, memory *heap, uint32_t s, uint32_t t) {
  if (list->count == list->room && !body_pair_list_reserve(list, heap, list->room > 0 ? 2 * list->room : FIRST_ROOM))
    return false;
  list->pairs[list->count++] = (body_pair){s, t};
  return true;
}

void body_pair_list_release(body_pair_list *list, memory *heap) {
  memory_release(heap, list->pairs, list->room, sizeof *list->pairs);
  *list = (body_pair_list){0};
}

bool tree_bodies_are_asked_for(const tree_forest *forest, const primitive_view *view, uint32_t s, uint32_t t) {
  if (!objects_meet(view, forest->bodies[s].object, forest->bodies[t].object)) return false;
  const query_focus *focus = &view->focus;
  return !focus->in_box ||
         (exact_boxes_meet(&forest->boxes[s], &focus->box) && exact_boxes_meet(&forest->boxes[t], &focus->box));
}
