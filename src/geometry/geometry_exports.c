/* The functions of graze/convex.h, graze/triangle.h and graze/graze.h that need no scene: the geometry headers under
 * their exported names. Those of cells also accept empty ones.
 *
 * Functions that return a number in a register are compiled separately from their guard; see
 * base/float_environment.h. */
#include "base/float_environment.h"
#include "geometry/convex_measure.h"
#include "geometry/nearest_features.h"
#include "geometry/pose.h"
#include "geometry/triangle_overlap.h"
#include "graze/convex.h"
#include "graze/triangle.h"

bool graze_convex_intersect(const double *a, uint32_t a_count, const double *b, uint32_t b_count) {
  GUARD_FLOAT_ENVIRONMENT();
  orientation_tally tally = {0};
  return a_count > 0 && b_count > 0 && convex_pair_intersects(a, a_count, b, b_count, &tally);
}

static __attribute__((noinline)) double convex_distance(const double *a, uint32_t a_count, const double *b,
                                                        uint32_t b_count, double point_a_out[3],
                                                        double point_b_out[3]) {
  orientation_tally tally = {0};
  return convex_pair_distance(a, a_count, b, b_count, point_a_out, point_b_out, &tally);
}

double graze_convex_distance(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                             double point_a_out[3], double point_b_out[3]) {
  GUARD_FLOAT_ENVIRONMENT();
  if (a_count == 0 || b_count == 0) return HUGE_VAL;
  return convex_distance(a, a_count, b, b_count, point_a_out, point_b_out);
}

bool graze_convex_penetration(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                              double normal_out[3], double *depth_out) {
  GUARD_FLOAT_ENVIRONMENT();
  orientation_tally tally = {0};
  return a_count > 0 && b_count > 0 && convex_pair_penetration(a, a_count, b, b_count, normal_out, depth_out, &tally);
}

bool graze_triangles_intersect(const double a[9], const double b[9]) {
  GUARD_FLOAT_ENVIRONMENT();
  orientation_tally tally = {0};
  return triangle_pair_intersects(a, b, &tally);
}

uint32_t graze_triangles_intersection(const double a[9], const double b[9], double points_out[6][3]) {
  GUARD_FLOAT_ENVIRONMENT();
  orientation_tally tally = {0};
  return triangle_pair_overlap(a, b, points_out, &tally);
}

static __attribute__((noinline)) double triangle_distance(const double a[9], const double b[9], double point_a_out[3],
                                                          double point_b_out[3]) {
  near_feature features[2];
  orientation_tally tally = {0};
  return hulls_distance(a, 3, 0.0, b, 3, 0.0, point_a_out, point_b_out, features, &tally);
}

double graze_triangles_distance(const double a[9], const double b[9], double point_a_out[3], double point_b_out[3]) {
  GUARD_FLOAT_ENVIRONMENT();
  return triangle_distance(a, b, point_a_out, point_b_out);
}

/* ---------------------------------------------------------------------------------------------- poses */

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
