/* The box that a query is limited to, in normalized coordinates. One source for the processor and for GPUs.
 *
 * Workload: built once per query, then tested against every primitive; it decides most of them. */
#ifndef GRAZE_BROAD_FOCUS_BOX_H
#define GRAZE_BROAD_FOCUS_BOX_H

#include "broad/vertex_normalization.h"
#include "geometry/float_rounding.h"

/* A closed box in exact coordinates, represented in normalized coordinates. Boxes of primitives that do not meet
 * `outer` are outside, those within `inner` meet it; others are near its border, and are decided in exact
 * coordinates. */
typedef struct focus_box {
  primitive_box outer, inner;
} focus_box;

/* A coordinate in normalized coordinates, with a bound of its error. It may be infinite. */
GEOMETRY_FUNCTION double normalized_coordinate(double position, double origin, double scale, double *error_out) {
  const double scaled = (position - origin) * scale;
  *error_out = fabs(scaled) * 0x1p-50 + 0x1p-1000;
  return scaled;
}

/* In piecewise-mapped coordinates, every primitive is compared in its exact coordinates. */
GEOMETRY_FUNCTION focus_box focus_box_undecided(void) {
  focus_box made;
  for (int axis = 0; axis < 3; axis++) {
    made.outer.min[axis] = made.inner.max[axis] = -HUGE_VALF;
    made.outer.max[axis] = made.inner.min[axis] = HUGE_VALF;
  }
  return made;
}

/* The scene is in [-1, 1]: an outer box reaches that far even if the query's box begins beyond it, and an inner box
 * stays strictly inside, so that both are correct also if the border of the cube represents distant points. `slots` is
 * as in primitive_view. */
GEOMETRY_FUNCTION focus_box focus_box_of(const exact_box *box, const normalizing_transform *normalization,
                                         float slots) {
  const float last_inside = 1.0f - 0x1p-20f;
  if (slots != 0.0f) return focus_box_undecided();
  focus_box made;
  for (int axis = 0; axis < 3; axis++) {
    double error;
    const double low = normalized_coordinate(box->min[axis], normalization->origin[axis], normalization->scale, &error);
    const bool low_is_inside = low - error > -1.0 && low + error < 1.0;
    made.outer.min[axis] = low_is_inside ? float_round_down(low - error) : low > 0.0 ? last_inside : -HUGE_VALF;
    made.inner.min[axis] = low_is_inside ? float_round_up(low + error) : low > 0.0 ? HUGE_VALF : -last_inside;
    const double high =
        normalized_coordinate(box->max[axis], normalization->origin[axis], normalization->scale, &error);
    const bool high_is_inside = high - error > -1.0 && high + error < 1.0;
    made.outer.max[axis] = high_is_inside ? float_round_up(high + error) : high < 0.0 ? -last_inside : HUGE_VALF;
    made.inner.max[axis] = high_is_inside ? float_round_down(high - error) : high < 0.0 ? -HUGE_VALF : last_inside;
  }
  for (int axis = 0; axis < 3; axis++) {
    made.outer.min[axis] = fminf(made.outer.min[axis], last_inside);
    made.outer.max[axis] = fmaxf(made.outer.max[axis], -last_inside);
    made.inner.min[axis] = fmaxf(made.inner.min[axis], -last_inside);
    made.inner.max[axis] = fminf(made.inner.max[axis], last_inside);
  }
  return made;
}

GEOMETRY_FUNCTION bool box_lies_in(const primitive_box *box, const primitive_box *in) {
  bool inside = true;
  for (int axis = 0; axis < 3; axis++)
    inside = inside && in->min[axis] <= box->min[axis] && box->max[axis] <= in->max[axis];
  return inside;
}

#endif
