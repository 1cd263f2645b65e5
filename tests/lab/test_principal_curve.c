/* Tests the principal curve of the benchmark: it fits a bent cloud better than a line, and triangles that share a point
 * have overlapping intervals along it, for any position. */
#include "lab/principal_curve.h"
#include "testing.h"

#include <math.h>
#include <stdint.h>

enum { POINTS = 600, TRIANGLES = 4000, SAMPLES = 30 };

static double positions[3 * POINTS];
static unsigned char parts[POINTS];

/* In [0, 1). */
static double next_number(uint64_t *sequence) {
  *sequence = *sequence * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*sequence >> 11) * 0x1p-53;
}

/* Three quarters of a circle of radius one, a little thick. */
static curve_points bent_cloud(void) {
  uint64_t sequence = 5;
  for (size_t i = 0; i < POINTS; i++) {
    const double angle = 4.7 * next_number(&sequence);
    positions[3 * i] = cos(angle) + 0.05 * next_number(&sequence);
    positions[3 * i + 1] = sin(angle) + 0.05 * next_number(&sequence);
    positions[3 * i + 2] = 0.05 * next_number(&sequence);
  }
  return (curve_points){.positions = positions, .count = POINTS, .parts = parts};
}

static principal_curve learn(curve_points *points, size_t segments) {
  principal_curve curve;
  principal_curve_start(&curve, points);
  principal_curve_fit(&curve, points);
  while (curve.segment_count < segments) {
    principal_curve_grow(&curve, points);
    principal_curve_fit(&curve, points);
  }
  return curve;
}

TEST(it_follows_the_points) {
  curve_points points = bent_cloud();
  const principal_curve line = learn(&points, 1), bent = learn(&points, 8);
  assert_int_equal(bent.segment_count, 8);
  const double far = principal_curve_error(&line, &points), near = principal_curve_error(&bent, &points);
  assert_true(near < 0.05 * far);
  for (size_t i = 0; i < 8; i++) assert_true(bent.arcs[i + 1] >= bent.arcs[i]);
  assert_true(bent.arcs[8] > 3.0 && bent.arcs[8] < 7.0); /* the arc is 4.7 long */
}

TEST(points_of_triangles_are_covered) {
  curve_points points = bent_cloud();
  const principal_curve curve = learn(&points, 8);
  uint64_t sequence = 9;
  size_t with_several = 0;
  for (size_t i = 0; i < TRIANGLES; i++) {
    const double size = i % 4 == 0 ? 2.0 : 0.1;
    double middle[3], corners[3][3];
    for (int k = 0; k < 3; k++) middle[k] = 3.0 * next_number(&sequence) - 1.5;
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) corners[c][k] = middle[k] + size * (next_number(&sequence) - 0.5);
    curve_interval intervals[CURVE_SEGMENTS_MOST];
    const size_t count = principal_curve_intervals(&curve, (const double(*)[3])corners, 3, intervals);
    with_several += count > 1;
    assert_true(count >= 1 && count <= 8);
    for (int sample = 0; sample < SAMPLES; sample++) {
      double a = next_number(&sequence), b = next_number(&sequence), inside[3];
      if (a + b > 1.0) {
        a = 1.0 - a;
        b = 1.0 - b;
      }
      for (int k = 0; k < 3; k++) inside[k] = a * corners[0][k] + b * corners[1][k] + (1.0 - a - b) * corners[2][k];
      const double arc = principal_curve_arc(&curve, inside);
      size_t covering = 0;
      for (size_t j = 0; j < count; j++) covering += arc >= intervals[j].start - 1e-9 && arc <= intervals[j].end + 1e-9;
      assert_true(covering >= 1);
    }
  }
  assert_true(with_several > TRIANGLES / 100);
}

/* All points in one place: nothing to divide by. */
TEST(one_place_is_no_trouble) {
  for (size_t i = 0; i < 3 * POINTS; i++) positions[i] = 2.0;
  curve_points points = {.positions = positions, .count = POINTS, .parts = parts};
  const principal_curve curve = learn(&points, CURVE_SEGMENTS_MOST);
  const double corners[3][3] = {{2.0, 2.0, 2.0}, {3.0, 2.0, 2.0}, {2.0, 3.0, 2.0}};
  curve_interval intervals[CURVE_SEGMENTS_MOST];
  const size_t count = principal_curve_intervals(&curve, corners, 3, intervals);
  assert_true(count >= 1);
  assert_true(isfinite(intervals[0].start) && isfinite(intervals[count - 1].end));
}
