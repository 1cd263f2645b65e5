/* The parts of the k-free measure that concern one primitive or one pair, for the processor and for GPUs: the ball and
 * the grown box of a primitive, and which of two primitives counts the other.
 *
 * A near pair is at most min(d_i, d_j) / 4 apart, which is at most d_i / 8 + d_j / 8: boxes grown by an eighth on each
 * side are enough, and let half of that through which a quarter would. The boxes are half as large as the frame has
 * them, so that the growth does not carry them out of it. In a bent frame (axis_map.h) boxes grow first and are bent
 * then; levels are told in the normalized cube, whatever vertices were rounded into.
 *
 * Workload: every primitive once, every candidate once: some twenty a primitive on a mesh. */
#ifndef GRAZE_ANALYSIS_CROWDING_RULE_H
#define GRAZE_ANALYSIS_CROWDING_RULE_H

#include "broad/axis_map.h"
#include "broad/vertex_normalization.h"
#include "geometry/float_rounding.h"
#include "geometry/smallest_ball.h"

#include <math.h>

/* Of what is rounded: see crowding.h. */
#define NOT_SMALLER (1.0 - 1e-12)
#define NEAR_ENOUGH (1.0 + 1e-12)

/* ---------------------------------------------------------------------------------------------- a primitive */

/* The diameter of the smallest ball around the primitive; `scratch` has three doubles for each corner. */
GEOMETRY_FUNCTION double ball_diameter(const object_source *source, corner_list corners, double *scratch) {
  if (source->radii != NULL) return 2.0 * radius_at(source, corners.vertices[0]);
  for (uint32_t i = 0; i < corners.count; i++) fetch_vertex(source, corners.vertices[i], scratch + 3 * (size_t)i);
  double center[3];
  return smallest_ball(scratch, corners.count, center);
}

/* A primitive's box in normalized coordinates, in double: it is rounded once, when it has grown. */
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

/* The same for scenes whose vertices were not rounded into normalized coordinates: they are now. */
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

/* By which the level of a primitive is told. */
GEOMETRY_FUNCTION float longest_bound(const normalized_bounds *bounds) {
  double longest = 0.0;
  for (int axis = 0; axis < 3; axis++) longest = fmax(longest, bounds->max[axis] - bounds->min[axis]);
  return float_round_up(longest);
}

/* `scale` is that of the normalized cube. No ball in it is larger than 1; a diameter beyond the largest double is. */
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

/* Which of two primitives counts the other when it is near, and how near that is. */
typedef struct near_question {
  bool a_asks, b_asks;
  double radius;
} near_question;

GEOMETRY_FUNCTION near_question near_question_of(double a_size, double b_size) {
  near_question question;
  question.a_asks = b_size >= a_size * NOT_SMALLER;
  question.b_asks = a_size >= b_size * NOT_SMALLER;
  const double asked = question.a_asks && question.b_asks ? fmax(a_size, b_size) : fmin(a_size, b_size);
  question.radius = asked * 0.25 * NEAR_ENOUGH;
  return question;
}

/* Whether two primitives of the object share a vertex; the headers tell it where they hold all corners. */
GEOMETRY_FUNCTION bool have_common_corner(const object_source *source, const primitive_header *a_header,
                                          const primitive_header *b_header, uint32_t a, uint32_t b) {
  return headers_share_corner(a_header, b_header) || (!headers_have_all_corners(source) && share_corner(source, a, b));
}

#endif
