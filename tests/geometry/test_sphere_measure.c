/* Tests lenses of balls against high precision, near touching, near containment and at every scale; their volume
 * against its derivative, the disc; and translations that separate a ball from a piece, with the exact test: slightly
 * shorter ones do not separate them, slightly longer ones do. */
#include <float.h>
#include <stddef.h>
#include <stdint.h>

#include "cell_generator.h"
#include "geometry/sphere_measure.h"
#include "geometry/sphere_pair.h"
#include "high_lens.h"
#include "rational_distance.h"
#include "sphere_generator.h"
#include "test_effort.h"
#include "test_scale.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { LENSES = 500, TOUCHES = 2000, STEPS = 2000 };
#else
enum { LENSES = 40000, TOUCHES = 100000, STEPS = 20000 };
#endif

typedef struct lens_case {
  double a[3], b[3], r, s;
} lens_case;

/* Balls at some distance along a direction of integers, with radii that leave a gap of 2^-bits between touching, or
 * containing, and what they are: no more than coordinates can say. */
static void make_close(pair_generator *generator, bool contains, lens_case *out) {
  const int way[4][4] = {{1, 2, 2, 3}, {2, 3, 6, 7}, {1, 4, 8, 9}, {0, 0, 1, 1}};
  const int *row = way[pair_generator_below(generator, 4)];
  const double unit = ldexp(1.0, -(int)pair_generator_below(generator, 20));
  for (int axis = 0; axis < 3; ++axis) {
    out->a[axis] = floor(8.0 * pair_generator_coordinate(generator));
    out->b[axis] = out->a[axis] + row[axis] * unit;
  }
  const double distance = row[3] * unit, gap = ldexp(distance, -(int)pair_generator_below(generator, 52));
  const double radius = fabs(pair_generator_coordinate(generator)) * distance;
  const double ratio = ldexp(1.0, (int)pair_generator_below(generator, 30));
  out->r = radius * (contains ? ratio : 1.0) + (contains ? distance : 0.0);
  out->s = contains ? (out->r - distance) + gap * radius : (distance - radius) + gap;
  if (pair_generator_below(generator, 2) == 0) {
    const double swapped = out->r;
    out->r = out->s;
    out->s = swapped;
  }
}

static void make_random(pair_generator *generator, lens_case *out) {
  const double ratio = ldexp(1.0, -(int)pair_generator_below(generator, 60));
  const double place = ldexp(1.0, (int)pair_generator_below(generator, 12));
  for (int axis = 0; axis < 3; ++axis) {
    out->a[axis] = place * pair_generator_coordinate(generator);
    out->b[axis] = out->a[axis] + pair_generator_coordinate(generator);
  }
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis) squared += (out->b[axis] - out->a[axis]) * (out->b[axis] - out->a[axis]);
  out->r = sqrt(squared) * (1.0 + ratio * pair_generator_coordinate(generator));
  out->s = fabs(pair_generator_coordinate(generator)) * ratio * 2.0;
}

static void scale_case(lens_case *made, int exponent) {
  for (int axis = 0; axis < 3; ++axis) {
    made->a[axis] = ldexp(made->a[axis], exponent);
    made->b[axis] = ldexp(made->b[axis], exponent);
  }
  made->r = ldexp(made->r, exponent);
  made->s = ldexp(made->s, exponent);
}

static double relative(double found, double expected) {
  return found == expected ? 0.0 : fabs(found - expected) / fabs(expected);
}

typedef struct lens_errors {
  double volume, area, depth, centroid;
  uint64_t count, contained, faults;
} lens_errors;

/* With volume and area in given units. */
static void measure_lens(const double *a, double r, const double *b, double s, sphere_lens *lens_out) {
  sphere_pair_lens(a, r, b, s, lens_out);
  lens_out->volume = times_power_of_two(lens_out->volume, 3 * lens_out->unit);
  lens_out->area = times_power_of_two(lens_out->area, 2 * lens_out->unit);
}

static void compare_lens(const lens_case *made, lens_errors *worst) {
  high_lens expected;
  sphere_lens found;
  high_lens_measure(made->a, made->r, made->b, made->s, &expected);
  if (!expected.meets || !(expected.depth > 0.0)) return;
  measure_lens(made->a, made->r, made->b, made->s, &found);
  const double small = fmin(made->r, made->s);
  worst->count += 1;
  worst->contained += expected.is_contained;
  worst->faults += found.is_contained != expected.is_contained;
  worst->volume = fmax(worst->volume, relative(found.volume, expected.volume));
  worst->area = fmax(worst->area, relative(found.area, expected.area));
  worst->depth = fmax(worst->depth, relative(found.depth, expected.depth));
  for (int axis = 0; axis < 3; ++axis) {
    const double place = fmax(fabs(made->a[axis]), fabs(made->b[axis]));
    worst->centroid = fmax(worst->centroid, fabs(found.centroid[axis] - expected.centroid[axis]) / (small + place));
    worst->faults +=
        !(fabs(found.centroid[axis] - (made->r < made->s ? made->a : made->b)[axis]) <= small + place * 1e-15);
    const double reach = found.witness_b[axis] + found.depth * found.normal[axis] - found.witness_a[axis];
    worst->faults += !(fabs(reach) <= 1e-14 * (made->r + made->s + place));
  }
  const vector3 normal = vector3_load(found.normal);
  worst->faults += fabs(vector3_length(normal) - 1.0) > 1e-15;
}

TEST(test_lenses) {
  lens_errors worst = {0};
  pair_generator generator = {9700};
  for (size_t i = test_scaled(LENSES, 200); i > 0; --i) {
    lens_case made;
    if (i % 4 == 0)
      make_random(&generator, &made);
    else
      make_close(&generator, i % 4 == 1, &made);
    if (i % 3 == 0) scale_case(&made, (int)pair_generator_below(&generator, 560) - 280);
    compare_lens(&made, &worst);
  }
  print_message("%lu lenses, %lu contained; largest errors: volume %g, area %g, depth %g, centroid %g\n",
                (unsigned long)worst.count, (unsigned long)worst.contained, worst.volume, worst.area, worst.depth,
                worst.centroid);
  assert_true(worst.count > 0 && worst.contained > 0 && worst.contained < worst.count);
  assert_int_equal(worst.faults, 0);
  assert_true(worst.volume <= 0x1p-48 && worst.area <= 0x1p-48 && worst.depth <= 0x1p-48 && worst.centroid <= 0x1p-48);
}

/* Points, equal balls, one point twice; radii and coordinates at the ends of what there is. */
TEST(test_lenses_at_the_ends) {
  const double origin[3] = {0.0, 0.0, 0.0}, largest[3] = {DBL_MAX, -DBL_MAX, DBL_MAX}, tiny[3] = {0x1p-1074, 0.0, 0.0};
  sphere_lens lens;
  measure_lens(origin, 0.0, origin, 0.0, &lens);
  assert_true(lens.volume == 0.0 && lens.area == 0.0 && lens.depth == 0.0 && lens.normal[2] == 1.0);
  measure_lens(origin, 1.0, origin, 1.0, &lens);
  assert_true(lens.is_contained && lens.depth == 2.0 && lens.normal[2] == 1.0 && fabs(lens.volume - 4.1887902) < 1e-6);
  measure_lens(origin, 1.0, tiny, 0.0, &lens);
  assert_true(lens.volume == 0.0 && lens.depth == 1.0 && lens.centroid[0] == 0x1p-1074);
  measure_lens(tiny, 0x1p-1074, origin, 0x1p-1074, &lens);
  assert_true(lens.depth == 0x1p-1074 && lens.volume == 0.0 && lens.normal[0] == -1.0);
  measure_lens(origin, DBL_MAX, largest, DBL_MAX, &lens);
  assert_true(lens.volume > DBL_MAX && lens.depth > 0x1p1020 && lens.depth <= DBL_MAX);
  for (int axis = 0; axis < 3; ++axis) assert_true(fabs(lens.centroid[axis]) <= DBL_MAX);
  measure_lens(largest, 1.0, largest, 2.0, &lens);
  assert_true(lens.is_contained && lens.depth == 3.0 && lens.centroid[0] == DBL_MAX);
  measure_lens(origin, 1e100, origin, 1e100, &lens);
  assert_true(relative(lens.volume, 4.0 / 3.0 * SPHERE_PI * 1e300) < 1e-14);
}

static sphere_lens lens_at(double r, double s, double distance) {
  const double a[3] = {0.0, 0.0, 0.0}, b[3] = {distance, 0.0, 0.0};
  sphere_lens lens;
  measure_lens(a, r, b, s, &lens);
  return lens;
}

/* From one center in the other until they part: the volume falls by the disc's area times the way, and nothing jumps.
 * The centroid moves no faster than the ball. */
TEST(test_lens_along_a_path) {
  const double radii[4][2] = {{1.0, 1.0}, {1.0, 0.25}, {1.0, 0.001}, {0.3, 1.0}};
  const size_t steps = test_scaled(STEPS, 500);
  double worst = 0.0;
  for (int i = 0; i < 4; ++i) {
    const double r = radii[i][0], s = radii[i][1], step = (r + s) / (double)steps, small = fmin(r, s);
    for (size_t k = 0; k < steps; ++k) {
      const double from = step * (double)k, to = fmin(r + s, step * (double)(k + 1));
      const sphere_lens before = lens_at(r, s, from), after = lens_at(r, s, to),
                        middle = lens_at(r, s, 0.5 * (from + to));
      const double fall = before.volume - after.volume, size = SPHERE_PI * small * small * step;
      /* The mean of the area over the step, by Simpson; at a kink, where containment ends, only bounded. */
      const double mean = (before.area + 4.0 * middle.area + after.area) / 6.0;
      const bool has_kink = before.is_contained != after.is_contained;
      if (!has_kink) worst = fmax(worst, fabs(fall - mean * (to - from)) / size);
      assert_true(fall >= -1e-13 * size / step && fall <= 1.001 * size + 1e-13);
      assert_true(fabs(after.centroid[0] - before.centroid[0]) <= 1.001 * (to - from) + 1e-13);
    }
  }
  print_message("largest difference of a fall of volume from the disc, in discs of the small ball: %g\n", worst);
  assert_true(worst <= 1e-6);
}

static double extent_of(const double *c, const double *points, uint32_t count) {
  double extent = 0.0;
  for (uint32_t i = 0; i < 3 * count; ++i) extent = fmax(extent, fabs(points[i] - c[i % 3]));
  return extent;
}

/* Whether the piece, moved along the normal, still meets the ball, by the exact test. */
static bool meets_moved(const double *c, double r, const double *points, uint32_t count, const double *normal,
                        double way) {
  double moved[3 * CELL_CORNERS];
  orientation_tally tally = {0};
  for (uint32_t i = 0; i < 3 * count; ++i) moved[i] = points[i] + way * normal[i % 3];
  return sphere_convex_intersects(c, r, moved, count, &tally);
}

static uint64_t faults_of_touch(const double *c, double r, const double *points, uint32_t count) {
  sphere_touch touch;
  sphere_convex_touch(c, r, points, count, &touch);
  const double extent = extent_of(c, points, count), size = extent + r + 0x1p-1000, slack = 1e-11 * size;
  const double place = fmax(size, largest_magnitude(points, (int)(3 * count)));
  uint64_t faults = fabs(vector3_length(vector3_load(touch.normal)) - 1.0) > 1e-12;
  faults += meets_moved(c, r, points, count, touch.normal, touch.depth + slack + 1e-14 * place);
  if (touch.depth > slack + 1e-14 * place)
    faults += !meets_moved(c, r, points, count, touch.normal, touch.depth - slack - 1e-14 * place);
  for (int axis = 0; axis < 3; ++axis) {
    const double gap = touch.witness_a[axis] - touch.witness_b[axis] - touch.depth * touch.normal[axis];
    faults += !(fabs(gap) <= slack + 1e-14 * place);
  }
  /* No shorter way out: the ball's surface is no nearer than the depth says. */
  if (!touch.is_inside && count == 3)
    faults += fabs(r - rational_distance(c, 1, points, 3) - touch.depth) > 1e-12 * size;
  return faults;
}

TEST(test_touches) {
  uint64_t faults = 0, measured = 0;
  for (int kind = 0; kind < SPHERE_SUBNORMAL; ++kind) {
    pair_generator generator = {9800 + (uint64_t)kind};
    for (size_t i = test_scaled((size_t)TOUCHES * sphere_kind_share((sphere_kind)kind) / 1000, 20); i > 0; --i) {
      sphere_case made;
      orientation_tally tally = {0};
      sphere_case_generate(&generator, (sphere_kind)kind, &made);
      for (uint32_t count = 3; count <= 4; ++count) {
        if (!sphere_convex_intersects(made.center, made.radius, made.corners, count, &tally)) continue;
        faults += faults_of_touch(made.center, made.radius, made.corners, count) > 0;
        const double more = made.radius + 0.75 * extent_of(made.center, made.corners, count);
        faults += faults_of_touch(made.center, more, made.corners, count) > 0;
        measured += 1;
      }
    }
    if (faults != 0) print_message("wrong at: %s\n", sphere_kind_words((sphere_kind)kind));
  }
  print_message("%lu touches\n", (unsigned long)measured);
  assert_int_equal(faults, 0);
  assert_true(measured > 0);
}

/* Cells of up to 64 corners, and balls about corners of others. */
TEST(test_touches_of_cells) {
  uint64_t faults = 0, measured = 0, inside = 0;
  for (int kind = 0; kind < CELL_SCALED_EXACT; ++kind) {
    pair_generator generator = {9900 + (uint64_t)kind};
    for (size_t i = test_scaled((size_t)TOUCHES * cell_kind_share((cell_kind)kind) / 4000, 20); i > 0; --i) {
      cell_pair pair;
      orientation_tally tally = {0};
      cell_pair_generate(&generator, (cell_kind)kind, &pair);
      const double radius = extent_of(pair.p, pair.q, pair.q_count) * fabs(pair_generator_coordinate(&generator));
      if (!sphere_convex_intersects(pair.p, radius, pair.q, pair.q_count, &tally)) continue;
      faults += faults_of_touch(pair.p, radius, pair.q, pair.q_count) > 0;
      inside += convex_pair_intersects(pair.p, 1, pair.q, pair.q_count, &tally);
      measured += 1;
    }
    if (faults != 0) print_message("wrong at: %s\n", cell_kind_words((cell_kind)kind));
  }
  print_message("%lu touches of cells, %lu from inside\n", (unsigned long)measured, (unsigned long)inside);
  assert_int_equal(faults, 0);
  assert_true(inside > 0 && inside < measured);
}

/* A center in a box: out through the nearest face, and the radius. */
TEST(test_touch_from_inside) {
  double box[24];
  for (int i = 0; i < 8; ++i) {
    box[3 * i] = (i & 1) != 0 ? 4.0 : 0.0;
    box[3 * i + 1] = (i & 2) != 0 ? 4.0 : 0.0;
    box[3 * i + 2] = (i & 4) != 0 ? 4.0 : 0.0;
  }
  const double center[3] = {2.0, 3.5, 2.0};
  sphere_touch touch;
  sphere_convex_touch(center, 1.0, box, 8, &touch);
  assert_true(touch.is_inside && fabs(touch.depth - 1.5) < 1e-12);
  assert_true(fabs(touch.normal[1] + 1.0) < 1e-12 && fabs(touch.witness_b[1] - 4.0) < 1e-12);
  assert_true(fabs(touch.witness_a[1] - 2.5) < 1e-12);
  /* Across the face nothing jumps. */
  for (int i = -10; i <= 10; ++i) {
    const double near[3] = {2.0, 4.0 + i * 1e-3, 2.0};
    sphere_convex_touch(near, 1.0, box, 8, &touch);
    assert_true(fabs(touch.depth - (1.0 - i * 1e-3)) < 1e-12 && fabs(touch.normal[1] + 1.0) < 1e-12);
  }
}
