/* Rows of least distances; see nearest_row.h. */
#include "backend_cpu/nearest_row.h"

#include "geometry/binary_scale.h"
#include "geometry/vector.h"
#include "scene/object_numbers.h"

/* Points may be farther apart than the largest double, or closer than twice the smallest. */
static vector3 way_between(const double from[3], const double to[3]) {
  const vector3 a = vector3_load(from), b = vector3_load(to), way = vector3_subtract(b, a);
  if (vector3_largest_magnitude(way) < HUGE_VAL) return way;
  return vector3_subtract(vector3_scale(b, 0.5), vector3_scale(a, 0.5));
}

/* Coordinates are divided by the largest one first, so that no square underflows. */
static void normal_of(const double from[3], const double to[3], double normal_out[3]) {
  double way[3], squared = 0.0;
  vector3_store(way_between(from, to), way);
  const double largest = largest_magnitude(way, 3);
  if (largest == 0.0) return;
  for (int axis = 0; axis < 3; axis++) squared += way[axis] / largest * (way[axis] / largest);
  for (int axis = 0; axis < 3; axis++) normal_out[axis] = way[axis] / largest / sqrt(squared);
}

graze_nearest nearest_row_make(const graze_scene *scene, const nearest_best *best, double lower, bool complete) {
  public_number last[2] = {{0}};
  graze_nearest row = {.pair = scene_public_pair(scene, best->ranks, last),
                       .complete = complete,
                       .distance = best->distance,
                       .lower = fmin(lower, best->lower),
                       .upper = best->upper,
                       .feature_a = best->features[0],
                       .feature_b = best->features[1]};
  row.object = row.pair.object_a;
  for (int axis = 0; axis < 3; axis++) {
    row.point_a[axis] = best->points[0][axis];
    row.point_b[axis] = best->points[1][axis];
  }
  normal_of(row.point_a, row.point_b, row.normal);
  return row;
}

graze_nearest nearest_row_touching(void) {
  return (graze_nearest){.complete = 1};
}

graze_nearest nearest_row_empty(double lower) {
  return (graze_nearest){.complete = 1, .distance = HUGE_VAL, .lower = lower, .upper = HUGE_VAL};
}
