/* Tests the exported functions for convex cells through the public header and the installed form of the library. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include "graze/convex.h"
#include "testing.h"

static const double cube[24] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0, 0, 0, 2, 2, 0, 2, 0, 2, 2, 2, 2, 2};
static const double tip_on_face[12] = {1, 1, 2, 0, 0, 3, 2, 0, 3, 1, 2, 3};
static const double beside[3] = {6, 5, 1};
static const double inside[6] = {1.75, 1, 1, 5, 1, 1};

TEST(test_intersect) {
  assert_true(graze_convex_intersect(cube, 8, cube, 8));
  assert_true(graze_convex_intersect(cube, 8, tip_on_face, 4));
  assert_true(graze_convex_intersect(cube, 8, inside, 2));
  assert_false(graze_convex_intersect(cube, 8, beside, 1));
  assert_false(graze_convex_intersect(cube, 8, cube, 0));
  assert_false(graze_convex_intersect(cube, 0, cube, 8));
}

TEST(test_distance) {
  double on_cube[3], on_other[3];
  assert_true(graze_convex_distance(cube, 8, tip_on_face, 4, on_cube, on_other) == 0.0);
  for (int axis = 0; axis < 3; ++axis)
    assert_true(on_cube[axis] == tip_on_face[axis] && on_other[axis] == on_cube[axis]);
  assert_true(graze_convex_distance(cube, 8, beside, 1, on_cube, on_other) == 5.0);
  assert_true(on_cube[0] == 2.0 && on_cube[1] == 2.0 && on_cube[2] == 1.0);
  for (int axis = 0; axis < 3; ++axis) assert_true(on_other[axis] == beside[axis]);
  assert_true(isinf(graze_convex_distance(cube, 8, beside, 0, on_cube, on_other)));
}

TEST(test_penetration) {
  double normal[3] = {7, 7, 7}, depth = 7;
  assert_false(graze_convex_penetration(cube, 8, beside, 1, normal, &depth));
  assert_false(graze_convex_penetration(cube, 8, beside, 0, normal, &depth));
  assert_true(normal[0] == 7.0 && depth == 7.0);
  assert_true(graze_convex_penetration(cube, 8, inside, 2, normal, &depth));
  assert_true(normal[0] == 1.0 && normal[1] == 0.0 && normal[2] == 0.0 && depth == 0.25);
  assert_true(graze_convex_penetration(cube, 8, tip_on_face, 4, normal, &depth));
  assert_true(normal[0] == 0.0 && normal[1] == 0.0 && normal[2] == 1.0 && depth == 0.0);
}
