/* Tests divisions of space: keys preserve order, boxes reach exactly the parts that own their cells, one part knows
 * both of two intersecting boxes and reports them, and parts have equal weight. */
#include "base/number_sequence.h"
#include "distributed/local_transport.h"
#include "division/division.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MOST = 40, BOXES = 300 };

static memory heap;

static double unit(uint64_t *seed) {
  return (double)sequence_below(seed, 1000000) / 1e6;
}

/* Small, long, flat, huge and infinite boxes, and points; some outside of the grid. */
static void random_box(uint64_t *seed, double box[6]) {
  const uint64_t shape = sequence_below(seed, 12);
  for (int axis = 0; axis < 3; axis++) {
    const double size = shape == 0 ? 2.0 : shape == 1 && axis == 0 ? 1.0 : shape == 2 ? 0.0 : 0.05 * unit(seed);
    box[axis] = (shape == 3 ? 3.0 : 1.0) * unit(seed) - (shape == 3 ? 1.0 : 0.0);
    if (shape == 4) box[axis] = 0.5;
    box[axis + 3] = box[axis] + size;
    if (shape == 5 && axis == 1) box[axis] = -INFINITY, box[axis + 3] = INFINITY;
    if (shape == 6) box[axis] = 0.0, box[axis + 3] = 1.0;
  }
}

static bool boxes_meet(const double a[6], const double b[6]) {
  for (int axis = 0; axis < 3; axis++)
    if (a[axis] > b[axis + 3] || b[axis] > a[axis + 3]) return false;
  return true;
}

static bool has_part(const uint32_t *parts, uint32_t count, uint32_t part) {
  for (uint32_t i = 0; i < count; i++)
    if (parts[i] == part) return true;
  return false;
}

/* One rank, random parts, some of which are empty. */
static void make_division(division *made, uint32_t part_count, uint64_t *seed) {
  assert_true(division_create(made, &heap, part_count));
  const double box[6] = {0, 0, 0, 1, 1, 1};
  division_place(made, box);
  for (uint32_t i = 1; i < part_count; i++) {
    double point[3] = {unit(seed), unit(seed), unit(seed)};
    made->starts[i] = sequence_below(seed, 6) == 0 ? made->starts[i - 1] : division_key(made, point);
  }
  for (uint32_t i = 1; i < part_count; i++) /* in order */
    for (uint32_t k = i; k > 1 && made->starts[k] < made->starts[k - 1]; k--) {
      const uint64_t start = made->starts[k];
      made->starts[k] = made->starts[k - 1];
      made->starts[k - 1] = start;
    }
}

TEST(test_each_pair_has_one_reporter) {
  uint64_t seed = 7;
  for (int round = 0; round < 20; round++) {
    static double boxes[BOXES][6];
    static uint32_t parts[BOXES][PARTS_MOST], counts[BOXES];
    static uint64_t keys[BOXES];
    division made;
    make_division(&made, 1 + (uint32_t)sequence_below(&seed, PARTS_MOST), &seed);
    for (int i = 0; i < BOXES; i++) {
      random_box(&seed, boxes[i]);
      keys[i] = division_key(&made, boxes[i]);
      counts[i] = division_reach(&made, keys[i], division_key(&made, boxes[i] + 3), parts[i]);
      assert_in_range(counts[i], 1, made.part_count);
      for (uint32_t k = 1; k < counts[i]; k++) assert_true(parts[i][k - 1] < parts[i][k]);
    }
    size_t met = 0;
    for (int i = 0; i < BOXES; i++)
      for (int k = 0; k < i; k++) {
        if (!boxes_meet(boxes[i], boxes[k])) continue;
        double corner[3];
        for (int axis = 0; axis < 3; axis++) corner[axis] = fmax(boxes[i][axis], boxes[k][axis]);
        const uint64_t key = division_greatest(keys[i], keys[k]);
        assert_true(key == division_key(&made, corner));
        const uint32_t owner = division_owner(&made, key);
        assert_true(has_part(parts[i], counts[i], owner) && has_part(parts[k], counts[k], owner));
        met++;
      }
    assert_true(met > 100);
    division_destroy(&made, &heap);
  }
}

/* On a coarse grid every cell can be looked at. */
TEST(test_reach_is_exact) {
  uint64_t seed = 11;
  for (int round = 0; round < 200; round++) {
    division made;
    make_division(&made, 1 + (uint32_t)sequence_below(&seed, PARTS_MOST), &seed);
    const uint32_t shift = 3 * (DIVISION_LEVELS - 3); /* 8 x 8 x 8 cubes of cells, to which the starts are rounded */
    for (uint32_t i = 1; i < made.part_count; i++) made.starts[i] = made.starts[i] >> shift << shift;
    double box[6];
    random_box(&seed, box);
    const uint64_t lower = division_key(&made, box) >> shift << shift;
    const uint64_t upper = (division_key(&made, box + 3) >> shift << shift) | (((uint64_t)1 << shift) - 1);
    uint32_t parts[PARTS_MOST], wanted[PARTS_MOST], wanted_count = 0;
    for (uint64_t cube = 0; cube < 512; cube++) {
      const uint64_t key = cube << shift;
      const bool inside = division_greatest(key, lower) == key &&
                          division_greatest(key, upper >> shift << shift) == upper >> shift << shift;
      const uint32_t owner = division_owner(&made, key);
      if (inside && !has_part(wanted, wanted_count, owner)) wanted[wanted_count++] = owner;
    }
    const uint32_t count = division_reach(&made, lower, upper, parts);
    assert_int_equal(count, wanted_count);
    assert_memory_equal(parts, wanted, count * sizeof *parts);
    division_destroy(&made, &heap);
  }
}

/* Points in clumps of all sizes; weights that differ. Each part gets its share but for the weight of a cell. */
TEST(test_parts_have_equal_weight) {
  enum { POINTS = 20000 };
  static uint64_t keys[POINTS];
  static uint32_t weights[POINTS];
  uint64_t seed = 13;
  local_hub *hub = local_hub_create(&heap, 1);
  const transport net = local_transport(hub, 0);
  for (uint32_t part_count = 1; part_count <= 16; part_count += 3)
    for (int weighted = 0; weighted < 2; weighted++) {
      division made;
      assert_true(division_create(&made, &heap, part_count));
      const double box[6] = {-1, -1, -1, 3, 1, 1};
      division_place(&made, box);
      double total = 0, held[16] = {0};
      for (int i = 0; i < POINTS; i++) {
        const double size = pow(0.1, (double)(i % 5)); /* clumps at the origin */
        double point[3];
        for (int axis = 0; axis < 3; axis++) point[axis] = size * (2 * unit(&seed) - 1);
        keys[i] = division_key(&made, point);
        weights[i] = 1 + (uint32_t)(point[0] > 0 ? 50 : 0);
        total += weighted ? weights[i] : 1;
      }
      division_make_parts(&made, &net, keys, weighted ? weights : NULL, POINTS);
      for (int i = 0; i < POINTS; i++) held[division_owner(&made, keys[i])] += weighted ? weights[i] : 1;
      assert_true(made.starts[0] == 0 && made.starts[part_count] == DIVISION_END);
      for (uint32_t i = 0; i < part_count; i++) {
        assert_true(made.starts[i] <= made.starts[i + 1]);
        assert_true(fabs(held[i] - total / part_count) <= 0.05 * total / part_count);
      }
      division_destroy(&made, &heap);
    }
  local_hub_destroy(hub);
}

/* 20,000 points are 28 for each of 700 parts, and 400 more, which do not all go to one part. */
TEST(test_many_parts_have_equal_weight) {
  enum { POINTS = 20000, PARTS = 700 };
  static uint64_t keys[POINTS];
  uint64_t seed = 17;
  local_hub *hub = local_hub_create(&heap, 1);
  const transport net = local_transport(hub, 0);
  division made;
  assert_true(division_create(&made, &heap, PARTS));
  const double box[6] = {0, 0, 0, 1, 1, 1};
  division_place(&made, box);
  for (int i = 0; i < POINTS; i++) {
    const double point[3] = {unit(&seed), unit(&seed), unit(&seed)};
    keys[i] = division_key(&made, point);
  }
  division_make_parts(&made, &net, keys, NULL, POINTS);
  static uint32_t held[PARTS];
  for (int i = 0; i < POINTS; i++) held[division_owner(&made, keys[i])]++;
  for (int i = 0; i < PARTS; i++) assert_in_range(held[i], POINTS / PARTS - 2, POINTS / PARTS + 3);
  division_destroy(&made, &heap);
  local_hub_destroy(hub);
}

/* Everything in one cell is one part's; nothing at all, and grids over boxes without size, are legal. */
TEST(test_grids_without_size) {
  static const double boxes[5][6] = {{1, 2, 3, 1, 2, 3},
                                     {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY},
                                     {-DBL_MAX, -DBL_MAX, -DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX},
                                     {-INFINITY, 0, 0, INFINITY, 1, 1},
                                     {0, 0, 0, DBL_TRUE_MIN, DBL_TRUE_MIN, 0}};
  local_hub *hub = local_hub_create(&heap, 1);
  const transport net = local_transport(hub, 0);
  for (int i = 0; i < 5; i++) {
    division made;
    assert_true(division_create(&made, &heap, 5));
    division_place(&made, boxes[i]);
    uint64_t keys[100], before = 0;
    for (int k = 0; k < 100; k++) {
      const double point[3] = {(k - 50) * 2e306, 0, 0};
      keys[k] = division_key(&made, point);
      assert_true(keys[k] >= before && keys[k] < DIVISION_END);
      before = keys[k];
    }
    division_make_parts(&made, &net, keys, NULL, i == 0 ? 0 : 100);
    for (int k = 0; k < 5; k++) assert_true(made.starts[k] <= made.starts[k + 1]);
    division_destroy(&made, &heap);
  }
  local_hub_destroy(hub);
}

TEST_PREPARATION {
  memory_init(&heap, NULL);
  return 0;
}
