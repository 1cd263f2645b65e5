/* Tests the exported functions for triangles through the public header and the installed form of the library. */
#include <stddef.h>
#include <stdint.h>

#include "graze/triangle.h"
#include "testing.h"

static const double base[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
static const double through[9] = {1, 1, -1, 1, 1, 1, 1, 9, 1};
static const double above[9] = {1, 1, 2, 1, 1, 9, 2, 1, 9};

TEST(test_intersect) {
  assert_true(graze_triangles_intersect(base, base));
  assert_true(graze_triangles_intersect(base, through));
  assert_false(graze_triangles_intersect(base, above));
}

TEST(test_common_part) {
  double points[6][3];
  assert_int_equal(graze_triangles_intersection(base, base, points), 3);
  assert_int_equal(graze_triangles_intersection(base, above, points), 0);
  assert_int_equal(graze_triangles_intersection(base, through, points), 2);
  for (int i = 0; i < 2; ++i) assert_true(points[i][0] == 1 && points[i][2] == 0);
  assert_true(points[0][1] + points[1][1] == 4 && points[0][1] * points[1][1] == 3);
}

TEST(test_distance) {
  double on_base[3], on_above[3];
  assert_true(graze_triangles_distance(base, through, on_base, on_above) == 0.0);
  assert_true(graze_triangles_distance(base, above, on_base, on_above) == 2.0);
  assert_true(on_base[2] == 0.0 && on_above[2] == 2.0);
}
