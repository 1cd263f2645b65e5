/* Lists clusters; see clusters_listing.h. */
#include "broad/clusters_listing.h"

#include "broad/structure_box.h"

static void include_box(const primitive_box *box, double min[3], double max[3]) {
  for (int axis = 0; axis < 3; axis++) {
    min[axis] = fmin(min[axis], box->min[axis]);
    max[axis] = fmax(max[axis], box->max[axis]);
  }
}

static void add_group(const primitive_view *view, uint32_t level, const uint32_t *members, size_t count,
                      structure_list *list) {
  if (count == 0 || !structure_list_has_level(list, level)) return;
  double min[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, max[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  for (size_t i = 0; i < count; i++) include_box(&view->boxes[members[i]], min, max);
  const exact_box box = box_in_scene(view, min, max);
  structure_list_add(list, level, &box);
  structure_list_add_members(list, members, count);
}

bool clusters_list(const cluster_cover *cover, const search *s, structure_list *list) {
  const uint32_t *first = cover->member_first;
  size_t clusters = 0;
  for (uint32_t i = 0; i < cover->centers.count; i++) clusters += first[i + 1] > first[i];
  structure_list_count(list, 0, clusters);
  structure_list_count(list, 1, cover->huge_count > 0);
  if (!structure_list_reserve(list, clusters + 1, (size_t)cover->member_count + cover->huge_count)) return false;
  add_group(s->view, 1, cover->huge, cover->huge_count, list);
  for (uint32_t i = 0; i < cover->centers.count && !stop_is_requested(s->stop); i++)
    add_group(s->view, 0, cover->members + first[i], first[i + 1] - first[i], list);
  return !stop_was_requested(s->stop);
}
