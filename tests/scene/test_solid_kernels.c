/* Tests the float filters of tetrahedra: every vector width gives the bits of its scalar twin, for every length of
 * tail; they never contradict rational arithmetic; and they decide the cases that they are for. */
#include "base/number_sequence.h"
#include "base/simd_choice.h"
#include "geometry/rational_oracle.h"
#include "geometry/tetrahedron_generator.h"
#include "geometry/tetrahedron_pair.h"
#include "lab/tetrahedron_faces.h"
#include "narrow/solid_kernels.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 70, ROOM = 16, COORDINATES = 24, PUSHED_CORNERS = 8, BIT_WORDS = (MOST_PAIRS + 31) / 32 };

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
  rounded_vertex vertices[8 * MOST_PAIRS];
  uint32_t a[MOST_PAIRS][4], b[MOST_PAIRS][4];
  double exact[COORDINATES * MOST_PAIRS];
  size_t count;
} solid_batch;

/* A vertex rounded to float after a push, with an error that covers both and not more. */
static rounded_vertex round_vertex(const double position[3], const double push[3]) {
  const float rounded[3] = {(float)(position[0] + push[0]), (float)(position[1] + push[1]),
                            (float)(position[2] + push[2])};
  double worst = 0.0;
  for (int axis = 0; axis < 3; axis++) worst = fmax(worst, fabs((double)rounded[axis] - position[axis]));
  const float error = (float)worst;
  return (rounded_vertex){rounded[0], rounded[1], rounded[2], (double)error < worst ? nextafterf(error, 1.0f) : error};
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
static bool into_normalized(double pair[COORDINATES]) {
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
  if (!into_normalized(pair_out)) return false;
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

/* Decisions by planes and by points on edges. */
typedef struct edge_bits {
  uint32_t meeting[BIT_WORDS], apart[BIT_WORDS];
} edge_bits;

static edge_bits run_edges(const solid_kernels *kernels, const solid_batch *batch) {
  edge_bits bits;
  memset(&bits, 0xff, sizeof bits); /* whatever was there before */
  kernels->decide_by_edges(batch->vertices, (const uint32_t(*)[4])batch->a, (const uint32_t(*)[4])batch->b,
                           batch->count, bits.meeting, bits.apart);
  return bits;
}

static bool has_bit(const uint32_t *bits, size_t i) {
  return (bits[i / 32] >> i % 32 & 1u) != 0;
}

TEST(test_kernels_match_their_twin) {
  const solid_kernels *wide[2];
  const size_t wide_count = wide_kernels(wide);
  pair_generator generator = {17};
  uint64_t sequence = 18;
  OWNED_MEMORY solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  size_t decided = 0, parted = 0, all = 0;
  const size_t rounds = test_scaled(1200, 2 * MOST_PAIRS);
  for (size_t round = 0; round < rounds; round++) {
    make_batch(&generator, &sequence, round % (MOST_PAIRS + 1), batch);
    uint32_t expected[MOST_PAIRS + ROOM], found[MOST_PAIRS + ROOM];
    const size_t left = run_filter(&solid_kernels_scalar, batch, expected);
    const edge_bits expected_bits = run_edges(&solid_kernels_scalar, batch);
    for (size_t i = 0; i < batch->count; i++) parted += has_bit(expected_bits.apart, i);
    for (size_t i = 0; i < wide_count; i++) {
      assert_int_equal(run_filter(wide[i], batch, found), left);
      assert_memory_equal(expected, found, left * sizeof *found);
      const edge_bits bits = run_edges(wide[i], batch);
      assert_memory_equal(&expected_bits, &bits, sizeof bits);
    }
    decided += batch->count - left;
    all += batch->count;
  }
  assert_true(decided > all / 20 && decided < all && parted > all / 20);
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

TEST(test_filter_keeps_every_pair) {
  OWNED(rational_oracle) *oracle = rational_oracle_create();
  pair_generator generator = {99};
  uint64_t sequence = 100;
  OWNED_MEMORY solid_batch *batch = malloc(sizeof *batch);
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
}

/* How many pairs were found to meet and to be apart. */
typedef struct edge_counts {
  size_t meeting, apart;
} edge_counts;

/* Pairs classified as intersecting or as separate must be so. */
static void check_edges(rational_oracle *oracle, const solid_batch *batch, edge_counts *counts) {
  const edge_bits bits = run_edges(&solid_kernels_scalar, batch);
  for (size_t i = 0; i < batch->count; i++) {
    const bool meeting = has_bit(bits.meeting, i), apart = has_bit(bits.apart, i);
    if (!meeting && !apart) continue;
    const double *p = batch->exact + COORDINATES * i;
    const bool meet = rational_oracle_hulls_intersect(oracle, p, 4, p + 12, 4);
    assert_int_equal(meeting, meet);
    assert_int_equal(apart, !meet);
    counts->meeting += meeting;
    counts->apart += apart;
  }
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

TEST(test_edges_decide_rightly) {
  OWNED(rational_oracle) *oracle = rational_oracle_create();
  pair_generator generator = {300};
  uint64_t sequence = 301;
  OWNED_MEMORY solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  const size_t pair_count = test_scaled(200000, 5000);
  edge_counts found = {0}, close = {0};
  for (size_t done = 0; done < pair_count; done += 2 * MOST_PAIRS) {
    make_batch(&generator, &sequence, MOST_PAIRS, batch);
    check_edges(oracle, batch, &found);
    batch->count = 0;
    while (batch->count < MOST_PAIRS) {
      double pair[COORDINATES];
      tetrahedron_pair_generate(&generator, TETRAHEDRON_GENERAL, pair, pair + 12);
      move_to_touch(&sequence, pair);
      if (into_normalized(pair)) add_pair(batch, &sequence, pair);
    }
    check_edges(oracle, batch, &close);
  }
  print_message("%zu pairs, %zu found to meet, %zu apart; close to touching %zu and %zu\n", pair_count, found.meeting,
                found.apart, close.meeting, close.apart);
  assert_true(found.meeting > pair_count / 40 && found.apart > pair_count / 40);
}

/* ---------------------------------------------------------------------------------------------- crossing edges */

static double small_number(uint64_t *sequence, int least, int most) {
  return (double)(least + (int)sequence_below(sequence, (uint64_t)(most - least + 1)));
}

static void swap_points(double *a, double *b) {
  for (int axis = 0; axis < 3; axis++) {
    const double kept = a[axis];
    a[axis] = b[axis];
    b[axis] = kept;
  }
}

/* An edge of p and an edge of q, in no particular place among their corners, cross in a point with all else of p under
 * their plane and all else of q over it. Coordinates have up to 23 bits: heights over the plane of the two edges are
 * zero, and not computed so. The normal points from p to q. */
static void make_crossing(uint64_t *sequence, double pair_out[COORDINATES], double normal_out[3]) {
  double frame[4][3]; /* where they cross, the edges, upward */
  for (int i = 0; i < 12; i++) frame[i / 3][i % 3] = (double)sequence_below(sequence, 1 << 19) - 0x1p18;
  for (int corner = 0; corner < 8; corner++) {
    const bool of_p = corner < 4, on_edge = corner % 4 < 2;
    const double along = corner % 4 == 0 ? -small_number(sequence, 1, 2) : small_number(sequence, 1, 2);
    double a = of_p ? along : 0.0, b = of_p ? 0.0 : along, height = 0.0;
    if (!on_edge) {
      /* One left and one right of the edge: the two are solid. */
      const double across = corner % 4 == 2 ? small_number(sequence, -2, 0) : small_number(sequence, 1, 2);
      a = of_p ? small_number(sequence, -2, 2) : across;
      b = of_p ? across : small_number(sequence, -2, 2);
      height = small_number(sequence, 1, 3) * (of_p ? -1.0 : 1.0);
    }
    for (int axis = 0; axis < 3; axis++)
      pair_out[3 * corner + axis] =
          0x1p-23 * (frame[0][axis] + a * frame[1][axis] + b * frame[2][axis] + height * frame[3][axis]);
  }
  cross(frame[1], frame[2], normal_out);
  double upward = 0.0, length = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    upward += normal_out[axis] * frame[3][axis];
    length = fmax(length, fabs(normal_out[axis]));
  }
  for (int axis = 0; length > 0.0 && axis < 3; axis++) normal_out[axis] *= (upward < 0.0 ? -1.0 : 1.0) / length;
  for (int i = 3; i > 0; i--) {
    swap_points(pair_out + 3 * i, pair_out + 3 * sequence_below(sequence, (uint64_t)i + 1));
    swap_points(pair_out + 12 + 3 * i, pair_out + 12 + 3 * sequence_below(sequence, (uint64_t)i + 1));
  }
}

static void move_second(double pair[COORDINATES], const double normal[3], double distance) {
  for (int i = 12; i < COORDINATES; i++) pair[i] += distance * normal[i % 3];
}

/* Corners pushed so that the two seem further from each other than they are, by `size` an axis each. */
static void push_apart(const double normal[3], double size, double push_out[COORDINATES]) {
  for (int i = 0; i < COORDINATES; i++) push_out[i] = copysign(size, i < 12 ? -normal[i % 3] : normal[i % 3]);
}

static void put_pair(solid_batch *batch, const double pair[COORDINATES], const double push[COORDINATES], bool swapped) {
  const uint32_t n = (uint32_t)batch->count++;
  memcpy(batch->exact + COORDINATES * n, pair, COORDINATES * sizeof *pair);
  for (uint32_t i = 0; i < 8; i++) {
    batch->vertices[8 * n + i] = round_vertex(pair + 3 * i, push + 3 * i);
    ((i < 4) != swapped ? batch->a : batch->b)[n][i % 4] = 8 * n + i;
  }
}

/* A third just touches; a third is parted or joined by some roundings of floats; a third seems further apart than it
 * is, and is from deep in each other to clearly apart. */
static void put_crossing(uint64_t *sequence, solid_batch *batch) {
  double pair[COORDINATES], normal[3], push[COORDINATES] = {0};
  make_crossing(sequence, pair, normal);
  const uint64_t change = sequence_below(sequence, 3);
  const double part = (double)sequence_below(sequence, 2001) / 1000.0 - 1.0;
  if (change == 1) move_second(pair, normal, ldexp(part, -10 - (int)sequence_below(sequence, 18)));
  if (change == 2) {
    const double size = ldexp(1.0, -6 - (int)sequence_below(sequence, 20));
    move_second(pair, normal, ldexp(size * part, 1 + (int)sequence_below(sequence, 8)));
    push_apart(normal, size, push);
  }
  put_pair(batch, pair, push, sequence_below(sequence, 2) == 0);
}

TEST(test_crossing_edges_are_kept) {
  OWNED(rational_oracle) *oracle = rational_oracle_create();
  uint64_t sequence = 501;
  OWNED_MEMORY solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  const size_t pair_count = test_scaled(400000, 10000);
  edge_counts found = {0};
  for (size_t done = 0; done < pair_count; done += MOST_PAIRS) {
    batch->count = 0;
    while (batch->count < MOST_PAIRS) put_crossing(&sequence, batch);
    check_edges(oracle, batch, &found);
  }
  print_message("%zu pairs with crossing edges, %zu found to meet, %zu apart\n", pair_count, found.meeting,
                found.apart);
  assert_true(found.meeting > pair_count / 200 && found.apart > pair_count / 40);
}

/* Edges that cross at a distance of a hundredth: nothing but a plane through an edge can part these, and it does. */
TEST(test_crossing_edges_are_parted) {
  uint64_t sequence = 601;
  OWNED_MEMORY solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  size_t parted = 0, all = 0;
  for (int round = 0; round < 100; round++) {
    batch->count = 0;
    while (batch->count < MOST_PAIRS) {
      double pair[COORDINATES], normal[3];
      const double push[COORDINATES] = {0};
      make_crossing(&sequence, pair, normal);
      move_second(pair, normal, 0.01);
      put_pair(batch, pair, push, sequence_below(&sequence, 2) == 0);
    }
    const edge_bits bits = run_edges(&solid_kernels_scalar, batch);
    for (size_t i = 0; i < batch->count; i++) parted += has_bit(bits.apart, i);
    all += batch->count;
  }
  print_message("%zu of %zu pairs with edges that cross at a distance are parted\n", parted, all);
  assert_true(parted >= all - all / 100);
}

/* In general position, nearly all that meet are found, and nearly all that are apart though no face separates them. */
TEST(test_edges_decide_general_pairs) {
  pair_generator generator = {400};
  OWNED_MEMORY solid_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  edge_counts found = {0}, wanted = {0};
  for (int round = 0; round < 200; round++) {
    bool by_edge[MOST_PAIRS];
    for (batch->count = 0; batch->count < MOST_PAIRS;) {
      double pair[COORDINATES];
      const double none[COORDINATES] = {0};
      tetrahedron_pair_generate(&generator, TETRAHEDRON_GENERAL, pair, pair + 12);
      orientation_tally tally = {0};
      const bool meet = tetrahedron_pair_intersects(pair, pair + 12, &tally);
      wanted.meeting += meet;
      by_edge[batch->count] = !meet && tetrahedron_pair_intersects_no_edges(pair, pair + 12, &tally);
      wanted.apart += by_edge[batch->count];
      put_pair(batch, pair, none, false);
    }
    const edge_bits bits = run_edges(&solid_kernels_scalar, batch);
    for (size_t i = 0; i < batch->count; i++) {
      found.meeting += has_bit(bits.meeting, i);
      found.apart += by_edge[i] && has_bit(bits.apart, i);
    }
  }
  print_message("%zu of %zu pairs that meet are found, %zu of %zu that an edge parts\n", found.meeting, wanted.meeting,
                found.apart, wanted.apart);
  assert_true(found.meeting >= wanted.meeting - wanted.meeting / 50);
  assert_true(wanted.apart > 100 && found.apart >= wanted.apart - wanted.apart / 50);
}

/* In general position and rounded to float, nearly as many are decided as the planes of faces part, or more: the filter
 * sees gaps on the far side of a tetrahedron, too. */
TEST(test_filter_decides_general_pairs) {
  pair_generator generator = {200};
  uint64_t sequence = 201;
  OWNED_MEMORY solid_batch *batch = malloc(sizeof *batch);
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
}
