/* Selection by objects; see primitive_selection.h.
 *
 * Intersections of pairs of boxes are sufficient: three boxes of which any two meet have a common point, so that a
 * primitive in a pair of two objects, with both primitives meeting the query's box, meets the intersection of the
 * three.
 *
 * Workload: some objects, or 10^5 of them; once per query. */
#include "broad/primitive_selection.h"

#include "broad/focus_box.h"
#include "broad/shared_space.h"

#include <string.h>

/* With more objects the quadratic search for intersections would cost more than it saves. */
enum { REGION_OBJECTS = 1024 };

/* Bytes of `searched` that are set in about ten microseconds. */
enum { SELECT_GRAIN = 1 << 20 };

/* ---------------------------------------------------------------------------------------------- regions */

static const primitive_box no_box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static bool box_is_empty(const primitive_box *box) {
  return !(box->min[0] <= box->max[0] && box->min[1] <= box->max[1] && box->min[2] <= box->max[2]);
}

static void include_box(primitive_box *box, const primitive_box *more) {
  for (int axis = 0; axis < 3; axis++) {
    box->min[axis] = fminf(box->min[axis], more->min[axis]);
    box->max[axis] = fmaxf(box->max[axis], more->max[axis]);
  }
}

static primitive_box common_box(const primitive_box *a, const primitive_box *b) {
  primitive_box common;
  for (int axis = 0; axis < 3; axis++) {
    common.min[axis] = fmaxf(a->min[axis], b->min[axis]);
    common.max[axis] = fminf(a->max[axis], b->max[axis]);
  }
  return common;
}

/* Adds the intersection of two objects' boxes, if the query requests pairs of them. */
static void include_common(const primitive_view *view, uint32_t index, uint32_t other, primitive_box *region) {
  const primitive_box *boxes = view->object_boxes;
  if (other == index || view->sources[other].primitive_count == 0 || !boxes_meet(&boxes[index], &boxes[other]) ||
      !objects_meet(view, index, other))
    return;
  const primitive_box common = common_box(&boxes[index], &boxes[other]);
  include_box(region, &common);
}

/* The box around the intersections of the object's box with those of all possible partners; empty if there are none.
 * If the query names objects, the partners of all others are among those. */
static primitive_box common_region(const primitive_view *view, uint32_t index) {
  const query_focus *focus = &view->focus;
  primitive_box region = no_box;
  if (focus->object_count == 2 || (focus->object_count == 1 && index != focus->objects[0])) {
    for (uint32_t i = 0; i < focus->object_count; i++) include_common(view, index, focus->objects[i], &region);
  } else {
    for (uint32_t other = 0; other < view->object_count; other++) include_common(view, index, other, &region);
  }
  return region;
}

/* ---------------------------------------------------------------------------------------------- selection */

typedef struct selection {
  const object_source *source;
  bool takes_part;
  uint8_t *searched; /* of the object */
} selection;

static void select_range(void *context, size_t first, size_t end, uint32_t worker) {
  const selection *chosen = context;
  const uint8_t *erased = chosen->source->erased;
  (void)worker;
  memset(chosen->searched + first, chosen->takes_part ? 1 : 0, end - first);
  if (!chosen->takes_part || erased == NULL) return;
  for (size_t i = first; i < end; i++)
    if (erased[i] != 0) chosen->searched[i] = 0;
}

static void select_object(const object_source *source, bool takes_part, workers *team, uint8_t *searched) {
  selection chosen = {source, takes_part, searched + source->first_primitive};
  const size_t count = source->primitive_count;
  if (count <= workers_grain(count, SELECT_GRAIN))
    select_range(&chosen, 0, count, 0);
  else
    workers_for(team, count, SELECT_GRAIN, select_range, &chosen);
}

void select_primitives(const primitive_view *view, const search *s, uint8_t *searched, primitive_box *reaches_or_null) {
  const bool too_many = view->object_count > REGION_OBJECTS && view->focus.object_count == 0;
  const focus_box limits =
      view->focus.in_box ? focus_box_of(&view->focus.box, view->normalization, view->slots) : (focus_box){0};
  primitive_box all = no_box;
  bool only_between = !too_many;
  for (uint32_t i = 0; i < view->object_count; i++) {
    if (view->sources[i].primitive_count == 0) continue;
    const bool within = too_many || objects_meet(view, i, i);
    primitive_box reach = within ? view->object_boxes[i] : common_region(view, i);
    if (view->focus.in_box) reach = common_box(&reach, &limits.outer);
    const bool takes_part = !box_is_empty(&reach);
    select_object(&view->sources[i], takes_part, s->workers, searched);
    if (!takes_part) continue;
    if (reaches_or_null != NULL) reaches_or_null[i] = reach;
    include_box(&all, &reach);
    only_between = only_between && !within;
  }
  const bool is_bent_and_grown =
      view->clearance > 0.0 && view->slots != 0.0f; /* the cells do not account for this reach */
  if (only_between && !box_is_empty(&all) && !is_bent_and_grown) shared_space_thin_out(view, s, &all, searched);
}
