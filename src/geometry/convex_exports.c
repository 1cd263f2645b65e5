/* The functions of graze/convex.h: the geometry headers under their exported names, which also accept empty cells.
 *
 * Functions that return a number in a register are compiled separately from their guard; see
 * base/float_environment.h. */
#include "graze/convex.h"

#include "base/float_environment.h"
#include "geometry/convex_measure.h"

bool graze_convex_intersect(const double *a, uint32_t a_count, const double *b, uint32_t b_count) {
  GUARD_FLOAT_ENVIRONMENT();
  orientation_tally tally = {0};
  return a_count > 0 && b_count > 0 && convex_pair_intersects(a, a_count, b, b_count, &tally);
}

static __attribute__((noinline)) double distance(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                                                 double point_a_out[3], double point_b_out[3]) {
  orientation_tally tally = {0};
  return convex_pair_distance(a, a_count, b, b_count, point_a_out, point_b_out, &tally);
}

double graze_convex_distance(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                             double point_a_out[3], double point_b_out[3]) {
  GUARD_FLOAT_ENVIRONMENT();
  if (a_count == 0 || b_count == 0) return HUGE_VAL;
  return distance(a, a_count, b, b_count, point_a_out, point_b_out);
}

bool graze_convex_penetration(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                              double normal_out[3], double *depth_out) {
  GUARD_FLOAT_ENVIRONMENT();
  orientation_tally tally = {0};
  return a_count > 0 && b_count > 0 && convex_pair_penetration(a, a_count, b, b_count, normal_out, depth_out, &tally);
}
