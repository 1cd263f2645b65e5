/* Compares distances, nearest points and features of pieces with the exact reference: the number to 1e-12 of the size,
 * zero and the bounds exactly, and all of them bit by bit with swapped arguments. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "geometry/nearest_features.h"
#include "near_generator.h"
#include "reach_reference.h"
#include "test_effort.h"
#include "test_scale.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { PAIRS = 20000, PAIRS_LEAST = 100 };
#else
enum { PAIRS = 1000000, PAIRS_LEAST = 1000 };
#endif

typedef struct measured {
  double distance, on_a[3], on_b[3];
  near_feature feature[2];
  distance_bounds bounds;
} measured;

typedef struct piece_pair {
  cell_pair corners;
  double p_radius, q_radius;
} piece_pair;

static measured measure(const piece_pair *pair) {
  measured result;
  orientation_tally tally = {0};
  memset(&result, 0, sizeof result);
  const cell_pair *c = &pair->corners;
  result.distance = hulls_distance(c->p, c->p_count, pair->p_radius, c->q, c->q_count, pair->q_radius, result.on_a,
                                   result.on_b, result.feature, &tally);
  result.bounds = hulls_distance_bounds(c->p, c->p_count, pair->p_radius, c->q, c->q_count, pair->q_radius, &tally);
  return result;
}

/* The same with the arguments swapped, and the answers swapped back. */
static measured measure_swapped(const piece_pair *pair) {
  measured result;
  orientation_tally tally = {0};
  memset(&result, 0, sizeof result);
  const cell_pair *c = &pair->corners;
  near_feature features[2];
  result.distance = hulls_distance(c->q, c->q_count, pair->q_radius, c->p, c->p_count, pair->p_radius, result.on_b,
                                   result.on_a, features, &tally);
  result.feature[0] = features[1];
  result.feature[1] = features[0];
  result.bounds = hulls_distance_bounds(c->q, c->q_count, pair->q_radius, c->p, c->p_count, pair->p_radius, &tally);
  return result;
}

/* The same by one call; without a limit it always answers. */
static measured measure_at_once(const piece_pair *pair) {
  measured result;
  orientation_tally tally = {0};
  memset(&result, 0, sizeof result);
  const cell_pair *c = &pair->corners;
  assert_true(hulls_distance_within(c->p, c->p_count, pair->p_radius, c->q, c->q_count, pair->q_radius, HUGE_VAL,
                                    &result.distance, &result.bounds, result.on_a, result.on_b, result.feature,
                                    &tally));
  return result;
}

/* It refuses where the lower bound is above the limit, and only there. */
static bool limit_is_kept(const piece_pair *pair, const measured *found) {
  const double limits[] = {0.0, found->bounds.lower, nextafter(found->bounds.lower, 0.0)};
  const cell_pair *c = &pair->corners;
  bool kept = true;
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    measured other;
    orientation_tally tally = {0};
    kept = kept && hulls_distance_within(c->p, c->p_count, pair->p_radius, c->q, c->q_count, pair->q_radius, limits[i],
                                         &other.distance, &other.bounds, other.on_a, other.on_b, other.feature,
                                         &tally) == (found->bounds.lower <= limits[i]);
  }
  return kept;
}

/* The extent of the pair and its radii, and what a subnormal unit is worth; coordinates of points are rounded besides.
 */
static double pair_size(const piece_pair *pair, double *place_out) {
  const cell_pair *c = &pair->corners;
  double largest = 0.0, place = 0.0;
  for (uint32_t i = 0; i < 3 * (c->p_count + c->q_count); ++i) {
    const double value = i < 3 * c->p_count ? c->p[i] : c->q[i - 3 * c->p_count];
    largest = fmax(largest, fabs(value - c->p[i % 3]));
    place = fmax(place, fabs(value));
  }
  largest = fmax(largest, fmax(pair->p_radius, pair->q_radius));
  *place_out = fmax(fmin(largest, DBL_MAX), place) + 0x1p-1014;
  return fmin(largest, DBL_MAX) + 0x1p-1014;
}

static bool starts_with(const near_feature *feature, uint32_t count) {
  for (int i = 0; i < 3; ++i) {
    if (i <= feature->kind ? feature->index[i] >= count : feature->index[i] != 0) return false;
    if (i > 0 && i <= feature->kind && feature->index[i] <= feature->index[i - 1]) return false;
  }
  return true;
}

static uint32_t feature_corners(const near_feature *feature, const double *corners, double *corners_out) {
  for (uint32_t i = 0; i <= feature->kind; ++i) memcpy(corners_out + 3 * i, corners + 3 * feature->index[i], 24);
  return feature->kind + 1u;
}

typedef struct errors {
  uint64_t number, zero, bounds, symmetry, at_once, feature, point, wide;
  double widest;
} errors;

static void check_number(const piece_pair *pair, const measured *found, reach_reference *reference, errors *wrong) {
  double place;
  const double size = pair_size(pair, &place), slack = 1e-12 * size, p_radius = pair->p_radius,
               q_radius = pair->q_radius;
  const bool meets = reach_reference_order(reference, p_radius, q_radius, 0.0) <= 0;
  wrong->zero += meets != (found->distance == 0.0) || !(found->distance >= 0.0);
  if (found->distance < 0x1p1021 && size < 0x1p1021) {
    /* The sum of three: radii, and the distance with its slack. */
    const double radii = p_radius + q_radius;
    wrong->number += !meets && reach_reference_order(reference, radii, found->distance, slack) > 0;
    wrong->number += !meets && reach_reference_order(reference, radii, found->distance, -slack) < 0;
  }
  const distance_bounds bounds = found->bounds;
  if (meets) {
    wrong->bounds += bounds.lower != 0.0 || bounds.upper != 0.0;
    return;
  }
  wrong->bounds += !(bounds.lower <= bounds.upper);
  wrong->bounds += reach_reference_order(reference, p_radius, q_radius, bounds.lower) < 0;
  if (bounds.upper < HUGE_VAL) {
    wrong->bounds += reach_reference_order(reference, p_radius, q_radius, bounds.upper) > 0;
    wrong->widest = fmax(wrong->widest, (bounds.upper - bounds.lower) / size);
    wrong->wide += bounds.upper - bounds.lower > 1e-12 * size;
  }
}

/* The named features are as near as the pieces, and the points are where they should be. */
static void check_points(const piece_pair *pair, const measured *found, reach_reference *reference, errors *wrong) {
  const cell_pair *c = &pair->corners;
  double place, of_p[12], of_q[12];
  const double size = pair_size(pair, &place), slack = 1e-12 * place;
  if (size > 0x1p1000 || place > 0x1p1000) return;
  const near_feature *feature = found->feature;
  const double radii = pair->p_radius + pair->q_radius;
  for (int i = 0; i < 2; i++) wrong->feature += (feature[i].kind == NEAR_INSIDE) != (found->distance == 0.0);
  if (feature[0].kind != NEAR_INSIDE && feature[1].kind != NEAR_INSIDE) {
    wrong->feature += !starts_with(&feature[0], c->p_count) || !starts_with(&feature[1], c->q_count);
    const uint32_t p_count = feature_corners(&feature[0], c->p, of_p);
    const uint32_t q_count = feature_corners(&feature[1], c->q, of_q);
    reach_reference_set(reference, of_p, p_count, of_q, q_count);
    wrong->feature += reach_reference_order(reference, radii, found->distance, slack) > 0;
  }
  reach_reference_set(reference, found->on_a, 1, c->p, c->p_count);
  wrong->point += reach_reference_order(reference, pair->p_radius, slack, 0.0) > 0;
  reach_reference_set(reference, found->on_b, 1, c->q, c->q_count);
  wrong->point += reach_reference_order(reference, pair->q_radius, slack, 0.0) > 0;
  reach_reference_set(reference, found->on_a, 1, found->on_b, 1);
  wrong->point += reach_reference_order(reference, found->distance, slack, 0.0) > 0;
}

static double choose_radius(pair_generator *generator, double distance) {
  const double finite = distance < 0x1p1020 ? distance : 0x1p1020;
  switch (pair_generator_below(generator, 6)) {
  case 0:
    return 0.5 * finite;
  case 1:
    return fabs(pair_generator_coordinate(generator)) * finite;
  case 2:
    return nextafter(0.5 * finite, 0.0);
  default:
    return 0.0;
  }
}

TEST(test_against_reference) {
  reach_reference *reference = reach_reference_create();
  errors wrong = {0};
  uint64_t total = 0;
  for (int kind = 0; kind < NEAR_KIND_COUNT; ++kind) {
    pair_generator generator = {31000 + (uint64_t)kind};
    const size_t count = test_scaled_to(0.03, (size_t)near_kind_share((near_kind)kind) * PAIRS / 1000, PAIRS_LEAST);
    const errors before = wrong;
    for (size_t i = 0; i < count; ++i) {
      piece_pair pair = {.p_radius = 0.0, .q_radius = 0.0};
      near_pair_generate(&generator, (near_kind)kind, &pair.corners);
      const double distance = measure(&pair).distance;
      pair.p_radius = choose_radius(&generator, distance);
      pair.q_radius = choose_radius(&generator, distance);
      const measured found = measure(&pair), swapped = measure_swapped(&pair), at_once = measure_at_once(&pair);
      wrong.symmetry += memcmp(&found, &swapped, sizeof found) != 0;
      wrong.at_once += memcmp(&found, &at_once, sizeof found) != 0 || !limit_is_kept(&pair, &found);
      reach_reference_set(reference, pair.corners.p, pair.corners.p_count, pair.corners.q, pair.corners.q_count);
      check_number(&pair, &found, reference, &wrong);
      if (i % 4 == 0) check_points(&pair, &found, reference, &wrong);
      total += 1;
    }
    if (memcmp(&before, &wrong, offsetof(errors, wide)) != 0)
      print_message("wrong at: %s\n", near_kind_words((near_kind)kind));
  }
  print_message("%lu pairs; wrong numbers %lu, zeros %lu, bounds %lu, swapped %lu, features %lu, points %lu; bounds "
                "wider than 1e-12: %lu, widest %g\n",
                (unsigned long)total, (unsigned long)wrong.number, (unsigned long)wrong.zero,
                (unsigned long)wrong.bounds, (unsigned long)wrong.symmetry, (unsigned long)wrong.feature,
                (unsigned long)wrong.point, (unsigned long)wrong.wide, wrong.widest);
  reach_reference_destroy(reference);
  assert_int_equal(
      wrong.number + wrong.zero + wrong.bounds + wrong.symmetry + wrong.at_once + wrong.feature + wrong.point, 0);
  assert_true(wrong.wide <= total / 1000);
}

/* A corner over the inside of a needle, or an edge over one that is nearly parallel: GJK in doubles is off by 1e-10. */
TEST(test_needles) {
  reach_reference *reference = reach_reference_create();
  pair_generator generator = {3050};
  errors wrong = {0};
  const size_t count = test_scaled(4000, 1000);
  for (size_t i = 0; i < count; ++i) {
    piece_pair pair = {.corners = {.p_count = 3, .q_count = i % 5 == 4 ? 1 : 3}};
    double *p = pair.corners.p, *q = pair.corners.q;
    pair_generate(&generator, PAIR_NEEDLE, p, q);
    const double thinness = ldexp(1.0, -(int)pair_generator_below(&generator, 40));
    const double height = ldexp(1.0, -(int)pair_generator_below(&generator, 40));
    const double u = 0.1 + 0.1 * pair_generator_coordinate(&generator);
    for (int axis = 0; axis < 3; ++axis) {
      const double middle = 0.5 * (p[axis] + p[3 + axis]), thin = thinness * pair_generator_coordinate(&generator);
      p[6 + axis] = middle + thin;
      q[axis] = middle + u * (p[3 + axis] - p[axis]) + 0.25 * thin + height * pair_generator_coordinate(&generator);
      if (i % 2 == 0) q[3 + axis] = q[axis] - u * (p[3 + axis] - p[axis]) + thin;
    }
    const measured found = measure(&pair), swapped = measure_swapped(&pair);
    wrong.symmetry += memcmp(&found, &swapped, sizeof found) != 0;
    reach_reference_set(reference, p, 3, q, pair.corners.q_count);
    check_number(&pair, &found, reference, &wrong);
    check_points(&pair, &found, reference, &wrong);
  }
  reach_reference_destroy(reference);
  print_message("wrong numbers %lu, zeros %lu, bounds %lu, swapped %lu, features %lu, points %lu\n",
                (unsigned long)wrong.number, (unsigned long)wrong.zero, (unsigned long)wrong.bounds,
                (unsigned long)wrong.symmetry, (unsigned long)wrong.feature, (unsigned long)wrong.point);
  assert_int_equal(wrong.number + wrong.zero + wrong.bounds + wrong.symmetry + wrong.feature + wrong.point, 0);
}

/* A point one bit outside a hull, where doubles see four corners around it: the features are those of integers. */
TEST(test_apart_by_less_than_rounding) {
  const double p[15] = {-3, 18, -10, 0, -3, -28, 11, 19, -40, -0x1.fffffffffffffp-1, 35, -10, -13, -15, -46};
  piece_pair pair = {.corners = {.p_count = 5, .q_count = 1, .q = {-7, 10, -28}}};
  memcpy(pair.corners.p, p, sizeof p);
  reach_reference *reference = reach_reference_create();
  errors wrong = {0};
  const measured found = measure(&pair);
  reach_reference_set(reference, pair.corners.p, 5, pair.corners.q, 1);
  check_number(&pair, &found, reference, &wrong);
  check_points(&pair, &found, reference, &wrong);
  reach_reference_destroy(reference);
  assert_true(found.distance > 0.0);
  assert_true(found.feature[0].kind != NEAR_INSIDE && found.feature[1].kind == NEAR_CORNER);
  assert_int_equal(wrong.number + wrong.zero + wrong.bounds + wrong.feature + wrong.point, 0);
}

/* The same bits with every compiler and on every machine, where nothing is fused and roots are rounded right. */
TEST(test_same_bits) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (int kind = 0; kind < NEAR_KIND_COUNT; ++kind) {
    pair_generator generator = {32000 + (uint64_t)kind};
    for (int i = 0; i < 2000; ++i) {
      piece_pair pair = {.p_radius = 0.0, .q_radius = 0.0};
      near_pair_generate(&generator, (near_kind)kind, &pair.corners);
      pair.p_radius = i % 3 == 0 ? 0.25 : 0.0;
      const measured found = measure(&pair);
      const unsigned char *bytes = (const unsigned char *)&found;
      for (size_t k = 0; k < sizeof found; ++k) hash = (hash ^ bytes[k]) * 0x100000001b3u;
    }
  }
  print_message("hash %016llx\n", (unsigned long long)hash);
  assert_true(hash == 0xe3085ca7ad19e653u);
}

TEST(test_by_hand) {
  orientation_tally tally = {0};
  near_feature feature[2];
  double on_a[3], on_b[3];
  const double p[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0}, above[9] = {1, 1, 2, 1, 1, 9, 2, 1, 9};
  const double beside[9] = {7, 0, 4, 9, 0, 4, 9, 1, 4}, across[9] = {2, -3, -1, 2, -3, 5, 2, -9, 2};
  assert_true(hulls_distance(p, 3, 0.0, above, 3, 0.0, on_a, on_b, feature, &tally) == 2.0);
  assert_int_equal(feature[0].kind, NEAR_FACE);
  assert_int_equal(feature[1].kind, NEAR_CORNER);
  assert_true(on_a[0] == 1 && on_a[1] == 1 && on_a[2] == 0 && on_b[0] == 1 && on_b[1] == 1 && on_b[2] == 2);
  assert_true(hulls_distance(p, 3, 0.0, beside, 3, 0.0, on_a, on_b, feature, &tally) == 5.0);
  assert_true(feature[0].kind == NEAR_CORNER && feature[0].index[0] == 1);
  assert_true(feature[1].kind == NEAR_CORNER && feature[1].index[0] == 0);
  assert_true(hulls_distance(p, 3, 1.0, across, 3, 0.5, on_a, on_b, feature, &tally) == 1.5);
  assert_true(feature[0].kind == NEAR_EDGE && feature[0].index[0] == 0 && feature[0].index[1] == 1);
  assert_true(feature[1].kind == NEAR_EDGE && feature[1].index[0] == 0 && feature[1].index[1] == 1);
  assert_true(on_a[1] == -1.0 && on_b[1] == -2.5);
  assert_true(hulls_distance(p, 3, 2.0, across, 3, 1.0, on_a, on_b, feature, &tally) == 0.0);
  assert_true(feature[0].kind == NEAR_INSIDE && memcmp(on_a, on_b, sizeof on_a) == 0);
  assert_true(hulls_distance(p, 1, 2.0, p + 3, 1, 2.0, on_a, on_b, feature, &tally) == 0.0);
  assert_true(feature[0].kind == NEAR_INSIDE && feature[1].kind == NEAR_INSIDE);
  assert_true(hulls_distance(p, 3, 0.0, p, 3, 0.0, on_a, on_b, feature, &tally) == 0.0);
  assert_true(feature[0].kind == NEAR_INSIDE && feature[1].kind == NEAR_INSIDE);
}

/* The centers are farther apart than the largest double, and the ball is large enough to bring the distance below it.
 */
TEST(test_radius_beyond_doubles) {
  orientation_tally tally = {0};
  near_feature feature[2];
  double on_a[3], on_b[3];
  const double center[3] = {-0x1.8p1023, 0, 0}, points[9] = {0x1p1023, 0, 0, 0x1p1023, 0, 0, 0x1p1023, 0, 0};
  const double distance = hulls_distance(center, 1, 0x1p1023, points, 3, 0.0, on_a, on_b, feature, &tally);
  assert_true(fabs(distance - 0x1.8p1023) <= 0x1p983);
  assert_true(hulls_distance(center, 1, 0x1p1000, points, 3, 0.0, on_a, on_b, feature, &tally) == HUGE_VAL);
}

/* The same with a triangle, whose features integers find, and for which doubles have found other weights: the distance
 * is that of the pair at a smaller scale. */
TEST(test_features_beyond_doubles) {
  const double p[3] = {0x1.41e9b6c8e019dp+1022, 0x1.e2de922d5026cp+1023, 0x1.41e9b6c8e019dp+1023};
  const double q[9] = {-0x1.743714af1f1e3p+1022, -0x1.dc54dc2abb2e8p+1018, 0x1.e2de922e1f8adp+1023,
                       -0x1.5b1065bbff9cp+1023,  0x1.242469063467p+1022,   0x1.e2de922e1f8adp+1023,
                       -0x1.926aef31f8232p+1019, -0x1.5faf048b8bcccp+1022, 0x1.e2de922e1f8adp+1023};
  piece_pair far = {{.p_count = 1, .q_count = 3}, 0x1.80e8474f1f3e3p+1023, 0.0}, near = far;
  memcpy(far.corners.p, p, sizeof p);
  memcpy(far.corners.q, q, sizeof q);
  near.p_radius = far.p_radius * 0x1p-40;
  for (int i = 0; i < 3; i++) near.corners.p[i] = p[i] * 0x1p-40;
  for (int i = 0; i < 9; i++) near.corners.q[i] = q[i] * 0x1p-40;
  const double wanted = measure(&near).distance * 0x1p40;
  assert_true(fabs(measure(&far).distance - wanted) <= 1e-12 * wanted);
}
