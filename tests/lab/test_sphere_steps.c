/* Tests steps of processors: the pairs are those of all comparisons, the bounds hold, and the work of the busiest
 * processor does not grow with the number of spheres if there is one processor for each. */
#include "lab/sphere_steps.h"
#include "testing.h"

#include "models/sphere_packing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { FULLEST_MOST = 412 };

/* The spheres of a built-in packing, shifted and turned by a quarter about z. */
static graze_sphere *make_spheres(packed_body body, size_t count, double shift, bool turned) {
  OWNED(sphere_packing) packing;
  assert_true(sphere_packing_make(body, count, 7, &packing));
  graze_sphere *const spheres = calloc(count, sizeof *spheres);
  assert_non_null(spheres);
  for (size_t i = 0; i < count; i++) {
    const double *const c = packing.centers[i];
    spheres[i] = (graze_sphere){{(turned ? -c[1] : c[0]) + shift, turned ? c[0] : c[1], c[2]}, packing.radii[i]};
  }
  return spheres;
}

static uint64_t count_all(const graze_sphere *a, const graze_sphere *b, size_t count) {
  uint64_t pairs = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      double square = 0.0;
      for (int k = 0; k < 3; k++) square += (a[i].center[k] - b[j].center[k]) * (a[i].center[k] - b[j].center[k]);
      pairs += square <= (a[i].radius + b[j].radius) * (a[i].radius + b[j].radius);
    }
  return pairs;
}

static void check_bounds(const sphere_steps *steps, size_t count) {
  assert_int_equal(steps->count, 2 * count);
  assert_true(steps->listings_most >= 1 && steps->listings_most <= 8);
  assert_true(steps->cells_most <= 8 * steps->levels);
  assert_true(steps->fullest_cell >= 1 && steps->fullest_cell <= FULLEST_MOST);
  assert_true(steps->met_most <= steps->cells_most * steps->fullest_cell);
  assert_true(steps->steps_most <= steps->cells_most + steps->met_most);
  assert_int_equal(sphere_steps_busiest(steps, 1), steps->steps);
  assert_int_equal(sphere_steps_busiest(steps, 2 * count), steps->steps_most);
  assert_int_equal(sphere_steps_busiest(steps, 4 * count), steps->steps_most);
  assert_true(sphere_steps_busiest(steps, 2) >= (steps->steps + 1) / 2);
}

TEST(pairs_are_those_of_all_comparisons) {
  enum { COUNT = 1500 };
  for (int body = 0; body < PACKED_BODIES; body++) {
    OWNED_MEMORY graze_sphere *const a = make_spheres((packed_body)body, COUNT, 0.0, false);
    OWNED_MEMORY graze_sphere *const b = make_spheres((packed_body)body, COUNT, 0.3, true);
    sphere_steps steps;
    assert_true(sphere_steps_count(a, COUNT, b, COUNT, &steps));
    assert_true(steps.pairs > 100);
    assert_int_equal(steps.pairs, count_all(a, b, COUNT));
    check_bounds(&steps, COUNT);
    sphere_steps_free(&steps);
    /* Upon itself: every sphere touches its copy, of the same size. */
    assert_true(sphere_steps_count(a, COUNT, a, COUNT, &steps));
    assert_int_equal(steps.pairs, count_all(a, a, COUNT));
    sphere_steps_free(&steps);
  }
}

TEST(one_processor_a_sphere_has_no_more_to_do) {
  uint32_t most = 0;
  for (size_t count = 500; count <= 32000; count *= 4) {
    OWNED_MEMORY graze_sphere *const a = make_spheres(PACKED_DUMBBELL, count, 0.0, false);
    OWNED_MEMORY graze_sphere *const b = make_spheres(PACKED_DUMBBELL, count, 0.3, true);
    OWNED(sphere_steps) steps;
    assert_true(sphere_steps_count(a, count, b, count, &steps));
    check_bounds(&steps, count);
    if (most == 0) most = steps.steps_most;
    assert_true(steps.steps_most < 3 * most); /* 64 times the spheres; the levels are some more */
  }
}

TEST(nothing_is_counted_where_nothing_is) {
  const graze_sphere one = {{0.0, 0.0, 0.0}, 1.0}, tiny = {{1e10, 0.0, 0.0}, 1e-3};
  sphere_steps steps;
  assert_true(sphere_steps_count(&one, 1, NULL, 0, &steps));
  assert_int_equal(steps.pairs, 0);
  sphere_steps_free(&steps);
  assert_true(sphere_steps_count(NULL, 0, NULL, 0, &steps));
  assert_int_equal(sphere_steps_busiest(&steps, 5), 0);
  sphere_steps_free(&steps);
  assert_false(sphere_steps_count(&one, 1, &tiny, 1, &steps)); /* 10^13 cells along a side */
  assert_null(steps.each);
}
