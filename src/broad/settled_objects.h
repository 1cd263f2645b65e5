/* Which primitives a search may skip if one pair per pair of objects is enough.
 *
 * An object is settled in a box if it is known to touch every object that the query pairs it with and whose box
 * intersects that box. Its primitives in the box then have no candidate that reveals a new pair of objects.
 *
 * Workload: crowds of thousands of primitives of a few objects in one place, which have quadratically many candidates.
 * The check is linear in the objects: callers use it before they compare many more boxes. */
#ifndef GRAZE_BROAD_SETTLED_OBJECTS_H
#define GRAZE_BROAD_SETTLED_OBJECTS_H

#include "broad/method.h"

/* Whether the query requests a pair of the two objects that is not known yet. */
static inline bool objects_are_open(const primitive_view *view, const known_objects *known, uint32_t a, uint32_t b) {
  if (!objects_meet(view, a, b)) return false;
  return !pair_set_has(&known->pairs, index_pair_in_order(known_number(view, a), known_number(view, b)));
}

/* Whether the object is settled in the box. */
static inline bool object_is_settled(const primitive_view *view, const known_objects *known, uint32_t object,
                                     const primitive_box *box) {
  for (uint32_t other = 0; other < view->object_count; other++)
    if (boxes_meet(&view->object_boxes[other], box) && objects_are_open(view, known, object, other)) return false;
  return true;
}

#endif
