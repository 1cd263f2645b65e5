/* The stages of a query about objects or in a box: boxes around the named objects, and the selection of primitives for
 * the grid. Primitives that cannot be in a requested pair are omitted before anything is built, so that the cost of
 * search and tests depends on the selected ones.
 *
 * The focus is read from memory and is not part of the view: queries of other objects and other boxes use the same
 * sequence of operations.
 *
 * Workload: the primitives of one or two objects for the boxes around them; then every primitive of the scene once,
 * its box, and near the border of the query's box its exact coordinates. */
#ifndef GRAZE_CUDA_STAGE_FOCUS_H
#define GRAZE_CUDA_STAGE_FOCUS_H

#include "cuda/stage_entries.h"
#include "cuda/stage_vertices.h"

/* ---------------------------------------------------------------------------------------------- around objects */

/* The box around every FOCUS_LANES-th primitive of an object from the lane's on; min is above max if there is none. */
GEOMETRY_FUNCTION primitive_box box_of_lane(const scene_arrays *v, uint32_t object, uint32_t lane) {
  const uint32_t first = v->sources[object].first_primitive, count = v->objects[object].primitive_count;
  primitive_box around = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
  for (uint64_t i = lane; i < count; i += FOCUS_LANES) {
    const uint32_t primitive = first + (uint32_t)i;
    if (is_removed(v, primitive)) continue;
    const primitive_header header = v->headers[primitive];
    const primitive_box box = device_box(v, &header, primitive);
    for (int axis = 0; axis < 3; axis++) {
      around.min[axis] = box.min[axis] < around.min[axis] ? box.min[axis] : around.min[axis];
      around.max[axis] = box.max[axis] > around.max[axis] ? box.max[axis] : around.max[axis];
    }
  }
  return around;
}

GEOMETRY_FUNCTION void stage_focus(uint32_t lane, const grid_view *v) {
  device_focus *focus = v->pairs.query.focus;
  if (lane == 0 && focus->query.in_box)
    focus->limits = focus_box_of(&focus->query.box, v->pairs.scene.normalization, v->pairs.scene.slots);
  for (uint32_t k = 0; k < focus->query.object_count; k++) {
    const primitive_box box = box_of_lane(&v->pairs.scene, focus->query.objects[k], lane);
    if (box.min[0] > box.max[0]) continue;
    for (int axis = 0; axis < 3; axis++) {
      device_raise(&focus->low[k][axis], ~ordered_bits((double)box.min[axis]));
      device_raise(&focus->high[k][axis], ordered_bits((double)box.max[axis]));
    }
  }
}

/* Whether a box meets that of the named object number k. */
GEOMETRY_FUNCTION bool reaches_named(const device_focus *focus, uint32_t k, const primitive_box *box) {
  bool meets = focus->high[k][0] != 0; /* it has primitives */
  for (int axis = 0; axis < 3 && meets; axis++)
    meets = (double)box->max[axis] >= ordered_value(~focus->low[k][axis]) &&
            (double)box->min[axis] <= ordered_value(focus->high[k][axis]);
  return meets;
}

/* ---------------------------------------------------------------------------------------------- selection */

/* Whether a primitive of the object can be in a requested pair. */
GEOMETRY_FUNCTION bool object_is_requested(const pair_view *v, uint32_t object) {
  const query_focus *query = &v->query.focus->query;
  const uint32_t p = query->objects[0], q = query->objects[1];
  if (query->object_count == 0 || (query->object_count == 1 && object == p)) return object_takes_part(v, object);
  if (query->object_count == 2 && object != p && object != q) return false;
  const uint32_t other = query->object_count == 2 && object == p ? q : p;
  return rules_meet(v->scene.rules, v->scene.excluded, object, other, v->query.between != 0, v->query.within != 0);
}

/* Whether a box of the object is near its possible partners. */
GEOMETRY_FUNCTION bool box_comes_near(const device_focus *focus, uint32_t object, const primitive_box *box) {
  const query_focus *query = &focus->query;
  const uint32_t p = query->objects[0], q = query->objects[1];
  if (query->object_count == 0 || (object == p && (query->object_count == 1 || p == q))) return true;
  return reaches_named(focus, object == p ? 1u : 0u, box);
}

/* The box of a primitive in exact coordinates. Scenes of triangles only have corners only in headers. */
GEOMETRY_FUNCTION exact_box device_corner_box(const object_source *source, const primitive_header *header,
                                              uint32_t primitive) {
  if (source->corners != NULL) return box_of_corners(source, corners_of(source, primitive));
  uint32_t own[3];
  for (int i = 0; i < 3; i++) own[i] = header->corner[i] - source->first_vertex;
  const corner_list corners = {own, 3};
  return box_of_corners(source, corners);
}

GEOMETRY_FUNCTION exact_box device_exact_box(const scene_arrays *v, const primitive_header *header,
                                             uint32_t primitive) {
  return device_corner_box(&v->sources[header->object], header, primitive);
}

GEOMETRY_FUNCTION bool meets_query_box(const pair_view *v, const primitive_header *header, uint32_t primitive,
                                       const primitive_box *box) {
  const device_focus *focus = v->query.focus;
  if (!focus->query.in_box) return true;
  if (!boxes_meet(box, &focus->limits.outer)) return false;
  if (box_lies_in(box, &focus->limits.inner)) return true;
  const exact_box exact = device_exact_box(&v->scene, header, primitive);
  return exact_boxes_meet(&exact, &focus->query.box);
}

/* Replaces the stage box. */
GEOMETRY_FUNCTION void stage_box_focused(uint32_t primitive, const grid_view *v) {
  const primitive_header header = v->pairs.scene.headers[primitive];
  uint32_t level = NO_LEVEL, bucket = (uint32_t)BUCKET_NONE;
  if (!is_removed(&v->pairs.scene, primitive) && object_is_requested(&v->pairs, header.object)) {
    const primitive_box box = device_box(&v->pairs.scene, &header, primitive);
    if (comes_near_other(&v->pairs, header.object, &box) && box_comes_near(v->pairs.query.focus, header.object, &box) &&
        meets_query_box(&v->pairs, &header, primitive, &box))
      level = place_box(v, header.object, primitive, &box, &bucket);
  }
  v->bucket_of[primitive] = bucket;
  record_level(&v->pairs, level);
}

#endif
