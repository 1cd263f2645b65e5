/* The pose of an object: a rotation and a translation, applied to a position on demand. Written once for
 * the processor and for GPUs, so that every reader of a posed position sees the same bits. */
#ifndef GRAZE_GEOMETRY_POSE_H
#define GRAZE_GEOMETRY_POSE_H

#include "geometry/device.h"
#include "graze/graze.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* The tolerance for the product of a rotation and its transpose to be the identity, as documented in graze.h. */
#define ROTATION_DEFECT_MOST 1e-6

typedef graze_pose rigid_pose;

/* x -> rotation * x + translation, in the order of operations that graze.h documents. */
GEOMETRY_FUNCTION void pose_position(const rigid_pose *pose, const double from[3], double to[3]) {
  const double *r = pose->rotation;
  for (int row = 0; row < 3; row++)
    to[row] = ((r[3 * row] * from[0] + r[3 * row + 1] * from[1]) + r[3 * row + 2] * from[2]) + pose->translation[row];
}

/* Whether it does not change any position. */
GEOMETRY_FUNCTION bool pose_is_identity(const rigid_pose *pose) {
  const double *r = pose->rotation, *t = pose->translation;
  return r[0] == 1.0 && r[1] == 0.0 && r[2] == 0.0 && r[3] == 0.0 && r[4] == 1.0 && r[5] == 0.0 && r[6] == 0.0 &&
         r[7] == 0.0 && r[8] == 1.0 && t[0] == 0.0 && t[1] == 0.0 && t[2] == 0.0;
}

GEOMETRY_FUNCTION double rotation_determinant(const double r[9]) {
  return r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) + r[2] * (r[3] * r[7] - r[4] * r[6]);
}

/* Whether two rows of a rotation have the expected product. */
GEOMETRY_FUNCTION bool rotation_rows_are_sound(const double a[3], const double b[3], double wanted) {
  return fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - wanted) <= ROTATION_DEFECT_MOST;
}

/* A rotation within rounding, and finite. */
GEOMETRY_FUNCTION bool pose_is_sound(const rigid_pose *pose) {
  const double *r = pose->rotation, *translation = pose->translation;
  return rotation_rows_are_sound(r, r, 1.0) && rotation_rows_are_sound(r + 3, r + 3, 1.0) &&
         rotation_rows_are_sound(r + 6, r + 6, 1.0) && rotation_rows_are_sound(r, r + 3, 0.0) &&
         rotation_rows_are_sound(r, r + 6, 0.0) && rotation_rows_are_sound(r + 3, r + 6, 0.0) &&
         rotation_determinant(r) > 0.0 && fabs(translation[0]) <= DBL_MAX && fabs(translation[1]) <= DBL_MAX &&
         fabs(translation[2]) <= DBL_MAX;
}

/* Largest deviation of R times its transpose from the identity; NaN if an element is. */
GEOMETRY_FUNCTION double rotation_defect(const double r[9]) {
  double worst = 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double product = r[3 * i] * r[3 * j] + r[3 * i + 1] * r[3 * j + 1] + r[3 * i + 2] * r[3 * j + 2];
      const double defect = fabs(product - (i == j ? 1.0 : 0.0));
      if (!(defect <= DBL_MAX)) return defect;
      worst = defect > worst ? defect : worst;
    }
  return worst;
}

#endif
