/* The pose of an object: a rotation and a translation, applied to a position wherever it is asked for. Written once for
 * the processor and for GPUs, so that every reader of a posed position sees the same bits. */
#ifndef GRAZE_GEOMETRY_POSE_H
#define GRAZE_GEOMETRY_POSE_H

#include "geometry/device.h"

#include <stdbool.h>

typedef struct rigid_pose {
  double rotation[9]; /* row by row */
  double translation[3];
} rigid_pose;

/* x -> rotation * x + translation, in the order of operations that the public header promises. */
GEOMETRY_FUNCTION void pose_position(const rigid_pose *pose, const double from[3], double to[3]) {
  const double *r = pose->rotation;
  for (int row = 0; row < 3; row++)
    to[row] = ((r[3 * row] * from[0] + r[3 * row + 1] * from[1]) + r[3 * row + 2] * from[2]) + pose->translation[row];
}

/* Whether it leaves all positions as they are. */
GEOMETRY_FUNCTION bool pose_is_identity(const rigid_pose *pose) {
  const double *r = pose->rotation, *t = pose->translation;
  return r[0] == 1.0 && r[1] == 0.0 && r[2] == 0.0 && r[3] == 0.0 && r[4] == 1.0 && r[5] == 0.0 && r[6] == 0.0 &&
         r[7] == 0.0 && r[8] == 1.0 && t[0] == 0.0 && t[1] == 0.0 && t[2] == 0.0;
}

#endif
