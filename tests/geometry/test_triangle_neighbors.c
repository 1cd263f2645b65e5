/* Compares the rule "beyond" with the rational reference: triangles that share one, two or three corners, in all orders
 * of their corners, in general position, on lattices with many coplanar cases, needles, and degenerate ones. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/triangle_neighbors.h"
#include "pair_generator.h"
#include "rational_oracle.h"
#include "test_effort.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { PAIRS_PER_KIND = 500 };
#else
enum { PAIRS_PER_KIND = 8000 };
#endif

/* Shares corners at random places: q_corners[i] of q becomes p_corners[i] of p. */
static void share_corners(pair_generator *generator, uint32_t count, const double p[9], double q[9],
                          uint32_t p_corners[3], uint32_t q_corners[3]) {
  const uint32_t p_start = pair_generator_below(generator, 3), q_start = pair_generator_below(generator, 3);
  const uint32_t p_step = 1 + pair_generator_below(generator, 2), q_step = 1 + pair_generator_below(generator, 2);
  for (uint32_t i = 0; i < count; ++i) {
    p_corners[i] = (p_start + i * p_step) % 3;
    q_corners[i] = (q_start + i * q_step) % 3;
    memcpy(q + 3 * q_corners[i], p + 3 * p_corners[i], 3 * sizeof *q);
  }
}

static void check_shared(uint32_t shared_count, uint64_t minimum_true) {
  rational_oracle *oracle = rational_oracle_create();
  uint64_t wrong = 0, intersecting = 0;
  for (int kind = 0; kind < PAIR_KIND_COUNT; ++kind) {
    pair_generator generator = {31 + (uint64_t)kind};
    const int count = kind == PAIR_EXTREME ? PAIRS_PER_KIND / 50 : PAIRS_PER_KIND;
    for (int i = 0; i < count; ++i) {
      double p[9], q[9];
      uint32_t p_corners[3] = {0, 0, 0}, q_corners[3] = {0, 0, 0};
      pair_generate(&generator, (pair_kind)kind, p, q);
      share_corners(&generator, shared_count, p, q, p_corners, q_corners);
      orientation_tally tally = {0};
      const bool expected = rational_oracle_intersects_beyond(oracle, p, q, shared_count, p_corners, q_corners);
      wrong += triangle_pair_intersects_beyond(p, q, shared_count, p_corners, q_corners, &tally) != expected;
      wrong += triangle_pair_intersects_beyond(q, p, shared_count, q_corners, p_corners, &tally) != expected;
      intersecting += expected;
    }
  }
  rational_oracle_destroy(oracle);
  print_message("%u shared: %llu intersect beyond\n", shared_count, (unsigned long long)intersecting);
  assert_int_equal(wrong, 0);
  assert_true(intersecting >= minimum_true);
}

TEST(test_no_common_vertex) {
  check_shared(0, PAIRS_PER_KIND);
}

TEST(test_one_common_vertex) {
  check_shared(1, PAIRS_PER_KIND);
}

TEST(test_two_common_vertices) {
  check_shared(2, PAIRS_PER_KIND / 4);
}

TEST(test_three_common_vertices) {
  check_shared(3, 0);
}

TEST(test_neighbors_by_hand) {
  orientation_tally tally = {0};
  const double p[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
  const double through[9] = {0, 0, 0, 1, 1, -1, 1, 1, 1}, away[9] = {0, 0, 0, -1, -1, -1, -1, -1, 1};
  const double folded[9] = {0, 0, 0, 4, 0, 0, 1, 1, 0}, unfolded[9] = {0, 0, 0, 4, 0, 0, 1, -1, 0};
  const double lifted[9] = {0, 0, 0, 4, 0, 0, 1, 1, 5e-324}, thin[9] = {0, 0, 0, 4, 0, 0, 2, 0, 0};
  const uint32_t corners[3] = {0, 1, 2};
  assert_true(triangle_pair_intersects_beyond(p, through, 1, corners, corners, &tally));
  assert_false(triangle_pair_intersects_beyond(p, away, 1, corners, corners, &tally));
  assert_true(triangle_pair_intersects_beyond(p, folded, 2, corners, corners, &tally));
  assert_false(triangle_pair_intersects_beyond(p, unfolded, 2, corners, corners, &tally));
  assert_false(triangle_pair_intersects_beyond(p, lifted, 2, corners, corners, &tally));
  assert_false(triangle_pair_intersects_beyond(p, thin, 2, corners, corners, &tally));
  assert_false(triangle_pair_intersects_beyond(p, p, 3, corners, corners, &tally));
}
