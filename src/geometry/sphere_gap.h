/* The distance of two balls and their nearest points: the counterpart of sphere_lens.h for balls that do not meet.
 *
 * With d the distance of the centers and R the sum of the radii the gap is (d^2 - R^2) / (d + R), with a numerator that
 * is exact before it is rounded: the error is at most 2^-48 of itself, however close the balls are to touching. Zero
 * exactly if they meet. */
#ifndef GRAZE_GEOMETRY_SPHERE_GAP_H
#define GRAZE_GEOMETRY_SPHERE_GAP_H

#include "geometry/sphere_lens.h"
#include "geometry/sphere_pair.h"

#include <float.h>

/* The nearest points of two balls; if they meet, a common one for both. */
typedef struct sphere_gap {
  double distance, witness_a[3], witness_b[3];
} sphere_gap;

GEOMETRY_FUNCTION void sphere_gap_of_apart(const double *a, double r, const double *b, double s, sphere_gap *gap_out) {
  const sphere_frame frame = sphere_frame_make(a, r, b, s);
  const two_term zero = two_term_make(0.0, 0.0), sum = two_sum(frame.large, frame.small);
  const double distance = sqrt(-sphere_frame_excess(&frame, zero));
  sphere_lens lens;
  sphere_lens_witness(&frame, distance, a, r, b, s, &lens);
  const double gap = sphere_frame_length(&frame, -sphere_frame_excess(&frame, sum) / (sum.head + distance));
  gap_out->distance = gap > 0.0 ? gap : DBL_TRUE_MIN;
  for (int axis = 0; axis < 3; axis++) {
    gap_out->witness_a[axis] = within_doubles(lens.witness_a[axis]);
    gap_out->witness_b[axis] = within_doubles(lens.witness_b[axis]);
  }
}

GEOMETRY_FUNCTION void sphere_pair_gap(const double *a, double r, const double *b, double s, sphere_gap *gap_out) {
  orientation_tally tally = {0};
  if (!sphere_pair_intersects(a, r, b, s, &tally)) {
    sphere_gap_of_apart(a, r, b, s, gap_out);
    return;
  }
  sphere_lens lens;
  sphere_pair_lens(a, r, b, s, &lens);
  gap_out->distance = 0.0;
  for (int axis = 0; axis < 3; axis++)
    gap_out->witness_a[axis] = gap_out->witness_b[axis] = within_doubles(lens.centroid[axis]);
}

#endif
