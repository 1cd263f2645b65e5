/* Tests the common polygon of a triangle and a tetrahedron: it exists if and only if rational arithmetic reports an
 * intersection, is on both, and has the exact area. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/triangle_tetrahedron_overlap.h"
#include "measured_tetrahedra.h"
#include "rational_distance.h"
#include "rational_oracle.h"
#include "rational_volume.h"
#include "test_effort.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { COMPARED_PER_KIND = 15, FLAT_PAIRS = 20 };
#else
enum { COMPARED_PER_KIND = 400, FLAT_PAIRS = 1500 };
#endif

static double extent_of(const double t[9], const double q[12]) {
  double extent = 0.0;
  for (int i = 0; i < 9; ++i) extent = fmax(extent, fabs(t[i] - t[i % 3]));
  for (int i = 0; i < 12; ++i) extent = fmax(extent, fabs(q[i] - t[i % 3]));
  return extent;
}

static bool is_solid(const double q[12]) {
  orientation_tally tally = {0};
  return tetrahedron_volume_sign(q, &tally) != 0;
}

static const int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};

static void face_of(const double q[12], int face, double triangle_out[9]) {
  for (int i = 0; i < 3; ++i) memcpy(triangle_out + 3 * i, q + 3 * faces[face][i], 3 * sizeof(double));
}

/* Whether a point lies in a tetrahedron: on no face's other side than the corner opposite to it. */
static bool contains(rational_oracle *oracle, const double q[12], const double *point) {
  for (int face = 0; face < 4; ++face) {
    const double *a = q + 3 * faces[face][0], *b = q + 3 * faces[face][1], *c = q + 3 * faces[face][2];
    const int inner = rational_oracle_orientation_3d(oracle, a, b, c, q + 3 * faces[face][3]);
    if (inner == 0 || inner * rational_oracle_orientation_3d(oracle, a, b, c, point) < 0) return false;
  }
  return true;
}

static bool meets(rational_oracle *oracle, const double t[9], const double q[12]) {
  double face[9];
  if (contains(oracle, q, t)) return true;
  for (int i = 0; i < 4; ++i) {
    face_of(q, i, face);
    if (rational_oracle_intersects(oracle, t, face)) return true;
  }
  return false;
}

/* A point of a thin tetrahedron's four half-spaces up to rounding may lie far from the tip that it belongs to; so it is
 * compared by the half-spaces. A flat one has faces only. */
static double distance_to(const double q[12], const double point[3]) {
  double distance = HUGE_VAL, face[9];
  if (is_solid(q)) return rational_beyond_faces(q, point);
  for (int i = 0; i < 4; ++i) {
    face_of(q, i, face);
    distance = fmin(distance, rational_distance(point, 1, face, 3));
  }
  return distance;
}

typedef struct polygon_errors {
  double place, area;
  uint64_t wrong, polygons;
} polygon_errors;

static void reference(rational_oracle *oracle, const double t[9], const double q[12], double expected_area,
                      polygon_errors *errors) {
  double points[TRIANGLE_TETRAHEDRON_POINTS][3], area, centroid[3];
  const uint32_t count = triangle_tetrahedron_overlap(t, q, points, &area, centroid);
  const double extent = extent_of(t, q), coarseness = 0x1p-51 * largest_magnitude(q, 12);
  errors->wrong += (count > 0) != meets(oracle, t, q) || count > TRIANGLE_TETRAHEDRON_POINTS;
  errors->wrong += count < 3 && area > 0.0;
  errors->polygons += count > 2;
  errors->area = fmax(errors->area, fabs(area - expected_area) / (extent * extent));
  for (uint32_t i = 0; i <= count && count > 0; ++i) {
    const double *point = i < count ? points[i] : centroid;
    errors->place = fmax(errors->place, (rational_distance(point, 1, t, 3) - coarseness) / extent);
    errors->place = fmax(errors->place, (distance_to(q, point) - coarseness) / extent);
  }
}

TEST(test_polygons_are_exact) {
  rational_oracle *oracle = rational_oracle_create();
  polygon_errors errors = {0};
  for (int kind = 0; kind < MEASURED_FLAT; ++kind) {
    pair_generator generator = {8500 + (uint64_t)kind};
    for (int i = 0; i < COMPARED_PER_KIND; ++i) {
      double p[12], q[12];
      measured_pair_generate(&generator, (measured_kind)kind, p, q);
      if (i % 3 == 0) /* the roles of needles and of flat ones exchanged */
        reference(oracle, q, p, rational_area(q, p), &errors);
      else if (is_solid(q))
        reference(oracle, p, q, rational_area(p, q), &errors);
    }
  }
  rational_oracle_destroy(oracle);
  print_message("%d polygons; largest error of a place: %g, of an area: %g\n", (int)errors.polygons, errors.place,
                errors.area);
  assert_int_equal(errors.wrong, 0);
  assert_true(errors.polygons > (uint64_t)COMPARED_PER_KIND * 3);
  assert_true(errors.place <= 0x1p-42);
  assert_true(errors.area <= 0x1p-40);
}

/* A flat tetrahedron in the plane of the triangle, thickened to both sides, has the common area of the solid. */
TEST(test_flat_tetrahedra) {
  rational_oracle *oracle = rational_oracle_create();
  polygon_errors errors = {0};
  pair_generator generator = {8600};
  for (int i = 0; i < FLAT_PAIRS; ++i) {
    double t[9], q[12];
    for (int j = 0; j < 12; ++j) {
      q[j] = j % 3 == 2 ? 0.0 : (double)pair_generator_below(&generator, 9) - 4.0;
      if (j < 9) t[j] = j % 3 == 2 ? 0.0 : (double)pair_generator_below(&generator, 9) - 4.0;
    }
    /* The outline is the union of the triangles of a corner and the sides opposite; by inclusion and exclusion the area
     * of a flat tetrahedron is half the sum of its four faces, and so is that of any part of it, as each point of the
     * outline lies in two of the faces. */
    double expected = 0.0, solid[12];
    for (int face = 0; face < 4; ++face) {
      face_of(q, face, solid);
      /* Two solids over the face, one upward and one downward from the plane, share the face with it. */
      for (int axis = 0; axis < 3; ++axis) solid[9 + axis] = axis == 2 ? 1.0 : solid[axis];
      expected += 0.5 * rational_area(t, solid);
    }
    reference(oracle, t, q, expected, &errors);
  }
  rational_oracle_destroy(oracle);
  print_message("%d polygons; largest error of a place: %g, of an area: %g\n", (int)errors.polygons, errors.place,
                errors.area);
  assert_int_equal(errors.wrong, 0);
  assert_true(errors.polygons > (uint64_t)FLAT_PAIRS / 4);
  assert_true(errors.place <= 0x1p-42);
  assert_true(errors.area <= 0x1p-40);
}
