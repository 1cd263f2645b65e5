/* What a query is about; see query_focus.h. */
#include "scene/query_focus.h"

#include <string.h>

static graze_result check_box(const graze_scene *scene, const graze_query *query) {
  for (int axis = 0; axis < 3; axis++)
    if (!(query->box_min[axis] <= query->box_max[axis]))
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the box of the query ends before it begins: %c from %g to %g",
                        "xyz"[axis], query -> box_min[axis], query -> box_max[axis]);
  return GRAZE_OK;
}

graze_result query_focus_check(const graze_scene *scene, const graze_query *query) {
  if (query->stop_after != 0 && query->pair_limit != 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                      "a query has a pair_limit, for the first pairs, or a stop_after, for any pairs, not both");
  if (query->about_count > 2)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "a query is about 0, 1 or 2 objects, not %u", query->about_count);
  if (query->about_count > 0 && scene_find_object(scene, query->about_a) == NULL) return GRAZE_NO_SUCH_OBJECT;
  if (query->about_count > 1 && scene_find_object(scene, query->about_b) == NULL) return GRAZE_NO_SUCH_OBJECT;
  return query->in_box ? check_box(scene, query) : GRAZE_OK;
}

query_focus query_focus_of(const graze_query *query) {
  query_focus focus = {.object_count = query->about_count,
                       .objects = {query->about_a.index, query->about_b.index},
                       .in_box = query->in_box};
  memcpy(focus.box.min, query->box_min, sizeof focus.box.min);
  memcpy(focus.box.max, query->box_max, sizeof focus.box.max);
  return focus;
}
