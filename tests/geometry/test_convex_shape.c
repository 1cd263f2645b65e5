/* Tests the check of cells given by faces: valid cells pass at every scale, and each defect is found at its location.
 */
#include <stddef.h>
#include <stdint.h>

#include "geometry/convex_shape.h"
#include "testing.h"

static const double cube_points[24] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 0, 0, 2, 2, 0, 2, 2, 2, 2, 0, 2, 2};
static const uint32_t cube_corners[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};
static const uint32_t cube_starts[7] = {0, 4, 8, 12, 16, 20, 24};

static convex_defect check_cube(const double *points, const uint32_t *corners) {
  const convex_shape shape = {points, corners, cube_starts, 6};
  return convex_shape_check(&shape);
}

TEST(test_sound_cells) {
  static const double scales[6] = {1.0, 1e-6, 1e6, 1e-300, 1e300, 0x1p-1070};
  double points[24];
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 24; ++k) points[k] = cube_points[k] * scales[i];
    assert_int_equal(check_cube(points, cube_corners).kind, CONVEX_SHAPE_SOUND);
  }
  /* Far from the origin, and with a face turned round. */
  uint32_t corners[24];
  for (int k = 0; k < 24; ++k) {
    points[k] = cube_points[k] + 1e6;
    corners[k] = cube_corners[k < 4 ? 3 - k : k];
  }
  assert_int_equal(check_cube(points, corners).kind, CONVEX_SHAPE_SOUND);
  const double prism_points[18] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 3, 4, 0, 3, 0, 4, 3};
  const uint32_t prism_corners[18] = {0, 2, 1, 3, 4, 5, 0, 1, 4, 3, 1, 2, 5, 4, 2, 0, 3, 5};
  const uint32_t prism_starts[6] = {0, 3, 6, 10, 14, 18};
  const convex_shape prism = {prism_points, prism_corners, prism_starts, 5};
  assert_int_equal(convex_shape_check(&prism).kind, CONVEX_SHAPE_SOUND);
}

/* A corner moved along the diagonal warps three faces: by a little it may, by more it may not; inward or outward. */
TEST(test_warped_faces) {
  static const double moves[4] = {1e-7, -1e-7, 1e-4, -1e-4};
  for (int i = 0; i < 4; ++i) {
    double points[24];
    for (int k = 0; k < 24; ++k) points[k] = cube_points[k] + (k / 3 == 6 ? moves[i] : 0.0);
    const convex_defect found = check_cube(points, cube_corners);
    assert_int_equal(found.kind, i < 2 ? CONVEX_SHAPE_SOUND : CONVEX_SHAPE_CORNER_OUTSIDE);
    if (i < 2) continue;
    /* The first of the three faces that have the corner. */
    assert_int_equal(found.face, 1);
  }
}

/* A cube of triangles with a corner pushed to the inside is closed and not convex; pulled out, it is convex, for the
 * diagonals go through that corner. */
TEST(test_dented_cube) {
  double points[24];
  static const uint32_t corners[36] = {0, 3, 2, 0, 2, 1, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                       1, 2, 6, 1, 6, 5, 2, 3, 6, 3, 7, 6, 3, 0, 4, 3, 4, 7};
  uint32_t starts[13];
  for (uint32_t i = 0; i < 13; ++i) starts[i] = 3 * i;
  for (int k = 0; k < 24; ++k) points[k] = k / 3 == 6 ? 0.9 : cube_points[k];
  const convex_shape shape = {points, corners, starts, 12};
  assert_int_equal(convex_shape_check(&shape).kind, CONVEX_SHAPE_CORNER_OUTSIDE);
  for (int k = 18; k < 21; ++k) points[k] = 2.5;
  assert_int_equal(convex_shape_check(&shape).kind, CONVEX_SHAPE_SOUND);
}

TEST(test_defects) {
  uint32_t corners[24];
  convex_shape shape = {cube_points, cube_corners, cube_starts, 3};
  assert_int_equal(convex_shape_check(&shape).kind, CONVEX_SHAPE_FEW_FACES);
  shape.face_count = 5;
  convex_defect found = convex_shape_check(&shape);
  assert_int_equal(found.kind, CONVEX_SHAPE_OPEN_EDGE);
  assert_int_equal(found.face, 0);
  assert_int_equal(found.corner, 0);
  const uint32_t starts[7] = {0, 4, 8, 12, 14, 20, 24};
  shape.face_starts = starts;
  shape.face_count = 6;
  found = convex_shape_check(&shape);
  assert_int_equal(found.kind, CONVEX_SHAPE_FEW_CORNERS);
  assert_int_equal(found.face, 3);
  for (int k = 0; k < 24; ++k) corners[k] = k == 1 ? 2 : cube_corners[k];
  assert_int_equal(check_cube(cube_points, corners).kind, CONVEX_SHAPE_OPEN_EDGE);
  double points[24];
  for (int k = 0; k < 24; ++k) points[k] = k % 3 == 0 ? 0.0 : cube_points[k];
  found = check_cube(points, cube_corners);
  assert_int_equal(found.kind, CONVEX_SHAPE_NO_AREA);
  assert_int_equal(found.face, 0);
}
