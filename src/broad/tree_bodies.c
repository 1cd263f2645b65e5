/* Pairs of bodies: a few are compared one by one; tree_rank_pairs.c compares many. See tree_bodies.h.
 *
 * Workload: 2 bodies millions of times per second, or some dozens. */
#include "broad/tree_bodies.h"

#include "broad/tree_rank_pairs.h"

#include <string.h>

enum { FEW_BODIES = 32 };

static bool add_selves(const tree_forest *forest, const search *s, body_pair_list *list) {
  for (uint32_t i = 0; i < forest->body_count && s->view->within; i++)
    if (tree_bodies_are_requested(forest, s->view, i, i) && !body_pair_list_append(list, s->memory, i, i)) return false;
  return true;
}

/* ---------------------------------------------------------------------------------------------- clearance */

bool tree_bodies_grow(const tree_forest *forest, double clearance, memory *heap, tree_forest *grown_out) {
  *grown_out = *forest;
  grown_out->posed = memory_allocate(heap, forest->body_count, sizeof *grown_out->posed);
  grown_out->boxes = memory_allocate(heap, forest->body_count, sizeof *grown_out->boxes);
  if (grown_out->posed == NULL || grown_out->boxes == NULL) return false;
  for (size_t i = 0; i < forest->body_count; i++) {
    grown_out->posed[i] = posed_space_grown(&forest->posed[i], clearance);
    grown_out->boxes[i] = box_of_posed(&grown_out->posed[i]);
  }
  return true;
}

void tree_bodies_release(tree_forest *grown, memory *heap) {
  memory_release(heap, grown->posed, grown->body_count, sizeof *grown->posed);
  memory_release(heap, grown->boxes, grown->body_count, sizeof *grown->boxes);
}

/* ---------------------------------------------------------------------------------------------- few bodies */

/* Compares one body with those of [first, end) except itself. */
static bool compare_one(const tree_forest *forest, const search *s, uint32_t one, uint32_t first, uint32_t end,
                        body_pair_list *list) {
  for (uint32_t other = first; other < end; other++) {
    if (other == one || !tree_bodies_are_requested(forest, s->view, one, other) ||
        !exact_boxes_meet(&forest->boxes[one], &forest->boxes[other]))
      continue;
    if (!body_pair_list_append(list, s->memory, one < other ? one : other, one < other ? other : one)) return false;
  }
  return true;
}

static bool compare_all(const tree_forest *forest, const search *s, body_pair_list *list) {
  const uint32_t count = (uint32_t)forest->body_count;
  for (uint32_t i = 0; i < count; i++)
    if (!compare_one(forest, s, i, i + 1, count, list)) return false;
  return true;
}

/* Compares a named object with all others, or with the other named one. */
static bool compare_named(const tree_forest *forest, const search *s, body_pair_list *list) {
  const query_focus *focus = &s->view->focus;
  const uint32_t one = forest->body_of[focus->objects[0]];
  const uint32_t other = focus->object_count == 2 ? forest->body_of[focus->objects[1]] : 0;
  if (one == NO_BODY || other == NO_BODY) return true;
  const uint32_t end = focus->object_count == 2 ? other + 1 : (uint32_t)forest->body_count;
  return compare_one(forest, s, one, other, end, list);
}

graze_result tree_find_body_pairs(const tree_forest *forest, const search *s, body_pair_list *list) {
  list->count = 0;
  bool done = add_selves(forest, s, list);
  if (done && view_crosses_objects(s->view) && forest->body_count > 1) {
    if (s->view->focus.object_count > 0)
      done = compare_named(forest, s, list);
    else
      done = forest->body_count <= FEW_BODIES ? compare_all(forest, s, list) : tree_compare_by_ranks(forest, s, list);
  }
  return done ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

bool tree_count_searched(const tree_forest *forest, const body_pair_list *list, memory *heap, uint64_t *count_out) {
  uint64_t count = 0;
  *count_out = 0;
  if (list->count == 0) return true;
  uint8_t *seen = memory_allocate(heap, forest->body_count, sizeof *seen);
  if (seen == NULL) return false;
  memset(seen, 0, forest->body_count);
  for (size_t i = 0; i < list->count; i++) seen[list->pairs[i].s] = seen[list->pairs[i].t] = 1;
  for (size_t i = 0; i < forest->body_count; i++) count += seen[i] != 0 ? forest->bodies[i].leaf_count : 0;
  memory_release(heap, seen, forest->body_count, sizeof *seen);
  *count_out = count;
  return true;
}
