/* Compares the library's k with its definition, for every kind of primitive, on small objects with many ties: lattices
 * on which many primitives are equal and many distances are exactly a quarter of a diameter. Also compares the grid
 * with brute force for any number of workers. */
#include "base/checked_allocator.h"
#include "base/number_sequence.h"
#include "base/worker_teams.h"
#include "crowding_subject.h"
#include "methods/method_table.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SUBJECT_KINDS = 4 }; /* spheres are in test_spheres.c */
static const char *const kind_names[SUBJECT_KINDS] = {"triangles", "polygons", "tetrahedra", "polyhedra"};
static const uint32_t corner_counts[SUBJECT_KINDS] = {3, 5, 4, 8};

typedef enum layout {
  LAYOUT_LATTICE, /* corners on a coarse lattice, shared where they coincide */
  LAYOUT_SOUP,  /* on a lattice of a quarter of the size, no index shared: distances of a quarter of d and around it */
  LAYOUT_SIZES, /* primitives of very different sizes around one place */
  LAYOUT_COUNT
} layout;

static double whole_number(uint64_t *seed, uint64_t bound) {
  return (double)sequence_below(seed, bound);
}

/* The corners of an affine image of the cube, whose exact sums keep its faces plane. */
static void put_cube(uint64_t *seed, const double at[3], double size, double (*corners_out)[3]) {
  double edges[3][3];
  for (int i = 0; i < 3; i++)
    for (int axis = 0; axis < 3; axis++)
      edges[i][axis] = size * (whole_number(seed, 3) * (i == axis ? 1.0 : sequence_below(seed, 4) == 0) - (i != axis));
  for (int i = 0; i < 8; i++)
    for (int axis = 0; axis < 3; axis++)
      corners_out[i][axis] = at[axis] + ((i & 1) ? edges[0][axis] : 0.0) + ((i & 2) ? edges[1][axis] : 0.0) +
                             ((i & 4) ? edges[2][axis] : 0.0);
}

static void put_primitive(crowding_subject *subject, uint64_t *seed, layout where, double unit) {
  double corners[SUBJECT_CORNERS][3], at[3], size = unit;
  const uint32_t count = corner_counts[subject->kind];
  for (int axis = 0; axis < 3; axis++)
    at[axis] = where == LAYOUT_SOUP ? 0.25 * unit * whole_number(seed, 14) : unit * whole_number(seed, 4);
  if (where == LAYOUT_SIZES) {
    size = ldexp(unit, (int)sequence_below(seed, 8) - 5);
    for (int axis = 0; axis < 3; axis++) at[axis] = size * whole_number(seed, 4);
  }
  if (subject->kind == GRAZE_KIND_POLYHEDRON)
    put_cube(seed, at, size, corners);
  else
    for (uint32_t i = 0; i < count; i++)
      for (int axis = 0; axis < 3; axis++) corners[i][axis] = at[axis] + size * whole_number(seed, 3);
  uint32_t numbers[SUBJECT_CORNERS];
  for (uint32_t i = 0; i < count; i++) numbers[i] = subject_vertex(subject, corners[i], where != LAYOUT_SOUP);
  subject_add(subject, numbers, count);
}

static void make_subject(crowding_subject *subject, graze_kind kind, layout where, size_t count, double unit,
                         uint64_t seed) {
  subject_start(subject, kind);
  for (size_t i = 0; i < count; i++) {
    put_primitive(subject, &seed, where, unit);
    subject->removed[i] = sequence_below(&seed, 12) == 0;
  }
  subject_finish(subject);
}

static void compare(const crowding_subject *subject, const subject_counts *expected, const subject_counts *found,
                    const char *words) {
  for (size_t i = 0; i < subject->count; i++) {
    if (expected->k_of[i] != found->k_of[i] || expected->neighbors_of[i] != found->neighbors_of[i])
      fail_msg("%s: %s %zu: k %u and %u neighbors, not %u and %u", words, kind_names[subject->kind], i, found->k_of[i],
               found->neighbors_of[i], expected->k_of[i], expected->neighbors_of[i]);
    if (!(fabs(expected->diameter_of[i] - found->diameter_of[i]) <= 1e-12 * expected->diameter_of[i]))
      fail_msg("%s: %s %zu: diameter %.17g, not %.17g", words, kind_names[subject->kind], i, found->diameter_of[i],
               expected->diameter_of[i]);
  }
}

static crowding_subject subject; /* too large for a stack */

TEST(k_is_that_of_the_definition) {
  const double units[] = {1.0, 0.1, 1e-6, 1e6, 0x1p-600, 0x1p500};
  memory heap;
  memory_init(&heap, NULL);
  workers *team = team_of_threads(&heap, 1);
  uint64_t seed = 1, near = 0, checked = 0;
  for (int kind = 0; kind < SUBJECT_KINDS; kind++)
    for (int where = 0; where < LAYOUT_COUNT; where++) {
      const size_t full = kind == GRAZE_KIND_TRIANGLE ? 12 : (kind == GRAZE_KIND_POLYHEDRON ? 1 : 4);
      for (size_t round = 0; round < test_scaled(full, 1); round++) {
        subject_counts expected, brute, grid;
        make_subject(&subject, (graze_kind)kind, (layout)where, 16, units[round % 6], sequence_next(&seed));
        subject_reference(&subject, &expected);
        assert_true(subject_measure(&subject, &method_brute, GRAZE_SIMD_SCALAR, &heap, team, &brute));
        assert_true(subject_measure(&subject, &method_grid, GRAZE_SIMD_SCALAR, &heap, team, &grid));
        compare(&subject, &expected, &brute, "brute");
        compare(&subject, &expected, &grid, "grid");
        for (size_t i = 0; i < subject.count; i++) near += expected.k_of[i];
        checked += subject.count;
      }
    }
  print_message("%llu primitives, sum of k %llu\n", (unsigned long long)checked, (unsigned long long)near);
  assert_true(near > 2 * checked); /* the objects are crowded enough to mean something */
  workers_destroy(&heap, team);
}

TEST(method_and_workers_change_nothing) {
  memory heap;
  memory_init(&heap, NULL);
  workers *alone = team_of_threads(&heap, 1), *team = team_of_threads(&heap, 3);
  uint64_t seed = 7;
  for (int kind = 0; kind < SUBJECT_KINDS; kind++)
    for (int where = 0; where < LAYOUT_COUNT; where++)
      for (size_t round = 0; round < test_scaled(20, 2); round++) {
        subject_counts brute, grid;
        const double unit = round % 2 == 0 ? 1.0 : 0.1;
        make_subject(&subject, (graze_kind)kind, (layout)where, where == LAYOUT_SOUP ? 100 : SUBJECT_PRIMITIVES / 2,
                     unit, sequence_next(&seed));
        assert_true(subject_measure(&subject, &method_brute, GRAZE_SIMD_SCALAR, &heap, alone, &brute));
        assert_true(subject_measure(&subject, &method_grid, GRAZE_SIMD_SCALAR, &heap, team, &grid));
        compare(&subject, &brute, &grid, "grid");
      }
  workers_destroy(&heap, team);
  workers_destroy(&heap, alone);
}

/* Points of no size, equal primitives, a primitive that repeats a vertex, one far smaller than its neighbor. */
TEST(degenerate_primitives_count) {
  memory heap;
  memory_init(&heap, NULL);
  workers *team = team_of_threads(&heap, 1);
  const double places[][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 1}, {1, 1, 0}, {1, 1, 0.5}};
  const uint32_t triangles[][3] = {{0, 1, 2}, {0, 1, 2}, {0, 2, 1}, {3, 3, 3},
                                   {4, 4, 4}, {5, 5, 5}, {1, 2, 2}, {4, 4, 4}};
  subject_start(&subject, GRAZE_KIND_TRIANGLE);
  for (size_t i = 0; i < 6; i++) subject_vertex(&subject, places[i], false);
  for (size_t i = 0; i < 8; i++) subject_add(&subject, triangles[i], 3);
  subject_finish(&subject);
  subject_counts expected, found;
  subject_reference(&subject, &expected);
  /* The point on the triangles touches three of them and its twin; the points beside them touch nothing. */
  assert_int_equal(expected.k_of[4], 5);
  assert_int_equal(expected.k_of[3], 1);
  assert_int_equal(expected.k_of[5], 1);
  for (int by_grid = 0; by_grid < 2; by_grid++) {
    assert_true(
        subject_measure(&subject, by_grid ? &method_grid : &method_brute, GRAZE_SIMD_SCALAR, &heap, team, &found));
    compare(&subject, &expected, &found, by_grid ? "grid" : "brute");
  }
  const crowding_counts counts = {found.k_of, found.neighbors_of, found.diameter_of};
  const graze_crowding sum = crowding_sum_up(GRAZE_KIND_TRIANGLE, &counts, 8, 1);
  assert_int_equal(sum.primitive_count, 8);
  assert_int_equal(sum.k, 5);
  assert_true(sum.smallest > 5.6 && sum.smallest == sum.largest && sum.height == 0.0); /* points left out */
  workers_destroy(&heap, team);
}

TEST(every_allocation_fails_once) {
  make_subject(&subject, GRAZE_KIND_TRIANGLE, LAYOUT_LATTICE, 80, 1.0, 5);
  size_t refusals = 0;
  for (size_t refused = 0;; refused++) {
    checked_allocator counting;
    memory heap;
    checked_init(&counting, &heap, SIZE_MAX);
    workers *team = team_of_threads(&heap, 2);
    counting.refused = atomic_load(&counting.allocations) + refused;
    subject_counts counts;
    const bool measured = subject_measure(&subject, &method_grid, GRAZE_SIMD_SCALAR, &heap, team, &counts);
    const bool reached = atomic_load(&counting.allocations) > counting.refused;
    assert_true(measured == !reached);
    workers_destroy(&heap, team);
    assert_true(checked_is_clean(&counting, &heap));
    if (!reached) break;
    refusals++;
  }
  assert_true(refusals >= 10);
}
