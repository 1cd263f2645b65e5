/* Tests the float filter of clearances: it never contradicts integers of any size, at reaches from far away to one bit
 * beside the distance, at all scales of doubles; every vector width gives the answers of its scalar twin; and it
 * decides nearly all pairs that are not close to the reach. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/simd_choice.h"
#include "broad/vertex_normalization.h"
#include "geometry/convex_measure.h"
#include "geometry/near_generator.h"
#include "geometry/reach_reference.h"
#include "narrow/candidate_test.h"
#include "test_scale.h"
#include "testing.h"

enum { PAIRS = 40000, PAIRS_LEAST = 400, REACHES = 8 };

/* Two objects of a triangle each. */
typedef struct pair_scene {
  cell_pair corners;
  object_source sources[2];
  uint32_t own[3];
  normalizing_transform normalization;
  primitive_header headers[2];
  primitive_view view;
  candidate candidate;
} pair_scene;

static void pair_scene_set(pair_scene *made, double clearance, double scale) {
  for (uint32_t i = 0; i < 3; i++) made->own[i] = i;
  for (uint32_t object = 0; object < 2; object++) {
    made->sources[object] = (object_source){.positions = object == 0 ? made->corners.p : made->corners.q,
                                            .is_double = true,
                                            .corner_count = 3,
                                            .kind = GRAZE_KIND_TRIANGLE,
                                            .corners = made->own,
                                            .first_vertex = 3 * object,
                                            .first_primitive = object,
                                            .primitive_count = 1};
    made->headers[object] = primitive_header_of(&made->sources[object], object, object);
  }
  made->normalization = (normalizing_transform){.scale = scale};
  made->view = (primitive_view){.sources = made->sources,
                                .object_count = 2,
                                .headers = made->headers,
                                .only_triangles = true,
                                .skip_neighbors = true,
                                .normalization = &made->normalization,
                                .clearance = clearance};
  made->candidate = (candidate){{0, 1}, &made->headers[0], &made->headers[1]};
}

static near_answer decide(const near_kernels *kernels, const pair_scene *scene) {
  const near_units units = near_units_make(&scene->view);
  uint8_t answers[NEAR_CHUNK] = {NEAR_UNDECIDED};
  if (units.factor > 0.0) near_batch_decide(kernels, &scene->view, &units, &scene->candidate, 1, answers);
  return (near_answer)answers[0];
}

static double reach_near(double distance, uint32_t number, pair_generator *generator) {
  const double sign = pair_generator_below(generator, 2) == 0 ? 1.0 : -1.0;
  switch (number) {
  case 0:
    return distance;
  case 1:
    return nextafter(distance, HUGE_VAL);
  case 2:
    return nextafter(distance, 0.0);
  case 3:
    return distance * ldexp(1.0, (int)pair_generator_below(generator, 60) - 30);
  case 4:
    return ldexp(1.0, (int)pair_generator_below(generator, 2098) - 1074);
  default: /* around what floats can tell apart */
    return distance * (1.0 + sign * ldexp(1.0, -1 - (int)pair_generator_below(generator, 30)));
  }
}

TEST(test_against_reference) {
  reach_reference *reference = reach_reference_create();
  uint64_t wrong = 0, decided[2] = {0, 0}, total = 0;
  for (int kind = NEAR_KIND_TRIANGLES; kind <= NEAR_KIND_EXACT_TRIANGLES; kind++) {
    pair_generator generator = {31000 + (uint64_t)kind};
    const size_t count = test_scaled_to(0.1, PAIRS, PAIRS_LEAST);
    for (size_t i = 0; i < count; i++) {
      pair_scene scene;
      double on_p[3], on_q[3];
      orientation_tally tally = {0};
      near_pair_generate(&generator, (near_kind)kind, &scene.corners);
      const double distance = convex_pair_distance(scene.corners.p, 3, scene.corners.q, 3, on_p, on_q, &tally);
      reach_reference_set(reference, scene.corners.p, 3, scene.corners.q, 3);
      for (uint32_t number = 0; number < REACHES; number++) {
        const double reach = reach_near(distance, number, &generator);
        if (!(reach > 0.0 && reach <= DBL_MAX)) continue;
        pair_scene_set(&scene, reach, ldexp(1.0, (int)pair_generator_below(&generator, 60) - 30));
        const near_answer answer = decide(&near_kernels_scalar, &scene);
        total++;
        if (answer == NEAR_UNDECIDED) continue;
        const bool expected = reach_reference_order(reference, reach, 0.0, 0.0) <= 0;
        decided[expected]++;
        wrong += (answer == NEAR_WITHIN) != expected;
      }
    }
  }
  reach_reference_destroy(reference);
  print_message("%lu of %lu within, %lu apart\n", (unsigned long)decided[1], (unsigned long)total,
                (unsigned long)decided[0]);
  assert_int_equal(wrong, 0);
  assert_true(decided[0] > total / 10 && decided[1] > total / 10);
}

/* ---------------------------------------------------------------------------------------------- widths */

static size_t wide_kernels(const near_kernels *kernels_out[2]) {
  size_t count = 0;
#if SIMD_HAS_128
  kernels_out[count++] = &near_kernels_128;
#endif
#if SIMD_BUILDS_256
  if (simd_available(GRAZE_SIMD_256)) kernels_out[count++] = &near_kernels_256;
#endif
  (void)kernels_out;
  return count;
}

/* Lattices, so that ties and degenerate triangles come; and numbers of all scales, infinite ones among them. */
static float coordinate(pair_generator *generator, size_t pair) {
  if (pair % 4 == 3)
    return (float)ldexp(pair_generator_coordinate(generator), (int)pair_generator_below(generator, 300) - 150);
  if (pair % 4 == 2) return (float)pair_generator_coordinate(generator) * 4.0f;
  return (float)((int)pair_generator_below(generator, 7) - 3) * 0.5f;
}

TEST(test_widths_match) {
  const near_kernels *wide[2];
  const size_t wide_count = wide_kernels(wide), rounds = test_scaled(2000, 200);
  pair_generator generator = {32000};
  uint64_t answers_seen[3] = {0, 0, 0};
  for (size_t round = 0; round < rounds; round++) {
    near_pairs pairs;
    uint8_t expected[NEAR_CAPACITY], found[NEAR_CAPACITY];
    const size_t count = 1 + round % NEAR_CHUNK;
    for (size_t pair = 0; pair < NEAR_CAPACITY; pair++)
      for (int row = 0; row < NEAR_COORDINATES; row++) pairs.coordinates[row][pair] = coordinate(&generator, pair);
    const float reach = ldexpf(1.0f, (int)pair_generator_below(&generator, 24) - 20);
    const near_limits limits = {reach * 0.99999994f, reach};
    near_kernels_scalar.decide(&pairs, count, limits, expected);
    for (size_t i = 0; i < count; i++) answers_seen[expected[i]]++;
    for (size_t i = 0; i < wide_count; i++) {
      wide[i]->decide(&pairs, count, limits, found);
      assert_memory_equal(found, expected, count);
    }
  }
  for (int i = 0; i < 3; i++) assert_true(answers_seen[i] > rounds);
}

/* Pairs of triangles of about one unit: what is undecided is close to the reach. */
TEST(test_decides_most) {
  pair_generator generator = {33000};
  size_t undecided = 0, total = 0;
  for (size_t i = 0; i < 4000; i++) {
    pair_scene scene;
    double on_p[3], on_q[3];
    orientation_tally tally = {0};
    for (int k = 0; k < 9; k++) {
      scene.corners.p[k] = pair_generator_coordinate(&generator) + (k % 3 == 0 ? 1000.0 : 0.0);
      scene.corners.q[k] = pair_generator_coordinate(&generator) + (k % 3 == 0 ? 1001.5 : 0.5);
    }
    pair_scene_set(&scene, 1.0, 0x1p-10);
    const double distance = convex_pair_distance(scene.corners.p, 3, scene.corners.q, 3, on_p, on_q, &tally);
    if (distance > 0.85 && distance < 1.001) continue;
    total++;
    undecided += decide(&near_kernels_scalar, &scene) == NEAR_UNDECIDED;
  }
  print_message("%zu of %zu are undecided\n", undecided, total);
  assert_true(total > 2000 && 50 * undecided < total);
}
