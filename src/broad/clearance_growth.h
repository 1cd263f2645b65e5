/* The growth of boxes for a query with a clearance, on the processor and on GPUs. Trees: posed_space_grown.
 *
 * Two primitives no farther apart than a clearance d meet if each is moved by d/2 toward the other, so by at most d/2
 * along each axis. So a search for intersecting primitives whose vertices have an additional error of d/2 finds all
 * pairs within d: boxes are larger by d/2 on each side, and the errors of posed trees are larger by the same amount.
 * Only the exact test decides (narrow/primitive_clearance_inline.h).
 *
 * Workload: each primitive and object once per query with a clearance; other queries do not use this file. */
#ifndef GRAZE_BROAD_CLEARANCE_GROWTH_H
#define GRAZE_BROAD_CLEARANCE_GROWTH_H

#include "broad/axis_map.h"

/* See primitive_view.growth. All normalized coordinates are in [-1, 1]: 4 covers everything. The added terms exceed
 * the rounding error of a difference of floats in double. */
GEOMETRY_FUNCTION float clearance_growth(double clearance, double scale) {
  const double growth = half_clearance(clearance) * scale * (1.0 + 0x1p-20) + 0x1p-50;
  return float_round_up(growth < 4.0 ? growth : 4.0);
}

/* A box, larger by `growth` on each side, clipped to the normalized cube. Every primitive is in the cube, so boxes
 * that meet still meet. */
GEOMETRY_FUNCTION primitive_box box_grown(const primitive_box *box, float growth) {
  primitive_box grown;
  for (int axis = 0; axis < 3; axis++) {
    const float low = float_round_down((double)box->min[axis] - (double)growth);
    const float high = float_round_up((double)box->max[axis] + (double)growth);
    grown.min[axis] = low > -1.0f ? low : -1.0f;
    grown.max[axis] = high < 1.0f ? high : 1.0f;
  }
  return grown;
}

/* The box of a primitive in piecewise-mapped coordinates: around the balls of its corners. */
GEOMETRY_FUNCTION primitive_box bent_box_grown(const object_source *source, corner_list corners, double clearance,
                                               const axis_map *map) {
  primitive_box all = {{1.0f, 1.0f, 1.0f}, {-1.0f, -1.0f, -1.0f}};
  for (uint32_t i = 0; i < corners.count; i++) {
    double center[3];
    fetch_vertex(source, corners.vertices[i], center);
    const double radius = sum_rounded_up(radius_at(source, corners.vertices[i]), half_clearance(clearance));
    const primitive_box ball = mapped_ball_box(center, radius, map);
    for (int axis = 0; axis < 3; axis++) {
      all.min[axis] = ball.min[axis] < all.min[axis] ? ball.min[axis] : all.min[axis];
      all.max[axis] = ball.max[axis] > all.max[axis] ? ball.max[axis] : all.max[axis];
    }
  }
  return box_grown(&all, 0.0f);
}

#endif
