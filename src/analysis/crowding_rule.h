/* The parts of the k-free measure that concern one primitive or one pair, for the processor and for GPUs: the ball and
 * the grown box of a primitive, and the rule that decides which of two primitives counts the other.
 *
 * A near pair is at most min(d_i, d_j) / 4 apart, which is at most d_i / 8 + d_j / 8. So boxes grown by an eighth on
 * each side suffice, and pass half as many pairs as a quarter would. The boxes are half as large as in the frame, so
 * that they stay inside it when grown. In a bent frame (axis_map.h) boxes are grown first and then bent. Levels refer
 * to the normalized cube, even if the vertices were rounded into another frame.
 *
 * Workload: every primitive once, every candidate once: about twenty a primitive on a mesh. */
#ifndef GRAZE_ANALYSIS_CROWDING_RULE_H
#define GRAZE_ANALYSIS_CROWDING_RULE_H

#include "broad/axis_map.h"
#include "broad/vertex_normalization.h"
#include "geometry/float_rounding.h"
#include "geometry/smallest_ball.h"

#include <math.h>

/* For rounded sizes and distances: see crowding.h. */
#define NOT_SMALLER (1.0 - 1e-12)
#define NEAR_ENOUGH (1.0 + 1e-12)

/* ---------------------------------------------------------------------------------------------- a primitive */

/* The diameter of the smallest ball around the primitive; `scratch` has three doubles for each corner. */
GEOMETRY_FUNCTION double ball_diameter(const object_source *source, corner_list corners, double *scratch) {
  switch (kind_form_of(source->kind)) {
  case FORM_BALL:
    return 2.0 * radius_at(source, corners.vertices[0]);
  case FORM_HULL:
  case FORM_TRIANGLES:
    break;
  }
  for (uint32_t i = 0; i < corners.count; i++) fetch_vertex(source, corners.vertices[i], scratch + 3 * (size_t)i);
  double center[3];
  return smallest_ball(scratch, corners.count, center);
}

/* A primitive's box in normalized coordinates, in double: rounded once, after growing. */
typedef struct normalized_bounds {
  double min[3], max[3];
} normalized_bounds;

GEOMETRY_FUNCTION normalized_bounds normalized_bounds_of(const object_source *source, corner_list corners,
                                                         const rounded_vertex *rounded_vertices) {
  normalized_bounds bounds = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (uint32_t i = 0; i < corners.count; i++) {
    const rounded_vertex v = rounded_vertices[source->first_vertex + corners.vertices[i]];
    const double at[3] = {v.x, v.y, v.z}, error = v.error;
    for (int axis = 0; axis < 3; axis++) {
      bounds.min[axis] = fmin(bounds.min[axis], at[axis] - error);
      bounds.max[axis] = fmax(bounds.max[axis], at[axis] + error);
    }
  }
  return bounds;
}

/* The same for scenes whose vertices were not rounded into normalized coordinates: computed here. */
GEOMETRY_FUNCTION normalized_bounds normalized_bounds_from(const object_source *source, corner_list corners,
                                                           const normalizing_transform *normalization) {
  normalized_bounds bounds = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (uint32_t i = 0; i < corners.count; i++) {
    double position[3];
    fetch_vertex(source, corners.vertices[i], position);
    const bool moves = normalization_moves(normalization);
    const rounded_vertex v = source->radii == NULL
                                 ? round_vertex(position, normalization, moves)
                                 : round_ball(position, radius_at(source, corners.vertices[i]), normalization, moves);
    const double at[3] = {v.x, v.y, v.z}, error = v.error;
    for (int axis = 0; axis < 3; axis++) {
      bounds.min[axis] = fmin(bounds.min[axis], at[axis] - error);
      bounds.max[axis] = fmax(bounds.max[axis], at[axis] + error);
    }
  }
  return bounds;
}

/* Determines the level of a primitive. */
GEOMETRY_FUNCTION float longest_bound(const normalized_bounds *bounds) {
  double longest = 0.0;
  for (int axis = 0; axis < 3; axis++) longest = fmax(longest, bounds->max[axis] - bounds->min[axis]);
  return float_round_up(longest);
}

/* `scale` is that of the normalized cube. No ball in the cube is larger than 1, except diameters beyond the largest
 * double. */
GEOMETRY_FUNCTION primitive_box grown_box(const normalized_bounds *bounds, double diameter, double scale) {
  const double growth = fmin(diameter * scale, 1.0) * 0.125 * (1.0 + 1e-6);
  primitive_box grown;
  for (int axis = 0; axis < 3; axis++) {
    grown.min[axis] = float_round_down(0.5 * (bounds->min[axis] - growth));
    grown.max[axis] = float_round_up(0.5 * (bounds->max[axis] + growth));
  }
  return grown;
}

GEOMETRY_FUNCTION primitive_box grown_mapped_box(const object_source *source, corner_list corners, double diameter,
                                                 const axis_map *map) {
  const double growth = diameter * 0.125 * (1.0 + 1e-6);
  primitive_box grown;
  for (int axis = 0; axis < 3; axis++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = 0; i < corners.count; i++) {
      double position[3];
      fetch_vertex(source, corners.vertices[i], position);
      const double radius = radius_at(source, corners.vertices[i]);
      low = fmin(low, position[axis] - radius);
      high = fmax(high, position[axis] + radius);
    }
    grown.min[axis] = float_round_down(0.5 * image_beyond(map, axis, low - growth, -1.0));
    grown.max[axis] = float_round_up(0.5 * image_beyond(map, axis, high + growth, 1.0));
  }
  return grown;
}

/* ---------------------------------------------------------------------------------------------- a pair */

/* Which of two primitives counts the other if it is within the radius. */
typedef struct near_query {
  bool counts_for_a, counts_for_b;
  double radius;
} near_query;

GEOMETRY_FUNCTION near_query near_query_of(double a_size, double b_size) {
  near_query query;
  query.counts_for_a = b_size >= a_size * NOT_SMALLER;
  query.counts_for_b = a_size >= b_size * NOT_SMALLER;
  const double size = query.counts_for_a && query.counts_for_b ? fmax(a_size, b_size) : fmin(a_size, b_size);
  query.radius = size * 0.25 * NEAR_ENOUGH;
  return query;
}

/* Whether two primitives of the object share a vertex; uses the headers if they contain all corners. */
GEOMETRY_FUNCTION bool have_common_corner(const object_source *source, const primitive_header *a_header,
                                          const primitive_header *b_header, uint32_t a, uint32_t b) {
  return headers_share_corner(a_header, b_header) || (!headers_have_all_corners(source) && share_corner(source, a, b));
}

#endif
