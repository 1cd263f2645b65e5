/* Tests the coverings for the bounds of docs/theory/k_free.md on thousands of shapes, and the scene that exceeds a
 * bound of 3 n k. Coverings of simplices are checked by dense samples, those of disc and ball by subdivision, which
 * leaves no gap between samples. */
#include <stddef.h>
#include <stdint.h>

#include "covering_tables.h"
#include "geometry/smallest_ball.h"
#include "geometry/triangle_distance.h"
#include "pair_generator.h"
#include "test_effort.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { SHAPES = 500, COPIES = 2 };
#else
enum { SHAPES = 20000, COPIES = 10 };
#endif

enum { SIMPLEX_LIMIT = 4, COVER_LIMIT = 24, STEPS = 16, DEPTH_LIMIT = 30 };

/* Balls of one radius. */
typedef struct covering {
  uint32_t count;
  double radius;
  vector3 center[COVER_LIMIT];
} covering;

static bool covering_holds(const covering *cover, vector3 point, double tolerance) {
  for (uint32_t i = 0; i < cover->count; ++i) {
    if (vector3_length(vector3_subtract(point, cover->center[i])) <= cover->radius + tolerance) return true;
  }
  return false;
}

typedef struct simplex_shape {
  uint32_t count;
  vector3 corner[SIMPLEX_LIMIT], center;
  double diameter;
} simplex_shape;

/* Random corners, thin and flat ones, right angles and lattices, all with the ball that encloses them. */
static simplex_shape shape_generate(pair_generator *generator, uint32_t count, uint32_t index) {
  double points[3 * SIMPLEX_LIMIT], center[3];
  const double thin = ldexp(1.0, -(int)pair_generator_below(generator, 40));
  for (uint32_t i = 0; i < 3 * count; ++i) {
    points[i] = pair_generator_coordinate(generator);
    if (index % 5 == 1) points[i] = (double)pair_generator_below(generator, 4);
    if (index % 5 == 2 && i % 3 != 0) points[i] *= thin;
    if (index % 5 == 3 && i % 3 == 2) points[i] *= thin;
  }
  for (uint32_t i = 0; i < count && index % 5 == 4; ++i) { /* on a sphere: the center is often inside */
    const vector3 place = vector3_load(points + 3 * i);
    vector3_store(vector3_scale(place, 1.0 / (vector3_length(place) + 0x1p-60)), points + 3 * i);
  }
  simplex_shape shape;
  shape.count = count;
  shape.diameter = smallest_ball(points, count, center);
  shape.center = vector3_load(center);
  for (uint32_t i = 0; i < count; ++i) shape.corner[i] = vector3_load(points + 3 * i);
  return shape;
}

/* Weights that are multiples of 1 / STEPS: corners, edges, faces and inside alike. */
static uint64_t count_uncovered(const simplex_shape *shape, const covering *cover) {
  uint64_t uncovered = 0;
  for (int i = 0; i <= STEPS; ++i) {
    for (int j = 0; i + j <= STEPS; ++j) {
      for (int k = shape->count == 4 ? 0 : STEPS - i - j; i + j + k <= STEPS; ++k) {
        const double weight[4] = {(double)i / STEPS, (double)j / STEPS, (double)k / STEPS,
                                  (double)(STEPS - i - j - k) / STEPS};
        vector3 point = vector3_make(0.0, 0.0, 0.0);
        for (uint32_t corner = 0; corner < shape->count; ++corner)
          point = vector3_add(point, vector3_scale(shape->corner[corner], weight[corner]));
        uncovered += !covering_holds(cover, point, 1e-14 * (1.0 + shape->diameter));
      }
    }
  }
  return uncovered;
}

/* The balls of diameter d / parts around (C + the sum of parts - 1 corners) / parts, one for each choice of corners
 * with repetition; with solids, around each gap (C' + ...) as well, see k_free.md. */
static covering covering_make(const simplex_shape *shape, uint32_t parts) {
  covering cover;
  cover.count = 0;
  cover.radius = 0.5 * shape->diameter / parts;
  const uint32_t choices = parts - 1, codes = 1u << (2 * choices);
  for (uint32_t code = 0; code < codes; ++code) {
    vector3 sum = shape->center;
    uint32_t last = 0;
    bool ordered = true;
    for (uint32_t i = 0; i < choices; ++i) {
      const uint32_t corner = code >> (2 * i) & 3u;
      ordered = ordered && corner >= last && corner < shape->count;
      if (ordered) sum = vector3_add(sum, shape->corner[corner]);
      last = corner;
    }
    if (ordered) cover.center[cover.count++] = vector3_scale(sum, 1.0 / parts);
  }
  for (uint32_t i = 0; i < 4 && shape->count == 4 && parts == 4; ++i) {
    vector3 sum = vector3_subtract(shape->corner[i], shape->center);
    for (uint32_t corner = 0; corner < 4; ++corner) sum = vector3_add(sum, shape->corner[corner]);
    cover.center[cover.count++] = vector3_scale(sum, 1.0 / parts);
  }
  return cover;
}

static void check_simplices(uint32_t corners, uint32_t parts, uint32_t expected_count) {
  uint64_t uncovered = 0;
  for (uint32_t i = 0; i < SHAPES; ++i) {
    pair_generator generator = {9000 + 100000ull * corners + i};
    const simplex_shape shape = shape_generate(&generator, corners, i);
    const covering cover = covering_make(&shape, parts);
    assert_int_equal(cover.count, expected_count);
    uncovered += count_uncovered(&shape, &cover);
  }
  assert_int_equal(uncovered, 0);
}

TEST(test_triangles_by_three_discs) {
  check_simplices(3, 2, 3);
}

TEST(test_triangles_by_ten_discs) {
  check_simplices(3, 4, 10);
}

TEST(test_tetrahedra_by_four_balls) {
  check_simplices(4, 2, 4);
}

TEST(test_tetrahedra_by_twenty_four_balls) {
  check_simplices(4, 4, 24);
}

/* Part of the cube of half side h around x, y, z that lies in the unit ball. */
typedef struct cell {
  double x, y, z, half;
  int depth;
} cell;

static bool cell_is_covered(const cell *c, const double (*centers)[3], uint32_t count, double radius, bool flat) {
  for (uint32_t i = 0; i < count; ++i) {
    const double x = fabs(c->x - centers[i][0]) + c->half, y = fabs(c->y - centers[i][1]) + c->half;
    const double z = flat ? 0.0 : fabs(c->z - centers[i][2]) + c->half;
    if (x * x + y * y + z * z <= radius * radius) return true;
  }
  return false;
}

static bool cell_is_outside(const cell *c, bool flat) {
  const double x = fmax(fabs(c->x) - c->half, 0.0), y = fmax(fabs(c->y) - c->half, 0.0);
  const double z = flat ? 0.0 : fmax(fabs(c->z) - c->half, 0.0);
  return x * x + y * y + z * z > 1.0;
}

/* Whether balls of one radius cover the unit disc or ball: cells are split until each lies in one of them or outside.
 */
static bool unit_ball_is_covered(const double (*centers)[3], uint32_t count, double radius, bool flat) {
  cell waiting[7 * DEPTH_LIMIT + 8];
  uint32_t waiting_count = 1;
  waiting[0] = (cell){0.0, 0.0, 0.0, 1.0, 0};
  while (waiting_count > 0) {
    const cell c = waiting[--waiting_count];
    if (cell_is_outside(&c, flat) || cell_is_covered(&c, centers, count, radius, flat)) continue;
    if (c.depth == DEPTH_LIMIT) return false;
    const double half = 0.5 * c.half;
    for (int i = 0; i < (flat ? 4 : 8); ++i) {
      const double z = flat ? 0.0 : c.z + ((i & 4) != 0 ? half : -half);
      waiting[waiting_count++] =
          (cell){c.x + ((i & 1) != 0 ? half : -half), c.y + ((i & 2) != 0 ? half : -half), z, half, c.depth + 1};
    }
  }
  return true;
}

/* One in the middle and six at the middles of the sides of the inscribed hexagon. They meet in points on the circle, so
 * the radius is taken a millionth larger; exactness is shown in k_free.md. */
TEST(test_disc_by_seven_discs) {
  const double far = sqrt(0.75);
  const double centers[7][3] = {{0, 0, 0},
                                {far, 0, 0},
                                {-far, 0, 0},
                                {0.5 * far, 0.75, 0},
                                {-0.5 * far, 0.75, 0},
                                {0.5 * far, -0.75, 0},
                                {-0.5 * far, -0.75, 0}};
  assert_true(unit_ball_is_covered(centers, 7, 0.5 * (1 + 1e-6), true));
  assert_false(unit_ball_is_covered(centers, 6, 0.5 * (1 + 1e-6), true));
  assert_false(unit_ball_is_covered(centers, 7, 0.499, true));
}

TEST(test_disc_by_quarter_discs) {
  assert_true(unit_ball_is_covered(quarter_discs, QUARTER_DISC_COUNT, 0.25, true));
  assert_false(unit_ball_is_covered(quarter_discs, QUARTER_DISC_COUNT - 1, 0.25, true));
}

TEST(test_ball_by_half_balls) {
  assert_true(unit_ball_is_covered(half_balls, HALF_BALL_COUNT, 0.5, false));
  assert_false(unit_ball_is_covered(half_balls, HALF_BALL_COUNT - 1, 0.5, false));
}

TEST(test_ball_by_quarter_balls) {
  assert_true(unit_ball_is_covered(quarter_balls, QUARTER_BALL_COUNT, 0.25, false));
  assert_false(unit_ball_is_covered(quarter_balls, QUARTER_BALL_COUNT - 1, 0.25, false));
}

enum { SHEETS = 5, NEEDLES = 10 };

/* Level j of equilateral triangles with an enclosing circle of diameter 1, a little more than 1/4 apart. */
static void sheet_make(int level, int copy, double t[9]) {
  const double z = 0.2505 * (level - 2) + 1e-5 * copy;
  const double corners[9] = {0.5, 0.0, z, -0.25, 0.25 * sqrt(3.0), z, -0.25, -0.25 * sqrt(3.0), z};
  memcpy(t, corners, sizeof corners);
}

/* Needles of length 1.01 across all sheets, through the ten points of a triangular lattice, 0.28 apart. */
static void needle_make(int place, int copy, double t[9]) {
  double sheet[9];
  sheet_make(2, 0, sheet);
  int row = 0, column = place;
  for (; column > row; ++row) column -= row + 1;
  const double weight[3] = {(3.0 - row) / 3.0, (double)column / 3.0, (double)(row - column) / 3.0};
  double x = 1e-5 * copy, y = 0.0;
  for (int i = 0; i < 3; ++i) {
    x += 0.98 * weight[i] * sheet[3 * i];
    y += 0.98 * weight[i] * sheet[3 * i + 1];
  }
  const double corners[9] = {x, y, -0.505, x, y, 0.505, x, y + 1e-4, 0.0};
  memcpy(t, corners, sizeof corners);
}

/* The largest k of a set: 1 and the number of others that are as large and within a quarter of its diameter. */
static uint32_t crowding_of(double (*triangles)[9], uint32_t count) {
  uint32_t largest = 0;
  for (uint32_t i = 0; i < count; ++i) {
    double center[3], a[3], b[3];
    const double diameter = smallest_ball(triangles[i], 3, center);
    uint32_t k = 1;
    for (uint32_t j = 0; j < count; ++j) {
      if (j == i || smallest_ball(triangles[j], 3, center) < diameter * (1 - 1e-12)) continue;
      orientation_tally tally = {0};
      k += triangle_pair_distance(triangles[i], triangles[j], a, b, &tally) <= 0.25 * diameter;
    }
    largest = k > largest ? k : largest;
  }
  return largest;
}

/* Two sets of which each triangle has k = 1, or 10 when each is there ten times: more than 3 n k pairs meet, even when
 * a triangle counts itself once more. 10 n k holds. */
static void check_counterexample(uint32_t copies) {
  static double sheets[SHEETS * COPIES][9], needles[NEEDLES * COPIES][9];
  const uint32_t sheet_count = SHEETS * copies, needle_count = NEEDLES * copies, count = sheet_count + needle_count;
  for (uint32_t i = 0; i < sheet_count; ++i) sheet_make((int)(i % SHEETS), (int)(i / SHEETS), sheets[i]);
  for (uint32_t i = 0; i < needle_count; ++i) needle_make((int)(i % NEEDLES), (int)(i / NEEDLES), needles[i]);
  assert_int_equal(crowding_of(sheets, sheet_count), copies);
  assert_int_equal(crowding_of(needles, needle_count), copies);
  uint32_t pairs = 0;
  for (uint32_t i = 0; i < sheet_count * needle_count; ++i) {
    orientation_tally tally = {0};
    pairs += triangle_pair_intersects(sheets[i % sheet_count], needles[i / sheet_count], &tally);
  }
  assert_int_equal(pairs, 50 * copies * copies);
  assert_true(pairs > 3 * count * copies);
  if (copies >= 10) assert_true(pairs > 3 * count * (copies + 1));
  assert_true(pairs <= 10 * count * copies);
}

TEST(test_three_n_k_is_exceeded) {
  check_counterexample(1);
  check_counterexample(COPIES);
}
