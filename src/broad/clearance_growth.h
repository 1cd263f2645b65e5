/* How boxes grow for a query with a clearance, on the processor and on GPUs. Trees: posed_space_grown.
 *
 * Two primitives no farther apart than a clearance d meet where each is moved by d/2 toward the other, so by at most
 * d/2 along each axis. So a search that must find all pairs of primitives that meet, each vertex being off by at most
 * d/2 more than rounding makes it, finds all pairs within d: boxes are d/2 larger on each side, and the errors of posed
 * trees are larger by as much. The exact test alone decides (narrow/primitive_clearance_inline.h).
 *
 * Workload: each primitive and object once a query with a clearance; queries without one do not come here. */
#ifndef GRAZE_BROAD_CLEARANCE_GROWTH_H
#define GRAZE_BROAD_CLEARANCE_GROWTH_H

#include "broad/axis_map.h"

/* See primitive_view.reach. All normalized coordinates lie in [-1, 1]: 4 reaches everything. What is added is more than
 * what a difference of floats in double is rounded by. */
GEOMETRY_FUNCTION float clearance_reach(double clearance, double scale) {
  const double reach = half_clearance(clearance) * scale * (1.0 + 0x1p-20) + 0x1p-50;
  return float_round_up(reach < 4.0 ? reach : 4.0);
}

/* A box, so much larger on each side. It ends where the normalized cube does: every primitive is in there, so boxes
 * that meet still meet. */
GEOMETRY_FUNCTION primitive_box box_grown(const primitive_box *box, float reach) {
  primitive_box grown;
  for (int axis = 0; axis < 3; ++axis) {
    const float low = float_round_down((double)box->min[axis] - (double)reach);
    const float high = float_round_up((double)box->max[axis] + (double)reach);
    grown.min[axis] = low > -1.0f ? low : -1.0f;
    grown.max[axis] = high < 1.0f ? high : 1.0f;
  }
  return grown;
}

/* The box of a primitive in coordinates that are bent by segments: around the balls of its corners. */
GEOMETRY_FUNCTION primitive_box bent_box_grown(const object_source *source, corner_list corners, double clearance,
                                               const axis_map *map) {
  primitive_box all = {{1.0f, 1.0f, 1.0f}, {-1.0f, -1.0f, -1.0f}};
  for (uint32_t i = 0; i < corners.count; ++i) {
    double center[3];
    fetch_vertex(source, corners.vertices[i], center);
    const double radius = sum_rounded_up(radius_at(source, corners.vertices[i]), half_clearance(clearance));
    const primitive_box ball = mapped_ball_box(center, radius, map);
    for (int axis = 0; axis < 3; ++axis) {
      all.min[axis] = ball.min[axis] < all.min[axis] ? ball.min[axis] : all.min[axis];
      all.max[axis] = ball.max[axis] > all.max[axis] ? ball.max[axis] : all.max[axis];
    }
  }
  return box_grown(&all, 0.0f);
}

#endif
