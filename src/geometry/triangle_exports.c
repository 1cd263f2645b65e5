/* The functions of graze/triangle.h: the geometry headers under their exported names.
 *
 * Functions that return a number in a register are compiled separately from their guard; see
 * base/float_environment.h. */
#include "graze/triangle.h"

#include "base/float_environment.h"
#include "geometry/nearest_features.h"
#include "geometry/triangle_overlap.h"

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

static __attribute__((noinline)) double distance(const double a[9], const double b[9], double point_a_out[3],
                                                 double point_b_out[3]) {
  near_feature features[2];
  orientation_tally tally = {0};
  return hulls_distance(a, 3, 0.0, b, 3, 0.0, point_a_out, point_b_out, features, &tally);
}

double graze_triangles_distance(const double a[9], const double b[9], double point_a_out[3], double point_b_out[3]) {
  GUARD_FLOAT_ENVIRONMENT();
  return distance(a, b, point_a_out, point_b_out);
}
