/* Bounds on the distance of primitives from their boxes. Compiled for a GPU too. */
#ifndef GRAZE_NARROW_BOX_DISTANCE_H
#define GRAZE_NARROW_BOX_DISTANCE_H

#include "geometry/exact_box.h"

#include <float.h>
#include <math.h>

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
