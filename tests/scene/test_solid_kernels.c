/* The float filters of tetrahedra by themselves: every vector width gives the bits of its scalar twin, for every length
 * of tail; they never give up a pair that rational arithmetic says is one, nor call one what is none; and they decide
 * what they are there for. */
#include "base/number_sequence.h"
#include "base/simd_choice.h"
#include "geometry/rational_oracle.h"
#include "geometry/tetrahedron_generator.h"
#include "geometry/tetrahedron_pair.h"
#include "narrow/solid_kernels.h"
#include "test_scale.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PAIRS = 70, ROOM = 16, COORDINATES = 24, PUSHED_CORNERS = 8, MEETING_WORDS = (MOST_PAIRS + 31) / 32 };

/* The wide ones of this build that the processor can run. */
static size_t wide_kernels(const solid_kernels *kernels_out[2]) {
  size_t count = 0;
#if SIMD_HAS_128
  kernels_out[count++] = &solid_kernels_128;
#endif
#if SIMD_BUILDS_256
  if (simd_available(GRAZE_SIMD_256)) kernels_out[count++] = &solid_kernels_256;
#endif
  (void)kernels_out;
  return count;
}

/* Pairs of tetrahedra in a frame; pair i has the vertices from 8 i on. */
typedef struct solid_batch {
  near_vertex vertices[8 * MOST_PAIRS];
  uint32_t a[MOST_PAIRS][4], b[MOST_PAIRS][4];
  double exact[COORDINATES * MOST_PAIRS];
  size_t count;
} solid_batch;

/* A vertex rounded to float after a push, with an error that covers both and not more. */
static near_vertex round_vertex(const double position[3], const double push[3]) {
  const float near[3] = {(float)(position[0] + push[0]), (float)(position[1] + push[1]),
                         (float)(position[2] + push[2])};
  double worst = 0.0;
  for (int axis = 0; axis < 3; axis++) worst = fmax(worst, fabs((double)near[axis] - position[axis]));
  const float error = (float)worst;
  return (near_vertex){near[0], near[1], near[2], (double)error < worst ? nextafterf(error, 1.0f) : error};
}

static void cross(const double a[3], const double b[3], double result_out[3]) {
  for (int axis = 0; axis < 3; axis++) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    result_out[axis] = a[next] * b[last] - a[last] * b[next];
  }
}

/* The push of each corner by `size` an axis that changes the heights of q over the first face of p the most, with q
 * going one way and the opposite corner of p the other: along the signs of the derivatives. */
static void worst_push(const double pair[COORDINATES], double size, double push_out[COORDINATES]) {
  double u[3], v[3], w[3], along_u[3], along_v[3], along_w[3];
  for (int axis = 0; axis < 3; axis++) {
    u[axis] = pair[3 + axis] - pair[axis];
    v[axis] = pair[6 + axis] - pair[axis];
    w[axis] = (pair[12 + axis] + pair[15 + axis] + pair[18 + axis] + pair[21 + axis]) / 4.0 - pair[axis];
  }
  cross(v, w, along_u);
  cross(w, u, along_v);
  cross(u, v, along_w);
  for (int axis = 0; axis < 3; axis++) {
    push_out[axis] = copysign(size, -(along_u[axis] + along_v[axis] + along_w[axis]));
    push_out[3 + axis] = copysign(size, along_u[axis]);
    push_out[6 + axis] = copysign(size, along_v[axis]);
    push_out[9 + axis] = copysign(size, -along_w[axis]);
    for (int corner = 4; corner < 8; corner++) push_out[3 * corner + axis] = copysign(size, along_w[axis]);
  }
}

/* Brings a pair into [-1, 1] by a power of two; false where it spans more than a frame can. */
static bool into_frame(double pair[COORDINATES]) {
  double largest = 0.0;
  for (int i = 0; i < COORDINATES; i++) largest = fmax(largest, fabs(pair[i]));
  if (largest == 0.0) return true;
  int exponent;
  (void)frexp(largest, &exponent);
  if (exponent < -900 || exponent > 900) return false;
  for (int i = 0; i < COORDINATES; i++) {
    pair[i] = ldexp(pair[i], -exponent);
    if (pair[i] != 0.0 && fabs(pair[i]) < 0x1p-900) return false;
  }
  return true;
}

/* p under and q over a slanted plane in which both have corners, on coordinates of up to 23 bits: heights are zero, and
 * not computed so. */
static void make_slanted(uint64_t *sequence, double pair_out[COORDINATES]) {
  double frame[4][3];
  for (int i = 0; i < 12; i++) frame[i / 3][i % 3] = (double)sequence_below(sequence, 1 << 20) - 0x1p19;
  const int in_plane[2] = {1 + (int)sequence_below(sequence, 3), 1 + (int)sequence_below(sequence, 3)};
  for (int corner = 0; corner < 8; corner++) {
    const double a = (double)sequence_below(sequence, 5) - 2.0, b = (double)sequence_below(sequence, 5) - 2.0;
    const double side = corner < 4 ? -1.0 : 1.0;
    const double height = corner % 4 < in_plane[corner / 4] ? 0.0 : side * (double)sequence_below(sequence, 3);
    for (int axis = 0; axis < 3; axis++)
      pair_out[3 * corner + axis] =
          0x1p-23 * (frame[0][axis] + a * frame[1][axis] + b * frame[2][axis] + height * frame[3][axis]);
  }
}

static bool make_pair(pair_generator *generator, uint64_t *sequence, double pair_out[COORDINATES]) {
  const uint64_t change = sequence_below(sequence, 5);
  if (change == 4) {
    make_slanted(sequence, pair_out);
    return true;
  }
  tetrahedron_pair_generate(generator, tetrahedron_kind_choose(generator), pair_out, pair_out + 12);
  if (!into_frame(pair_out)) return false;
  /* A third: coordinates that are no floats, on degeneracies that stay nearly so. */
  if (change == 1)
    for (int i = 0; i < COORDINATES; i++) pair_out[i] /= 3.0;
  /* Touching pairs moved by about the rounding of floats: the filter has to know its own error. */
  const double size = ldexp(1.0, -20 - (int)sequence_below(sequence, 34));
  for (int i = 0; change == 2 && i < COORDINATES; i++)
    pair_out[i] += size * ((double)sequence_below(sequence, 2001) / 1000.0 - 1.0);
  return true;
}

static void add_pair(solid_batch *batch, uint64_t *sequence, const double pair[COORDINATES]) {
  const uint32_t n = (uint32_t)batch->count;
  double push[COORDINATES] = {0};
  if (sequence_below(sequence, 2) == 0)
    worst_push(pair, ldexp(sequence_below(sequence, 2) == 0 ? 1.0 : -1.0, -4 - (int)sequence_below(sequence, 24)),
               push);
  memcpy(batch->exact + COORDINATES * n, pair, COORDINATES * sizeof *pair);
  for (uint32_t i = 0; i < PUSHED_CORNERS; i++) {
    batch->vertices[8 * n + i] = round_vertex(pair + 3 * i, push + 3 * i);
    (i < 4 ? batch->a : batch->b)[n][i % 4] = 8 * n + i;
  }
  batch->count++;
}

static void make_batch(pair_generator *generator, uint64_t *sequence, size_t count, solid_batch *batch) {
  batch->count = 0;
  while (batch->count < count) {
    double pair[COORDINATES];
    if (make_pair(generator, sequence, pair)) add_pair(batch, sequence, pair);
  }
}

static size_t run_filter(const solid_kernels *kernels, const solid_batch *batch, uint32_t *undecided_out) {
  return kernels->filter_tetrahedra(batch->vertices, (const uint32_t(*)[4])batch->a, (const uint32_t(*)[4])batch->b,
                                    batch->count, undecided_out);
}

static void run_meeting(const solid_kernels *kernels, const solid_batch *batch, uint32_t bits_out[MEETING_WORDS]) {
  memset(bits_out, 0, MEETING_WORDS * sizeof *bits_out);
  kernels->find_meeting(batch->vertices, (const uint32_t(*)[4])batch->a, (const uint32_t(*)[4])batch->b, batch->count,
                        bits_out);
}

static bool has_bit(const uint32_t *bits, size_t i) {
  return (bits[i / 32] >> i % 32 & 1u) != 0;
}

static void test_kernels_match_their_twin(void **state) {
  (void)state;
  const solid_kernels *wide[2];
  const size_t wide_count = wide_kernels(wide);
  pair_generator generator = {17};
  uint64_t sequence = 18;
  solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  size_t decided = 0, all = 0;
  const size_t rounds = test_scaled(1200, 2 * MOST_PAIRS);
  for (size_t round = 0; round < rounds; round++) {
    make_batch(&generator, &sequence, round % (MOST_PAIRS + 1), batch);
    uint32_t expected[MOST_PAIRS + ROOM], found[MOST_PAIRS + ROOM];
    const size_t left = run_filter(&solid_kernels_scalar, batch, expected);
    uint32_t expected_bits[MEETING_WORDS], bits[MEETING_WORDS];
    run_meeting(&solid_kernels_scalar, batch, expected_bits);
    for (size_t i = 0; i < wide_count; i++) {
      assert_int_equal(run_filter(wide[i], batch, found), left);
      assert_memory_equal(expected, found, left * sizeof *found);
      run_meeting(wide[i], batch, bits);
      assert_memory_equal(expected_bits, bits, sizeof bits);
    }
    decided += batch->count - left;
    all += batch->count;
  }
  assert_true(decided > all / 20 && decided < all);
  free(batch);
}

/* How many pairs the filter has decided, none of which may meet. */
static size_t check_batch(rational_oracle *oracle, const solid_batch *batch) {
  uint32_t left[MOST_PAIRS + ROOM];
  const size_t left_count = run_filter(&solid_kernels_scalar, batch, left);
  size_t at = 0;
  for (size_t i = 0; i < batch->count; i++) {
    const double *p = batch->exact + COORDINATES * i, *q = p + 12;
    if (at < left_count && left[at] == i)
      at++;
    else
      assert_false(rational_oracle_hulls_intersect(oracle, p, 4, q, 4));
  }
  assert_int_equal(at, left_count);
  return batch->count - left_count;
}

static void test_filter_keeps_every_pair(void **state) {
  (void)state;
  rational_oracle *oracle = rational_oracle_create();
  pair_generator generator = {99};
  uint64_t sequence = 100;
  solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  const size_t pair_count = test_scaled(200000, 5000);
  size_t decided = 0, inexact = 0;
  for (size_t done = 0; done < pair_count; done += MOST_PAIRS) {
    make_batch(&generator, &sequence, MOST_PAIRS, batch);
    for (size_t i = 0; i < batch->count; i++) inexact += batch->vertices[8 * i].error > 0.0f;
    decided += check_batch(oracle, batch);
  }
  print_message("%zu pairs, %zu with rounded corners, %zu decided by the filter\n", pair_count, inexact, decided);
  assert_true(decided > pair_count / 10 && inexact > pair_count / 3);
  rational_oracle_destroy(oracle);
  free(batch);
}

/* How many pairs of the batch are found to meet, all of which must. */
static size_t check_meeting(rational_oracle *oracle, const solid_batch *batch) {
  uint32_t bits[MEETING_WORDS];
  run_meeting(&solid_kernels_scalar, batch, bits);
  size_t found = 0;
  for (size_t i = 0; i < batch->count; i++) {
    if (!has_bit(bits, i)) continue;
    const double *p = batch->exact + COORDINATES * i;
    assert_true(rational_oracle_hulls_intersect(oracle, p, 4, p + 12, 4));
    found++;
  }
  return found;
}

/* Moves q by just as much along the normal of p's first face, or opposite, that one more step would part or join the
 * two, give or take some roundings of floats: whatever the filter is certain of there, it is certain by its bound. */
static void move_to_touch(uint64_t *sequence, double pair[COORDINATES]) {
  double u[3], v[3], normal[3], low = INFINITY, high = -INFINITY;
  for (int axis = 0; axis < 3; axis++) {
    u[axis] = pair[3 + axis] - pair[axis];
    v[axis] = pair[6 + axis] - pair[axis];
  }
  cross(u, v, normal);
  const double square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
  if (!(square > 0x1p-60)) return;
  for (int corner = 4; corner < 8; corner++) {
    double height = 0.0;
    for (int axis = 0; axis < 3; axis++) height += normal[axis] * (pair[3 * corner + axis] - pair[axis]);
    low = fmin(low, height);
    high = fmax(high, height);
  }
  const double slack =
      ldexp((double)sequence_below(sequence, 2001) / 1000.0 - 1.0, -18 - (int)sequence_below(sequence, 12));
  const double step = (sequence_below(sequence, 2) == 0 ? -low : -high) / square + slack;
  for (int i = 12; i < COORDINATES; i++) pair[i] += step * normal[i % 3];
}

static void test_what_meets_does(void **state) {
  (void)state;
  rational_oracle *oracle = rational_oracle_create();
  pair_generator generator = {300};
  uint64_t sequence = 301;
  solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  const size_t pair_count = test_scaled(200000, 5000);
  size_t found = 0, touching_found = 0;
  for (size_t done = 0; done < pair_count; done += 2 * MOST_PAIRS) {
    make_batch(&generator, &sequence, MOST_PAIRS, batch);
    found += check_meeting(oracle, batch);
    batch->count = 0;
    while (batch->count < MOST_PAIRS) {
      double pair[COORDINATES];
      tetrahedron_pair_generate(&generator, TETRAHEDRON_GENERAL, pair, pair + 12);
      move_to_touch(&sequence, pair);
      if (into_frame(pair)) add_pair(batch, &sequence, pair);
    }
    touching_found += check_meeting(oracle, batch);
  }
  print_message("%zu pairs, %zu found to meet, %zu of them close to touching\n", pair_count, found + touching_found,
                touching_found);
  assert_true(found > pair_count / 40);
  rational_oracle_destroy(oracle);
  free(batch);
}

/* In general position, nearly all that meet are found. */
static void test_most_that_meet_are_found(void **state) {
  (void)state;
  pair_generator generator = {400};
  solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  size_t found = 0, meeting = 0;
  for (int round = 0; round < 100; round++) {
    batch->count = MOST_PAIRS;
    for (uint32_t n = 0; n < MOST_PAIRS; n++) {
      double pair[COORDINATES];
      const double none[3] = {0};
      tetrahedron_pair_generate(&generator, TETRAHEDRON_GENERAL, pair, pair + 12);
      orientation_tally tally = {0};
      meeting += tetrahedron_pair_intersects(pair, pair + 12, &tally);
      for (uint32_t i = 0; i < 8; i++) {
        batch->vertices[8 * n + i] = round_vertex(pair + 3 * i, none);
        (i < 4 ? batch->a : batch->b)[n][i % 4] = 8 * n + i;
      }
    }
    uint32_t bits[MEETING_WORDS];
    run_meeting(&solid_kernels_scalar, batch, bits);
    for (size_t i = 0; i < batch->count; i++) found += has_bit(bits, i);
  }
  print_message("%zu of %zu pairs that meet are found\n", found, meeting);
  assert_true(found >= meeting - meeting / 50);
  free(batch);
}

/* In general position and rounded to float, nearly as many are decided as the planes of faces part, or more: the filter
 * sees gaps on the far side of a tetrahedron, too. */
static void test_filter_decides_general_pairs(void **state) {
  (void)state;
  pair_generator generator = {200};
  uint64_t sequence = 201;
  solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  size_t decided = 0, parted = 0;
  for (int round = 0; round < 100; round++) {
    batch->count = 0;
    while (batch->count < MOST_PAIRS) {
      double pair[COORDINATES];
      tetrahedron_pair_generate(&generator, TETRAHEDRON_GENERAL, pair, pair + 12);
      orientation_tally tally = {0};
      parted += !tetrahedron_pair_intersects_no_edges(pair, pair + 12, &tally);
      add_pair(batch, &sequence, pair);
      for (int i = 0; i < 8; i++) {
        const double none[3] = {0};
        batch->vertices[8 * (batch->count - 1) + (size_t)i] = round_vertex(pair + 3 * i, none);
      }
    }
    uint32_t left[MOST_PAIRS + ROOM];
    decided += batch->count - run_filter(&solid_kernels_scalar, batch, left);
  }
  print_message("%zu pairs are decided, a face parts %zu\n", decided, parted);
  assert_true(decided >= parted - parted / 200);
  free(batch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels_match_their_twin),     cmocka_unit_test(test_filter_keeps_every_pair),
      cmocka_unit_test(test_filter_decides_general_pairs), cmocka_unit_test(test_what_meets_does),
      cmocka_unit_test(test_most_that_meet_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
