/* Compares smallest enclosing balls with exact ones: two to ten points of every degenerate kind, and many points with a
 * known answer. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/smallest_ball.h"
#include "pair_generator.h"
#include "rational_ball.h"
#include "test_effort.h"
#include "test_scale.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { SETS_PER_KIND = 40, SETS_LEAST = 40, SHAPES_PER_KIND = 500, CROWDS = 40 };
#else
enum { SETS_PER_KIND = 600, SETS_LEAST = 150, SHAPES_PER_KIND = 28000, CROWDS = 200 };
#endif

enum { SET_LIMIT = 10, CROWD_LIMIT = 3000 };

/* The one list of kinds of point sets. */
#define SET_KIND_LIST(X)                                                                                               \
  X(GENERAL)                                                                                                           \
  X(LATTICE)                                                                                                           \
  X(COLLINEAR)                                                                                                         \
  X(COPLANAR)                                                                                                          \
  X(COSPHERICAL)                                                                                                       \
  X(NEARLY_COSPHERICAL)                                                                                                \
  X(REPEATED)                                                                                                          \
  X(NEEDLE)                                                                                                            \
  X(NEEDLE_PAIRS)                                                                                                      \
  X(NEARLY_FLAT)                                                                                                       \
  X(MIXED_SCALES)                                                                                                      \
  X(FAR_AWAY)

typedef enum set_kind {
#define SET_KIND_ENUM(name) SET_##name,
  SET_KIND_LIST(SET_KIND_ENUM)
#undef SET_KIND_ENUM
      SET_KIND_COUNT
} set_kind;

static double power(pair_generator *generator, int lowest) {
  return ldexp(1.0, -(int)pair_generator_below(generator, (uint32_t)(1 - lowest)));
}

/* Integer points on the sphere of square 9 * 49 = 441: signs and orders of a few triples. */
static void lattice_sphere_point(pair_generator *generator, double point_out[3]) {
  static const double triples[6][3] = {{21, 0, 0}, {4, 5, 20}, {4, 8, 19}, {4, 13, 16}, {8, 11, 16}, {6, 9, 18}};
  const double *triple = triples[pair_generator_below(generator, 6)];
  const uint32_t turn = pair_generator_below(generator, 3), signs = pair_generator_below(generator, 8);
  for (uint32_t axis = 0; axis < 3; ++axis)
    point_out[axis] = ((signs >> axis & 1u) != 0 ? -1.0 : 1.0) * triple[(axis + turn) % 3];
}

static void set_point(pair_generator *generator, set_kind kind, const double shape[3], double thin, double *point) {
  const double u = pair_generator_coordinate(generator);
  for (int axis = 0; axis < 3; ++axis) point[axis] = pair_generator_coordinate(generator);
  switch (kind) {
  case SET_LATTICE:
    for (int axis = 0; axis < 3; ++axis) point[axis] = (double)pair_generator_below(generator, 4);
    break;
  case SET_COLLINEAR:
    for (int axis = 0; axis < 3; ++axis) point[axis] = floor(8 * u) * shape[axis];
    break;
  case SET_COPLANAR:
    point[2] = 0.5 * point[0] - 0.25 * point[1];
    break;
  case SET_COSPHERICAL:
    lattice_sphere_point(generator, point);
    break;
  case SET_NEARLY_COSPHERICAL: {
    const double length = vector3_length(vector3_load(point)) + 0x1p-60;
    for (int axis = 0; axis < 3; ++axis) point[axis] *= (1.0 + thin * u) / length;
    break;
  }
  case SET_NEEDLE:
    for (int axis = 0; axis < 3; ++axis) point[axis] = u * shape[axis] + thin * point[axis];
    break;
  case SET_NEEDLE_PAIRS:
    for (int axis = 0; axis < 3; ++axis) point[axis] = (u < 0.0 ? -1.0 : 1.0) * shape[axis] + thin * point[axis];
    break;
  case SET_NEARLY_FLAT:
    point[2] = thin * point[2] + 0.5 * point[0];
    break;
  case SET_MIXED_SCALES: {
    const double scale = power(generator, -40);
    for (int axis = 0; axis < 3; ++axis) point[axis] *= scale;
    break;
  }
  case SET_FAR_AWAY:
    for (int axis = 0; axis < 3; ++axis) point[axis] += 0x1p20 * shape[axis];
    break;
  default:
    break;
  }
}

static void set_generate(pair_generator *generator, set_kind kind, uint32_t count, double *points) {
  double shape[3];
  const double thin = power(generator, -50);
  for (int axis = 0; axis < 3; ++axis) shape[axis] = pair_generator_coordinate(generator);
  for (uint32_t i = 0; i < count; ++i) {
    set_point(generator, kind, shape, thin, points + 3 * i);
    if (kind != SET_REPEATED || i == 0 || pair_generator_below(generator, 2) == 0) continue;
    memcpy(points + 3 * i, points + 3 * pair_generator_below(generator, i), 3 * sizeof(double));
  }
}

static double outermost(const double *points, uint32_t count, const double center[3]) {
  double largest = 0.0;
  for (uint32_t i = 0; i < count; ++i)
    largest = fmax(largest, vector3_length(vector3_subtract(vector3_load(points + 3 * i), vector3_load(center))));
  return largest;
}

/* How far a center can be off because coordinates far from the origin are coarse. */
static double coarseness(const double *points, uint32_t count) {
  return 4 * 0x1p-53 * largest_magnitude(points, 3 * (int)count);
}

TEST(test_balls_are_exact) {
  const int set_count = (int)test_scaled(SETS_PER_KIND, SETS_LEAST); /* rational numbers take nearly all of the time */
  double worst_size = 0.0, worst_outside = 0.0;
  for (int kind = 0; kind < SET_KIND_COUNT; ++kind) {
    pair_generator generator = {7000 + (uint64_t)kind};
    for (int i = 0; i < set_count; ++i) {
      double points[3 * SET_LIMIT], center[3];
      const uint32_t count = i % 4 != 0 ? 2 + (uint32_t)i % 4 : 1 + pair_generator_below(&generator, SET_LIMIT);
      set_generate(&generator, (set_kind)kind, count, points);
      const double radius = 0.5 * smallest_ball(points, count, center);
      const double expected = rational_ball_radius(points, (int)count);
      const double outside = outermost(points, count, center) - radius - coarseness(points, count);
      if (expected == 0.0) assert_true(radius == 0.0 && outside <= 0.0);
      if (expected == 0.0) continue;
      worst_size = fmax(worst_size, fabs(radius - expected) / expected);
      worst_outside = fmax(worst_outside, outside / expected);
    }
  }
  print_message("largest relative error of a radius: %g, of a point outside: %g\n", worst_size, worst_outside);
  assert_true(worst_size <= 1e-12);
  assert_true(worst_outside <= 1e-14);
}

/* Triangles and tetrahedra in every order of their corners, a million calls; and scaled by powers of two, to the bit.
 */
TEST(test_order_and_scale_do_not_matter) {
  double worst = 0.0;
  uint64_t changed = 0;
  for (int kind = 0; kind < SET_KIND_COUNT; ++kind) {
    pair_generator generator = {7100 + (uint64_t)kind};
    for (int i = 0; i < SHAPES_PER_KIND; ++i) {
      double points[12], other[12], center[3], other_center[3];
      const uint32_t count = 3 + (uint32_t)i % 2;
      set_generate(&generator, (set_kind)kind, count, points);
      const double diameter = smallest_ball(points, count, center);
      const uint32_t turn = pair_generator_below(&generator, count), swap = pair_generator_below(&generator, 2);
      for (uint32_t j = 0; j < count; ++j) {
        const uint32_t from = swap != 0 ? (turn + count - j) % count : (turn + j) % count;
        memcpy(other + 3 * j, points + 3 * from, 3 * sizeof(double));
      }
      const double again = smallest_ball(other, count, other_center);
      worst = fmax(worst, fabs(again - diameter) / (diameter + coarseness(points, count) + 0x1p-1000));
      const double scale = ldexp(1.0, (int)pair_generator_below(&generator, 1200) - 600);
      for (uint32_t j = 0; j < 3 * count; ++j) other[j] = points[j] * scale;
      changed += smallest_ball(other, count, other_center) != diameter * scale;
      for (int axis = 0; axis < 3; ++axis) changed += other_center[axis] != center[axis] * scale;
    }
  }
  print_message("largest change of a diameter by another order: %g\n", worst);
  assert_true(worst <= 1e-13);
  assert_int_equal(changed, 0);
}

/* Many points inside a ball whose support is among them: four corners of a cube. Cospherical crowds have many
 * supports. */
TEST(test_crowds) {
  static double points[3 * CROWD_LIMIT];
  static const double corners[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (int i = 0; i < CROWDS; ++i) {
    pair_generator generator = {7200 + (uint64_t)i};
    const uint32_t count = 8 + pair_generator_below(&generator, CROWD_LIMIT - 8);
    const double size = i % 2 == 0 ? sqrt(3.0) : 21.0;
    for (uint32_t j = 0; j < count; ++j) {
      set_point(&generator, i % 2 == 0 ? SET_NEARLY_COSPHERICAL : SET_COSPHERICAL, corners[0], 0.0, points + 3 * j);
      const double depth = i % 2 == 0 ? 1.7 : 1.0;
      for (int axis = 0; axis < 3; ++axis) points[3 * j + (uint32_t)axis] *= depth;
    }
    for (uint32_t j = 0; j < 4; ++j) {
      const uint32_t place = j * (count / 4);
      for (uint32_t axis = 0; axis < 3; ++axis) points[3 * place + axis] = corners[j][axis];
    }
    if (i % 2 == 1) { /* opposite points: the ball is that of square 441, whatever else lies on it */
      const double tall[6] = {0, 0, 21, 0, 0, -21};
      memcpy(points + 3 * (count - 2), tall, sizeof tall);
    }
    double center[3];
    const double diameter = smallest_ball(points, count, center);
    assert_true(fabs(diameter / (2 * size) - 1.0) <= 1e-14);
    assert_true(vector3_length(vector3_load(center)) <= 1e-12 * size);
  }
}
