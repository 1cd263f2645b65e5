/* Axis-aligned bounding boxes in the given coordinates: doubles, unrounded, except that boxes of balls are rounded
 * outward. Closed: touching boxes overlap.
 *
 * Workload: before tests of the triangles of polygons, each a triangle against all of another polygon; the boxes are
 * computed on demand and not stored. */
#ifndef GRAZE_GEOMETRY_EXACT_BOX_H
#define GRAZE_GEOMETRY_EXACT_BOX_H

#include "geometry/device.h"
#include "geometry/expansion.h"
#include "geometry/float_rounding.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct exact_box {
  double min[3], max[3];
} exact_box;

/* The box of one point. */
GEOMETRY_FUNCTION exact_box exact_box_at(const double point[3]) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) box.min[axis] = box.max[axis] = point[axis];
  return box;
}

GEOMETRY_FUNCTION void exact_box_include(exact_box *box, const double point[3]) {
  for (int axis = 0; axis < 3; axis++) {
    box->min[axis] = point[axis] < box->min[axis] ? point[axis] : box->min[axis];
    box->max[axis] = point[axis] > box->max[axis] ? point[axis] : box->max[axis];
  }
}

/* Meets no box, and is smaller than any. */
GEOMETRY_FUNCTION exact_box exact_box_empty(void) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = HUGE_VAL;
    box.max[axis] = -HUGE_VAL;
  }
  return box;
}

GEOMETRY_FUNCTION void exact_box_include_box(exact_box *box, const exact_box *other) {
  for (int axis = 0; axis < 3; axis++) {
    box->min[axis] = other->min[axis] < box->min[axis] ? other->min[axis] : box->min[axis];
    box->max[axis] = other->max[axis] > box->max[axis] ? other->max[axis] : box->max[axis];
  }
}

/* The box of `count` points, of three doubles each; at least one. */
GEOMETRY_FUNCTION exact_box exact_box_of(const double *points, uint32_t count) {
  exact_box box = exact_box_at(points);
  for (uint32_t i = 1; i < count; i++) exact_box_include(&box, points + 3 * (size_t)i);
  return box;
}

/* The box of a ball: center - radius and center + radius, each rounded outward to the nearest double, at most to
 * infinity. */
GEOMETRY_FUNCTION exact_box exact_box_of_ball(const double center[3], double radius) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = -sum_rounded_up(-center[axis], radius);
    box.max[axis] = sum_rounded_up(center[axis], radius);
  }
  return box;
}

GEOMETRY_FUNCTION bool exact_boxes_meet(const exact_box *a, const exact_box *b) {
  for (int axis = 0; axis < 3; axis++) {
    if (a->min[axis] > b->max[axis] || b->min[axis] > a->max[axis]) return false;
  }
  return true;
}

GEOMETRY_FUNCTION bool exact_box_has(const exact_box *box, const double point[3]) {
  for (int axis = 0; axis < 3; axis++) {
    if (point[axis] < box->min[axis] || point[axis] > box->max[axis]) return false;
  }
  return true;
}

/* Half of a clearance, rounded up; half of the least positive one is that one. */
GEOMETRY_FUNCTION double half_clearance(double clearance) {
  return 0.5 * clearance + 0x1p-1074;
}

/* Whether b - a is at most a bound, in exact arithmetic. If the rounded difference equals the bound, the rounding error
 * decides. */
GEOMETRY_FUNCTION bool difference_is_at_most(double a, double b, double bound) {
  const two_term difference = two_difference(b, a);
  return difference.head != bound ? difference.head < bound : difference.tail <= 0.0;
}

/* Whether two boxes are at most a clearance apart along every axis. */
GEOMETRY_FUNCTION bool exact_boxes_within(const exact_box *a, const exact_box *b, double clearance) {
  for (int axis = 0; axis < 3; axis++) {
    if (!difference_is_at_most(b->max[axis], a->min[axis], clearance) ||
        !difference_is_at_most(a->max[axis], b->min[axis], clearance))
      return false;
  }
  return true;
}

/* A lower bound of the distance of primitives in two boxes. */
GEOMETRY_FUNCTION double boxes_distance(const exact_box *a, const exact_box *b) {
  double squared = 0.0, largest = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double above = b->min[axis] - a->max[axis], below = a->min[axis] - b->max[axis];
    const double gap = above > below ? above : below;
    if (gap > 0.0) squared += gap * gap;
    if (gap > largest) largest = gap;
  }
  if (!(squared > 0x1p-900 && squared < 0x1p900)) return largest * (1.0 - 0x1p-50);
  return sqrt(squared) * (1.0 - 0x1p-50);
}

/* An upper bound of the error of a rounded distance of primitives in two boxes: 1e-12 of their size. */
GEOMETRY_FUNCTION double nearest_margin(const exact_box *a, const exact_box *b) {
  double size = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double low = fmin(a->min[axis], b->min[axis]), high = fmax(a->max[axis], b->max[axis]);
    size = fmax(size, high - low);
  }
  return fmin(size * 0x1p-39, DBL_MAX);
}

#endif
