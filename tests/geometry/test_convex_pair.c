/* Compares the exact test of convex cells with the reference on every kind of pair, also its exact tier alone, and
 * counts the certificates, so that each is exercised. */
#include <stddef.h>
#include <stdint.h>

#include "cell_generator.h"
#include "geometry/convex_pair.h"
#include "geometry/triangle_pair.h"
#include "hull_reference.h"
#include "test_effort.h"
#include "test_scale.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { PAIRS = 10000 };
#else
enum { PAIRS = 200000 };
#endif

static const char *const certificate_words[CONVEX_CERTIFICATE_COUNT] = {
    "apart by a direction", "apart by planes", "meet by a corner", "meet by a simplex", "meet by planes"};

static bool reference_says(hull_reference *reference, cell_kind kind, const cell_pair *pair) {
  return cell_kind_is_lattice(kind)
             ? lattice_hulls_intersect(pair->p, pair->p_count, pair->q, pair->q_count)
             : hull_reference_intersects(reference, pair->p, pair->p_count, pair->q, pair->q_count);
}

TEST(test_agrees_with_the_reference) {
  OWNED(hull_reference) *reference = hull_reference_create();
  uint64_t wrong = 0, meeting = 0, decided[CONVEX_CERTIFICATE_COUNT] = {0}, total = 0;
  for (int kind = 0; kind < CELL_KIND_COUNT; ++kind) {
    pair_generator generator = {7000 + (uint64_t)kind};
    const size_t count = test_scaled((size_t)PAIRS * cell_kind_share((cell_kind)kind) / 1000, 20);
    for (size_t i = 0; i < count; ++i) {
      cell_pair pair;
      cell_pair_generate(&generator, (cell_kind)kind, &pair);
      orientation_tally tally = {0};
      const bool expected = reference_says(reference, (cell_kind)kind, &pair);
      const convex_certificate found = convex_pair_decide(pair.p, pair.p_count, pair.q, pair.q_count, &tally);
      wrong += (found >= CONVEX_MEET_BY_CORNER) != expected;
      meeting += expected;
      decided[found] += 1;
      total += 1;
    }
    if (wrong != 0) print_message("wrong at: %s\n", cell_kind_words((cell_kind)kind));
    assert_int_equal(wrong, 0);
  }
  print_message("%lu pairs, %lu meet\n", (unsigned long)total, (unsigned long)meeting);
  for (int i = 0; i < CONVEX_CERTIFICATE_COUNT; ++i) {
    print_message("%s: %lu\n", certificate_words[i], (unsigned long)decided[i]);
    assert_true(decided[i] > 0);
  }
}

/* Without the certificates, and with p and q exchanged: the plane it names must have p and q on its sides. */
static uint64_t count_faults_of_separation(const cell_pair *pair, bool expected) {
  orientation_tally tally = {0};
  const hull_separation found = hull_separation_find(pair->p, pair->p_count, pair->q, pair->q_count, &tally);
  uint64_t faults = found.meets != expected;
  faults += hull_separation_find(pair->q, pair->q_count, pair->p, pair->p_count, &tally).meets != expected;
  for (uint32_t i = 0; found.has_plane && i < pair->p_count + pair->q_count; ++i) {
    const bool in_q = i >= pair->p_count;
    const double *point = in_q ? pair->q + 3 * (i - pair->p_count) : pair->p + 3 * i;
    const int side = found.direction * orientation_3d(found.corner[0], found.corner[1], found.corner[2], point, &tally);
    faults += in_q ? side > 0 : side < 0;
  }
  return faults;
}

TEST(test_separation_alone) {
  OWNED(hull_reference) *reference = hull_reference_create();
  uint64_t wrong = 0;
  for (int kind = 0; kind < CELL_KIND_COUNT; ++kind) {
    pair_generator generator = {7100 + (uint64_t)kind};
    const size_t count = test_scaled((size_t)PAIRS * cell_kind_share((cell_kind)kind) / 4000, 20);
    for (size_t i = 0; i < count; ++i) {
      cell_pair pair;
      cell_pair_generate(&generator, (cell_kind)kind, &pair);
      wrong += count_faults_of_separation(&pair, reference_says(reference, (cell_kind)kind, &pair)) > 0;
    }
    if (wrong != 0) print_message("wrong at: %s\n", cell_kind_words((cell_kind)kind));
    assert_int_equal(wrong, 0);
  }
}

/* The fast reference is as good as the slow one. */
TEST(test_references_agree) {
  OWNED(hull_reference) *reference = hull_reference_create();
  pair_generator generator = {7200};
  uint64_t wrong = 0;
  for (size_t i = 0; i < test_scaled(PAIRS / 100, 100); ++i) {
    cell_pair pair;
    cell_pair_generate(&generator, (cell_kind)(i % CELL_GENERAL), &pair);
    wrong += hull_reference_intersects(reference, pair.p, pair.p_count, pair.q, pair.q_count) !=
             lattice_hulls_intersect(pair.p, pair.p_count, pair.q, pair.q_count);
  }
  assert_int_equal(wrong, 0);
}

/* Triangles as cells: the answer of the test that is made for them. */
TEST(test_triangles_are_cells) {
  uint64_t wrong = 0;
  for (int kind = 0; kind < PAIR_KIND_COUNT; ++kind) {
    pair_generator generator = {7300 + (uint64_t)kind};
    const size_t count = test_scaled(kind == PAIR_EXTREME ? PAIRS / 4000 : PAIRS / 100, 10);
    for (size_t i = 0; i < count; ++i) {
      double p[9], q[9];
      pair_generate(&generator, (pair_kind)kind, p, q);
      orientation_tally tally = {0};
      wrong += convex_pair_intersects(p, 3, q, 3, &tally) != triangle_pair_intersects(p, q, &tally);
    }
  }
  assert_int_equal(wrong, 0);
}

/* A proof does not trust the guess: four random pairs of corners prove nothing if the hulls of those corners are
 * disjoint by the reference. */
TEST(test_wrong_guesses_prove_nothing) {
  uint64_t wrong = 0, proven = 0;
  for (int kind = 0; kind < CELL_GENERAL; ++kind) {
    pair_generator generator = {7400 + (uint64_t)kind};
    for (size_t i = 0; i < test_scaled(PAIRS / 20, 100); ++i) {
      cell_pair pair, small = {.p_count = 4, .q_count = 4};
      gjk_result guess = {.corner_count = 4};
      cell_pair_generate(&generator, (cell_kind)kind, &pair);
      for (int k = 0; k < 4; ++k) {
        guess.p_corner[k] = pair_generator_below(&generator, pair.p_count);
        guess.q_corner[k] = pair_generator_below(&generator, pair.q_count);
        for (int axis = 0; axis < 3; ++axis) {
          small.p[3 * k + axis] = pair.p[3 * guess.p_corner[k] + (uint32_t)axis];
          small.q[3 * k + axis] = pair.q[3 * guess.q_corner[k] + (uint32_t)axis];
        }
      }
      orientation_tally tally = {0};
      if (!simplex_proves_intersection(&guess, pair.p, pair.q, &tally)) continue;
      proven += 1;
      wrong += !lattice_hulls_intersect(small.p, 4, small.q, 4);
    }
  }
  assert_int_equal(wrong, 0);
  assert_true(proven > 0);
}
