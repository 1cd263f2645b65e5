/* Tests least separating translations of tetrahedra, and of triangles and tetrahedra, against the reference: a slightly
 * shorter translation does not separate the pair, a slightly longer one does, and no other direction is shorter. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/tetrahedron_penetration.h"
#include "rational_oracle.h"
#include "test_scale.h"
#include "testing.h"
#include "tetrahedron_generator.h"

#include <string.h>

/* A pair of which the first has three or four corners. */
typedef struct solid_pair {
  double p[12], q[12];
  int p_count;
} solid_pair;

static bool find_penetration(const solid_pair *pair, double normal_out[3], double *depth_out) {
  orientation_tally tally = {0};
  return pair->p_count == 3 ? triangle_tetrahedron_penetration(pair->p, pair->q, normal_out, depth_out, &tally)
                            : tetrahedron_pair_penetration(pair->p, pair->q, normal_out, depth_out, &tally);
}

static solid_pair generate(pair_generator *generator, tetrahedron_kind kind, int p_count) {
  solid_pair pair;
  tetrahedron_pair_generate(generator, kind, pair.p, pair.q);
  pair.p_count = p_count;
  return pair;
}

static bool reference(rational_oracle *oracle, const solid_pair *pair) {
  return rational_oracle_hulls_intersect(oracle, pair->p, pair->p_count, pair->q, 4);
}

static bool reference_moved(rational_oracle *oracle, const solid_pair *pair, const double direction[3], double length) {
  solid_pair moved = *pair;
  for (int i = 0; i < 12; ++i) moved.q[i] += direction[i % 3] * length;
  return reference(oracle, &moved);
}

static double pair_extent(const solid_pair *pair) {
  double largest = 0.0;
  for (int i = 0; i < 12; ++i) {
    if (i < 3 * pair->p_count) largest = fmax(largest, fabs(pair->p[i] - pair->p[i % 3]));
    largest = fmax(largest, fabs(pair->q[i] - pair->p[i % 3]));
  }
  return largest;
}

/* There is a depth exactly when the pair meets; the normal is of length one whatever the scale. */
TEST(test_there_exactly_when_they_meet) {
  rational_oracle *oracle = rational_oracle_create();
  const size_t per_kind = test_scaled(1000, 50);
  uint64_t wrong = 0;
  for (int kind = 0; kind < TETRAHEDRON_KIND_COUNT; ++kind) {
    pair_generator generator = {7000 + (uint64_t)kind};
    const size_t count = kind == TETRAHEDRON_EXTREME ? per_kind / 50 : per_kind;
    for (size_t i = 0; i < count; ++i) {
      const solid_pair pair = generate(&generator, (tetrahedron_kind)kind, 3 + (int)(i % 2));
      double normal[3] = {0, 0, 0}, depth = -1.0;
      const bool meets = reference(oracle, &pair);
      wrong += find_penetration(&pair, normal, &depth) != meets;
      wrong += meets && !(depth >= 0.0 && fabs(vector3_length(vector3_load(normal)) - 1.0) < 1e-12);
    }
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
}

/* How many of some random directions lead out of the pair sooner. */
static uint64_t count_shorter_ways(pair_generator *generator, rational_oracle *oracle, const solid_pair *pair,
                                   double depth) {
  uint64_t shorter = 0;
  for (int i = 0; i < 10; ++i) {
    vector3 way = vector3_make(0, 0, 0);
    while (!(vector3_length(way) > 0.1)) {
      way.x = pair_generator_coordinate(generator);
      way.y = pair_generator_coordinate(generator);
      way.z = pair_generator_coordinate(generator);
    }
    double direction[3];
    vector3_store(vector3_scale(way, 1.0 / vector3_length(way)), direction);
    shorter += !reference_moved(oracle, pair, direction, depth * (1 - 1e-6));
  }
  return shorter;
}

TEST(test_depths_separate_the_pair) {
  static const tetrahedron_kind kinds[] = {TETRAHEDRON_GENERAL,   TETRAHEDRON_FLOAT_MESH,    TETRAHEDRON_WIDE_LATTICE,
                                           TETRAHEDRON_CONTAINED, TETRAHEDRON_SMALL_LATTICE, TETRAHEDRON_FLAT,
                                           TETRAHEDRON_REPEATED,  TETRAHEDRON_BOTH_FLAT};
  rational_oracle *oracle = rational_oracle_create();
  pair_generator generator = {7100};
  const size_t count = test_scaled(20000, 1000);
  uint64_t wrong = 0, parted = 0;
  for (size_t i = 0; i < count; ++i) {
    const solid_pair pair = generate(&generator, kinds[i % 8], 3 + (int)(i / 8 % 2));
    double normal[3], depth;
    if (!find_penetration(&pair, normal, &depth) || depth <= 1e-3 * pair_extent(&pair)) continue;
    wrong += reference_moved(oracle, &pair, normal, depth * (1 + 1e-9));
    wrong += !reference_moved(oracle, &pair, normal, depth * (1 - 1e-6));
    wrong += count_shorter_ways(&generator, oracle, &pair, depth) > 0;
    parted += 1;
  }
  print_message("%llu pairs parted\n", (unsigned long long)parted);
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
  assert_true(parted > count / 4);
}

/* Pairs that only touch need no way worth speaking of. */
TEST(test_touching_pairs_have_no_depth) {
  pair_generator generator = {7200};
  const size_t count = test_scaled(20000, 1000);
  uint64_t wrong = 0, meeting = 0;
  for (size_t i = 0; i < count; ++i) {
    const solid_pair pair = generate(&generator, TETRAHEDRON_PLANE_TOUCH, 3 + (int)(i % 2));
    double normal[3], depth;
    if (!find_penetration(&pair, normal, &depth)) continue;
    meeting += 1;
    wrong += depth > 1e-13 * pair_extent(&pair);
  }
  assert_int_equal(wrong, 0);
  assert_true(meeting > count / 10);
}

/* All corners on one plane: no depth at all, along its normal. */
TEST(test_coplanar_pairs_have_no_depth) {
  pair_generator generator = {7300};
  const size_t count = test_scaled(20000, 1000);
  uint64_t wrong = 0, coplanar = 0;
  for (size_t i = 0; i < count; ++i) {
    const solid_pair pair = generate(&generator, TETRAHEDRON_BOTH_FLAT, 3 + (int)(i % 2));
    double normal[3], depth;
    orientation_tally tally = {0};
    if (!find_penetration(&pair, normal, &depth)) continue;
    if (!hulls_are_coplanar(pair.p, pair.p_count, pair.q, 4, &tally)) continue;
    coplanar += 1;
    wrong += depth != 0.0;
    for (int k = 0; k < 12; k += 3) {
      const vector3 unit = vector3_load(normal), origin = vector3_load(pair.p);
      const double p_height = vector3_dot(unit, vector3_subtract(vector3_load(pair.p + k), origin));
      const double q_height = vector3_dot(unit, vector3_subtract(vector3_load(pair.q + k), origin));
      wrong += k < 3 * pair.p_count && fabs(p_height) > 1e-11 * pair_extent(&pair);
      wrong += fabs(q_height) > 1e-11 * pair_extent(&pair);
    }
  }
  assert_int_equal(wrong, 0);
  assert_true(coplanar > count / 10);
}

/* The same bits at every scale, and far from the origin the same where the coordinates allow it. */
TEST(test_scale_does_not_matter) {
  pair_generator generator = {7400};
  const size_t count = test_scaled(4000, 200);
  uint64_t wrong = 0, meeting = 0;
  for (size_t i = 0; i < count; ++i) {
    const solid_pair pair =
        generate(&generator, i % 2 == 0 ? TETRAHEDRON_GENERAL : TETRAHEDRON_SMALL_LATTICE, 3 + (int)(i / 2 % 2));
    double normal[3], depth, scaled_normal[3], scaled_depth;
    if (!find_penetration(&pair, normal, &depth)) continue;
    meeting += 1;
    const int exponent = (int)pair_generator_below(&generator, 1801) - 900;
    solid_pair scaled = pair;
    for (int k = 0; k < 12; ++k) {
      scaled.p[k] = ldexp(pair.p[k], exponent);
      scaled.q[k] = ldexp(pair.q[k], exponent);
    }
    wrong += !find_penetration(&scaled, scaled_normal, &scaled_depth);
    wrong += memcmp(normal, scaled_normal, sizeof normal) != 0 || scaled_depth != ldexp(depth, exponent);
  }
  assert_int_equal(wrong, 0);
  assert_true(meeting > count / 4);
}

TEST(test_depths_by_hand) {
  orientation_tally tally = {0};
  double normal[3] = {0, 0, 0}, depth = -1.0;
  const double p[12] = {0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 8};
  const double hanging[12] = {1, 1, 0.5, 2, 1, -4, 1, 2, -4, 1, 1, -4};
  const double beside[12] = {9, 0, 0, 10, 0, 0, 9, 1, 0, 9, 0, 1};
  const double triangle[9] = {1, 1, 0.25, 2, 1, -4, 1, 2, -4};
  assert_true(tetrahedron_pair_penetration(p, hanging, normal, &depth, &tally));
  assert_true(depth == 0.5 && normal[0] == 0 && normal[1] == 0 && normal[2] == -1);
  assert_false(tetrahedron_pair_penetration(p, beside, normal, &depth, &tally));
  assert_true(triangle_tetrahedron_penetration(triangle, p, normal, &depth, &tally));
  assert_true(depth == 0.25 && normal[2] == 1);
}

/* The least of all axes, each measured. */
static penetration search_all_axes(const hull_pair *hulls) {
  const int faces = hull_face_count(hulls->p_count) + hull_face_count(hulls->q_count);
  const int axes = faces + hull_edge_count(hulls->p_count) * hull_edge_count(hulls->q_count);
  penetration least = {.depth = HUGE_VAL, .normal = {0.0, 0.0, 1.0}};
  for (int i = 0; i < axes; ++i) hull_penetration_offer(&least, hulls, hull_axis(hulls, i));
  return least;
}

/* A pair once more, far away or very small: what floats can hold of it is less. */
static solid_pair moved_pair(pair_generator *generator, const solid_pair *pair) {
  const double factors[] = {1.0, 1.0, 0x1p-40, 0x1p-100}, shifts[] = {0.0, 1.0, 1024.0, 0x1p20};
  const double factor = factors[pair_generator_below(generator, 4)], shift = shifts[pair_generator_below(generator, 4)];
  solid_pair moved = *pair;
  for (int i = 0; i < 12; ++i) {
    moved.p[i] = pair->p[i] * factor + shift;
    moved.q[i] = pair->q[i] * factor + shift;
  }
  return moved;
}

static uint32_t count_axes(uint64_t axes) {
  return count_bits((uint32_t)axes) + count_bits((uint32_t)(axes >> 32));
}

/* Axes that are passed over by one way or the other of measuring in floats. */
typedef struct axis_choices {
  uint64_t one_by_one, side_by_side;
} axis_choices;

static axis_choices choose_axes(const hull_pair *hulls) {
  double edges[EDGE_ROOM];
  return (axis_choices){axes_select_one_by_one(hulls, edges), axes_select_side_by_side(hulls)};
}

static axis_choices choose_axes_of(const solid_pair *pair) {
  double room[HULL_ROOM];
  const local_hulls local = local_hulls_make(pair->p, pair->p_count, pair->q, 4, room);
  return choose_axes(&local.hulls);
}

/* Axes that floats pass over make no difference, not by a bit, to pairs that meet or not; and few are left. */
TEST(test_axes_passed_over) {
  const size_t per_kind = test_scaled(200000, 2000);
  uint64_t wrong = 0, pairs = 0, axes[2] = {0, 0};
  for (int kind = 0; kind < TETRAHEDRON_KIND_COUNT; ++kind) {
    pair_generator generator = {9100 + (uint64_t)kind};
    for (size_t i = 0; i < per_kind; ++i) {
      const solid_pair made = generate(&generator, (tetrahedron_kind)kind, 3 + (int)(i % 2));
      const solid_pair pair = moved_pair(&generator, &made);
      double room[HULL_ROOM];
      const local_hulls local = local_hulls_make(pair.p, pair.p_count, pair.q, 4, room);
      const penetration all = search_all_axes(&local.hulls);
      const axis_choices chosen = choose_axes(&local.hulls);
      const penetration one_by_one = hull_penetration_along(&local.hulls, chosen.one_by_one);
      const penetration side_by_side = hull_penetration_along(&local.hulls, chosen.side_by_side);
      wrong += memcmp(&all, &one_by_one, sizeof all) != 0 || memcmp(&all, &side_by_side, sizeof all) != 0;
      if (kind != TETRAHEDRON_GENERAL) continue;
      const axis_choices left = choose_axes_of(&made);
      pairs++;
      axes[0] += count_axes(left.one_by_one);
      axes[1] += count_axes(left.side_by_side);
    }
  }
  print_message("%.3f and %.3f axes are left of a pair\n", (double)axes[0] / (double)pairs,
                (double)axes[1] / (double)pairs);
  assert_int_equal(wrong, 0);
  for (int i = 0; i < 2; ++i) assert_true(10 * axes[i] < 11 * pairs);
}
