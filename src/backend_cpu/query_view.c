/* Views of queries; see query_view.h.
 *
 * Workload: once per query, linear in the objects. */
#include "backend_cpu/query_view.h"

#include "backend/query_focus.h"
#include "broad/clearance_growth.h"
#include "scene/scene_vertices.h"

static primitive_view view_of(const graze_scene *scene, const graze_query *query) {
  primitive_view view = scene_view(scene);
  view.between = (query->scope & GRAZE_SCOPE_BETWEEN) != 0;
  view.within = (query->scope & GRAZE_SCOPE_WITHIN) != 0;
  view.skip_neighbors = query->neighbors == GRAZE_NEIGHBORS_SKIP;
  view.focus = query_focus_of(query);
  view.rules_differ = view.rules_differ || view.focus.object_count > 0;
  view.clearance = query->clearance;
  if (query->clearance > 0.0) view.growth = clearance_growth(query->clearance, view.normalization->scale);
  return view;
}

/* The box of an object for a query with a clearance; in piecewise-mapped coordinates it covers the whole space. */
static primitive_box object_box_grown(const primitive_view *view, size_t object) {
  const primitive_box box = view->object_boxes[object];
  if (box.min[0] > box.max[0]) return box;
  return box_grown(&box, view->slots != 0.0f ? 4.0f : view->growth);
}

bool query_view_make(const graze_scene *scene, const graze_query *query, memory *heap, primitive_view *view_out,
                     primitive_box **grown_out) {
  *view_out = view_of(scene, query);
  *grown_out = NULL;
  if (!(view_out->clearance > 0.0) || view_out->object_boxes == NULL) return true;
  primitive_box *boxes = memory_allocate(heap, view_out->object_count, sizeof *boxes);
  if (boxes == NULL) return false;
  for (size_t i = 0; i < view_out->object_count; i++) boxes[i] = object_box_grown(view_out, i);
  view_out->object_boxes = *grown_out = boxes;
  return true;
}

void query_view_release(const primitive_view *view, memory *heap, primitive_box *grown) {
  memory_release(heap, grown, view->object_count, sizeof *grown);
}
