/* Poses from quaternions: graze_pose_from_quaternion. */
#include "base/float_environment.h"
#include "geometry/pose.h"

/* The rotation of q for any length: 2 / |q|^2 replaces the 2 of a unit quaternion, so no root is needed (Shoemake,
 * Animating rotation with quaternion curves, 1985). The largest component is scaled to 1 first, so that squares neither
 * overflow nor vanish; a zero quaternion gives NaN. */
static void rotation_of(const double quaternion[4], double rotation_out[9]) {
  double most = 0.0, q[4];
  for (int i = 0; i < 4; i++) most = fmax(most, fabs(quaternion[i]));
  for (int i = 0; i < 4; i++) q[i] = quaternion[i] / most;
  const double twice = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  rotation_out[0] = 1.0 - twice * (y * y + z * z);
  rotation_out[1] = twice * (x * y - w * z);
  rotation_out[2] = twice * (x * z + w * y);
  rotation_out[3] = twice * (x * y + w * z);
  rotation_out[4] = 1.0 - twice * (x * x + z * z);
  rotation_out[5] = twice * (y * z - w * x);
  rotation_out[6] = twice * (x * z - w * y);
  rotation_out[7] = twice * (y * z + w * x);
  rotation_out[8] = 1.0 - twice * (x * x + y * y);
}

graze_pose graze_pose_from_quaternion(const double quaternion[4], const double translation[3]) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_pose pose;
  rotation_of(quaternion, pose.rotation);
  for (int axis = 0; axis < 3; axis++) pose.translation[axis] = translation[axis];
  return pose;
}
