/* Tests the kernels: every vector width gives the bits of its scalar twin, for every length of tail, and the float
 * filter never contradicts rational arithmetic. */
#include "base/number_sequence.h"
#include "base/simd_choice.h"
#include "broad/box_kernels.h"
#include "geometry/pair_generator.h"
#include "geometry/rational_oracle.h"
#include "narrow/plane_kernels.h"
#include "test_scale.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pairs are filtered 64 at a time, in two turns: the longest batches have three. */
enum { MOST_ENTRIES = 70, ROUNDS = 400, MOST_PAIRS = 150 };

typedef struct kernel_set {
  graze_simd simd;
  const box_kernels *boxes;
  const plane_kernels *planes;
} kernel_set;

/* The wide ones of this build that the processor can run. */
static size_t wide_kernels(kernel_set sets_out[2]) {
  size_t count = 0;
#if SIMD_HAS_128
  sets_out[count++] = (kernel_set){GRAZE_SIMD_128, &box_kernels_128, &plane_kernels_128};
#endif
#if SIMD_BUILDS_256
  if (simd_available(GRAZE_SIMD_256))
    sets_out[count++] = (kernel_set){GRAZE_SIMD_256, &box_kernels_256, &plane_kernels_256};
#endif
  (void)sets_out;
  return count;
}

static kernel_set scalar_kernels(void) {
  return (kernel_set){GRAZE_SIMD_SCALAR, &box_kernels_scalar, &plane_kernels_scalar};
}

/* ---------------------------------------------------------------------------------------------- boxes */

/* Few different values, so that faces touch; signed zeros, subnormals and neighbors of one among them. */
static float box_value(uint64_t *sequence) {
  const float values[] = {-1.0f, -0.5f, -0.0f, 0.0f, FLT_TRUE_MIN, -FLT_TRUE_MIN, 0.5f, 1.0f, 0.0f, 0.99999994f};
  const uint64_t choice = sequence_below(sequence, 16);
  if (choice < 10) return values[choice];
  return (float)((double)sequence_below(sequence, 1 << 20) * 0x1p-19 - 1.0);
}

static void fill_box(uint64_t *sequence, float bound[6]) {
  for (int axis = 0; axis < 3; axis++) {
    const float a = box_value(sequence), b = box_value(sequence);
    bound[axis] = a < b ? a : b;
    bound[axis + 3] = a < b ? b : a;
  }
}

static void fill_entries(uint64_t *sequence, box_list *entries, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float bound[6];
    fill_box(sequence, bound);
    for (int k = 0; k < 6; k++) entries->bound[k][i] = bound[k];
    entries->number[i] = (uint32_t)sequence_next(sequence);
  }
  entries->count = count;
  box_list_close(entries);
}

/* The definition, in plain words: closed boxes meet unless an axis separates them. */
static bool defined_meet(const box_list *entries, size_t entry, const float bound[6]) {
  for (int axis = 0; axis < 3; axis++)
    if (entries->bound[axis][entry] > bound[axis + 3] || entries->bound[axis + 3][entry] < bound[axis]) return false;
  return true;
}

static void check_meet(const kernel_set *set, const box_list *entries, const float bound[6]) {
  for (size_t first = 0; first + set->boxes->width <= entries->count; first++) {
    const uint32_t bits = set->boxes->meet(entries->bound, first, bound);
    assert_true(bits >> (set->boxes->width - 1) <= 1);
    for (size_t lane = 0; lane < set->boxes->width; lane++)
      assert_int_equal(bits >> lane & 1u, defined_meet(entries, first + lane, bound));
  }
}

static void check_cull(const kernel_set *set, const box_list *entries, size_t first, size_t end, const float bound[6],
                       box_list *target) {
  const size_t kept_before = 3;
  target->count = kept_before;
  set->boxes->cull(entries, first, end, bound, target);
  size_t at = kept_before;
  for (size_t entry = first; entry < end; entry++) {
    if (!defined_meet(entries, entry, bound)) continue;
    assert_true(at < target->count);
    assert_int_equal(target->number[at], entries->number != NULL ? entries->number[entry] : entry);
    for (int k = 0; k < 6; k++) assert_memory_equal(&target->bound[k][at], &entries->bound[k][entry], sizeof(float));
    at++;
  }
  assert_int_equal(at, target->count);
}

static void check_sweep(const kernel_set *set, const box_list *entries, size_t first, const float bound[6]) {
  uint32_t numbers[MOST_ENTRIES + 16];
  const size_t count = set->boxes->sweep(entries, first, bound, numbers);
  size_t at = 0;
  for (size_t entry = first; entry < entries->count; entry++) {
    if (!defined_meet(entries, entry, bound)) continue;
    assert_true(at < count);
    assert_int_equal(numbers[at++], entries->number[entry]);
  }
  assert_int_equal(at, count);
}

static void box_at(const box_list *boxes, size_t i, float bound_out[6]) {
  for (int k = 0; k < 6; k++) bound_out[k] = boxes->bound[k][i];
}

/* Few different corners, so that many are shared. */
static bool shares_column(uint32_t (*columns)[MOST_ENTRIES + 16], size_t a, size_t b) {
  bool shares = false;
  for (int i = 0; i < 9; i++) shares = shares || columns[i / 3][a] == columns[i % 3][b];
  return shares;
}

/* What boxes [first, next) of the block meet in the list, from place `kept` of what was met on; of boxes with common
 * corners, where there are columns, how many. */
static uint64_t check_met(const box_list *list, const box_list *block, size_t first, size_t next, const met_boxes *met,
                          size_t kept, uint32_t (*columns_or_null)[MOST_ENTRIES + 16]) {
  uint64_t shared = 0;
  for (size_t i = first; i < next; i++) {
    float bound[6];
    box_at(block, i, bound);
    assert_true(kept < met->enough);
    for (size_t entry = block == list ? i + 1 : 0; entry < list->count; entry++) {
      if (!defined_meet(list, entry, bound)) continue;
      if (columns_or_null != NULL && shares_column(columns_or_null, entry, i)) {
        shared++;
        continue;
      }
      assert_true(kept < met->count);
      assert_int_equal(met->owners[kept], block->number != NULL ? block->number[i] : i);
      assert_int_equal(met->numbers[kept++], list->number[entry]);
    }
  }
  assert_int_equal(kept, met->count);
  return shared;
}

static void check_sweep_block(const kernel_set *set, uint64_t *sequence, const box_list *list, const box_list *block,
                              size_t first) {
  static uint32_t owners[2 * MOST_ENTRIES + 16], numbers[2 * MOST_ENTRIES + 16], columns[3][MOST_ENTRIES + 16];
  const size_t kept = sequence_below(sequence, 4), enough = kept + sequence_below(sequence, MOST_ENTRIES - 3);
  met_boxes met = {owners, numbers, kept, enough};
  size_t next = set->boxes->sweep_block(list, block, first, block->count, &met);
  assert_true(next == block->count || met.count >= enough);
  check_met(list, block, first, next, &met, kept, NULL);
  if (block != list) return;
  for (int corner = 0; corner < 3; corner++)
    for (size_t i = 0; i < MOST_ENTRIES + 16; i++) columns[corner][i] = (uint32_t)sequence_below(sequence, 20);
  uint32_t *const corners[3] = {columns[0], columns[1], columns[2]};
  uint64_t shared = 5;
  met.count = kept;
  next = set->boxes->sweep_apart(list, corners, first, list->count, &met, &shared);
  assert_true(next == list->count || met.count >= enough);
  assert_int_equal(check_met(list, list, first, next, &met, kept, columns), shared - 5);
}

TEST(test_box_kernels_match_the_definition) {
  kernel_set sets[3] = {scalar_kernels()};
  const size_t set_count = 1 + wide_kernels(sets + 1);
  memory heap;
  memory_init(&heap, NULL);
  box_list entries = {0}, target = {0};
  assert_true(box_list_reserve(&entries, &heap, MOST_ENTRIES) && box_list_reserve(&target, &heap, MOST_ENTRIES + 8));
  uint64_t sequence = 3;
  const size_t rounds = test_scaled(ROUNDS, 2 * MOST_ENTRIES);
  for (size_t round = 0; round < rounds; round++) {
    fill_entries(&sequence, &entries, round % (MOST_ENTRIES + 1));
    float bound[6];
    fill_box(&sequence, bound);
    for (size_t set = 0; set < set_count; set++) {
      check_meet(&sets[set], &entries, bound);
      for (size_t first = 0; first <= entries.count; first++) {
        check_sweep(&sets[set], &entries, first, bound);
        check_sweep_block(&sets[set], &sequence, &entries, &entries, first);
        check_cull(&sets[set], &entries, first, entries.count, bound, &target);
        if (entries.count > 0) check_cull(&sets[set], &entries, 0, first, bound, &target);
        box_list places = entries;
        places.number = NULL;
        check_cull(&sets[set], &places, first, entries.count, bound, &target);
        check_sweep_block(&sets[set], &sequence, &entries, &places, first);
      }
    }
  }
  box_list_release(&entries, &heap);
  box_list_release(&target, &heap);
}

/* ---------------------------------------------------------------------------------------------- planes */

/* A batch of triangle pairs in a frame: pair i is the triangles 2 i and 2 i + 1, vertices are not shared. */
typedef struct pair_batch {
  rounded_vertex vertices[6 * MOST_PAIRS];
  primitive_header headers[2 * MOST_PAIRS];
  candidate candidates[MOST_PAIRS];
  adjacent_pair hinged[MOST_PAIRS], folded[MOST_PAIRS];
  double exact[18 * MOST_PAIRS];
  size_t count;
} pair_batch;

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

/* The push of each of six corners by `size` an axis that changes the determinant of p's edges and the way to the middle
 * of q the most: along the signs of its derivatives. It is the worst that rounding can do. */
static void worst_push(const double pair[18], double size, double push_out[18]) {
  double u[3], v[3], w[3], along_u[3], along_v[3], along_w[3];
  for (int axis = 0; axis < 3; axis++) {
    u[axis] = pair[3 + axis] - pair[axis];
    v[axis] = pair[6 + axis] - pair[axis];
    w[axis] = (pair[9 + axis] + pair[12 + axis] + pair[15 + axis]) / 3.0 - pair[axis];
  }
  cross(v, w, along_u);
  cross(w, u, along_v);
  cross(u, v, along_w);
  for (int axis = 0; axis < 3; axis++) {
    push_out[axis] = copysign(size, -(along_u[axis] + along_v[axis] + along_w[axis]));
    push_out[3 + axis] = copysign(size, along_u[axis]);
    push_out[6 + axis] = copysign(size, along_v[axis]);
    for (int corner = 3; corner < 6; corner++) push_out[3 * corner + axis] = copysign(size, along_w[axis]);
  }
}

static double determinant(const double a[3], const double b[3], const double c[3]) {
  double normal[3];
  cross(a, b, normal);
  return normal[0] * c[0] + normal[1] * c[1] + normal[2] * c[2];
}

/* The determinant of an edge of each and the way between them. */
static double edge_determinant(const double pair[18], uint64_t p_edge, uint64_t q_edge) {
  const double *p[2] = {pair + 3 * p_edge, pair + 3 * ((p_edge + 1) % 3)};
  const double *q[2] = {pair + 9 + 3 * q_edge, pair + 9 + 3 * ((q_edge + 1) % 3)};
  double u[3], v[3], w[3];
  for (int axis = 0; axis < 3; axis++) {
    u[axis] = p[1][axis] - p[0][axis];
    v[axis] = q[1][axis] - q[0][axis];
    w[axis] = q[0][axis] - p[0][axis];
  }
  return determinant(u, v, w);
}

/* The height of a corner of q beyond an edge of p, over the plane that stands upright on p there. */
static double upright_height(const double pair[18], uint64_t p_edge, uint64_t q_corner) {
  const double *from = pair + 3 * p_edge, *to = pair + 3 * ((p_edge + 1) % 3), *other = pair + 3 * ((p_edge + 2) % 3);
  double u[3], v[3], w[3], normal[3];
  for (int axis = 0; axis < 3; axis++) {
    u[axis] = to[axis] - from[axis];
    v[axis] = other[axis] - from[axis];
    w[axis] = pair[9 + 3 * q_corner + (uint64_t)axis] - from[axis];
  }
  cross(u, v, normal);
  return determinant(u, normal, w);
}

/* The same for one of these values of a part of p and one of q: along the signs of how it changes. */
static void worst_push_of(double (*value)(const double *, uint64_t, uint64_t), uint64_t *sequence,
                          const double pair[18], double size, double push_out[18]) {
  const double step = 0x1p-20;
  const uint64_t p_part = sequence_below(sequence, 3), q_part = sequence_below(sequence, 3);
  const double before = value(pair, p_part, q_part);
  double moved[18];
  memcpy(moved, pair, sizeof moved);
  for (int i = 0; i < 18; i++) {
    moved[i] += step;
    push_out[i] = copysign(size, value(moved, p_part, q_part) - before);
    moved[i] = pair[i];
  }
}

/* Brings a pair into [-1, 1] by a power of two; false where it spans more than a frame can. */
static bool into_normalized(double pair[18]) {
  double largest = 0.0;
  for (int i = 0; i < 18; i++) largest = fmax(largest, fabs(pair[i]));
  if (largest == 0.0) return true;
  int exponent;
  (void)frexp(largest, &exponent);
  if (exponent < -900 || exponent > 900) return false;
  for (int i = 0; i < 18; i++) {
    pair[i] = ldexp(pair[i], -exponent);
    if (pair[i] != 0.0 && fabs(pair[i]) < 0x1p-900) return false;
  }
  return true;
}

/* Moves touching pairs by about the rounding of floats, so that the filter has to know its own error. */
static void disturb(uint64_t *sequence, double pair[18]) {
  const double size = ldexp(1.0, -20 - (int)sequence_below(sequence, 34));
  for (int i = 0; i < 18; i++) pair[i] += size * ((double)sequence_below(sequence, 2001) / 1000.0 - 1.0);
}

/* Both in one slanted plane, on coordinates of up to 23 bits: every determinant is zero, and none is computed so. */
static void make_slanted(uint64_t *sequence, double pair_out[18]) {
  double frame[3][3];
  for (int i = 0; i < 9; i++) frame[i / 3][i % 3] = (double)sequence_below(sequence, 1 << 21) - 0x1p20;
  for (int corner = 0; corner < 6; corner++) {
    const double a = (double)sequence_below(sequence, 5) - 2.0, b = (double)sequence_below(sequence, 5) - 2.0;
    for (int axis = 0; axis < 3; axis++)
      pair_out[3 * corner + axis] = 0x1p-23 * (frame[0][axis] + a * frame[1][axis] + b * frame[2][axis]);
  }
}

/* Corner to corner in one slanted plane, the second stretched away from the first: the boxes touch in a point, and no
 * two that meet have corners further apart for their sizes. Any corner may be the common one. */
static void make_stretched(uint64_t *sequence, double pair_out[18]) {
  const double stretch[2] = {1.0, -1.0 - (double)sequence_below(sequence, 3)};
  double frame[3][3];
  for (int i = 0; i < 9; i++) frame[i / 3][i % 3] = (double)sequence_below(sequence, 1 << 20) - 0x1p19;
  for (int triangle = 0; triangle < 2; triangle++) {
    const uint64_t common = sequence_below(sequence, 3);
    for (uint64_t i = 0; i < 3; i++)
      for (uint64_t axis = 0; axis < 3; axis++) {
        const double edge = i > 0 ? stretch[triangle] * frame[i][axis] : 0.0;
        pair_out[9 * triangle + 3 * (int)((common + i) % 3) + (int)axis] = 0x1p-22 * (frame[0][axis] + edge);
      }
  }
}

static bool make_pair(pair_generator *generator, uint64_t *sequence, double pair_out[18]) {
  const uint64_t change = sequence_below(sequence, 6);
  if (change >= 4) {
    if (change == 4)
      make_slanted(sequence, pair_out);
    else
      make_stretched(sequence, pair_out);
    return true;
  }
  uint32_t at = pair_generator_below(generator, 1000), kind = 0;
  while (kind + 1 < PAIR_KIND_COUNT && at >= pair_kind_share((pair_kind)kind)) at -= pair_kind_share((pair_kind)kind++);
  pair_generate(generator, (pair_kind)kind, pair_out, pair_out + 9);
  if (!into_normalized(pair_out)) return false;
  /* A third: coordinates that are no floats, on degeneracies that stay nearly so. */
  if (change == 1)
    for (int i = 0; i < 18; i++) pair_out[i] /= 3.0;
  if (change == 2) disturb(sequence, pair_out);
  return true;
}

static void add_pair(pair_batch *batch, uint64_t *sequence, const double pair[18]) {
  const uint32_t n = (uint32_t)batch->count;
  double push[18] = {0};
  const double size = ldexp(sequence_below(sequence, 2) == 0 ? 1.0 : -1.0, -4 - (int)sequence_below(sequence, 24));
  const uint64_t pushed = sequence_below(sequence, 6);
  if (pushed == 0) worst_push(pair, size, push);
  if (pushed == 1) worst_push_of(edge_determinant, sequence, pair, size, push);
  if (pushed == 2) worst_push_of(upright_height, sequence, pair, size, push);
  memcpy(batch->exact + 18 * n, pair, 18 * sizeof *pair);
  for (uint32_t i = 0; i < 6; i++) {
    batch->vertices[6 * n + i] = round_vertex(pair + 3 * i, push + 3 * i);
    batch->headers[2 * n + i / 3].corner[i % 3] = 6 * n + i;
  }
  batch->candidates[n] = (candidate){{2 * n, 2 * n + 1}, &batch->headers[2 * n], &batch->headers[2 * n + 1]};
  /* Hinged at the first corner of the first triangle, and at its first edge. */
  batch->hinged[n] = (adjacent_pair){{6 * n, 6 * n + 1, 6 * n + 2, 6 * n + 4, 6 * n + 5}, batch->candidates[n]};
  batch->folded[n] = (adjacent_pair){{6 * n, 6 * n + 1, 6 * n + 2, 6 * n + 5}, batch->candidates[n]};
  batch->count++;
}

static void make_batch(pair_generator *generator, uint64_t *sequence, size_t count, pair_batch *batch) {
  batch->count = 0;
  while (batch->count < count) {
    double pair[18];
    if (make_pair(generator, sequence, pair)) add_pair(batch, sequence, pair);
  }
}

static primitive_view view_of(const pair_batch *batch) {
  return (primitive_view){.headers = batch->headers, .rounded_vertices = batch->vertices};
}

TEST(test_plane_kernels_match_their_twin) {
  const kernel_set scalar = scalar_kernels();
  kernel_set wide[2];
  const size_t wide_count = wide_kernels(wide);
  pair_generator generator = {17};
  uint64_t sequence = 18;
  OWNED_MEMORY pair_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  size_t decided = 0, all = 0;
  const size_t rounds = test_scaled(3 * ROUNDS, 2 * MOST_PAIRS);
  for (size_t round = 0; round < rounds; round++) {
    make_batch(&generator, &sequence, round % (MOST_PAIRS + 1), batch);
    const primitive_view view = view_of(batch);
    candidate expected[MOST_PAIRS + 16], found[MOST_PAIRS + 16];
    adjacent_pair expected_hinged[MOST_PAIRS], found_hinged[MOST_PAIRS], expected_folded[MOST_PAIRS],
        found_folded[MOST_PAIRS];
    const size_t left = scalar.planes->filter(&view, batch->candidates, batch->count, expected);
    const size_t hinged = scalar.planes->filter_vertex_adjacent(&view, batch->hinged, batch->count, expected_hinged);
    const size_t folded = scalar.planes->filter_edge_adjacent(&view, batch->folded, batch->count, expected_folded);
    candidate expected_upright[MOST_PAIRS + 16], found_upright[MOST_PAIRS + 16];
    const size_t upright = scalar.planes->filter_upright(&view, batch->candidates, batch->count, expected_upright);
    candidate expected_edges[MOST_PAIRS + 16], found_edges[MOST_PAIRS + 16];
    index_pair expected_met[MOST_PAIRS], found_met[MOST_PAIRS];
    size_t met, wide_met;
    const size_t edges =
        scalar.planes->decide_by_edges(&view, batch->candidates, batch->count, expected_edges, expected_met, &met);
    for (size_t i = 0; i < wide_count; i++) {
      assert_int_equal(
          wide[i].planes->decide_by_edges(&view, batch->candidates, batch->count, found_edges, found_met, &wide_met),
          edges);
      assert_int_equal(wide_met, met);
      assert_memory_equal(expected_edges, found_edges, edges * sizeof *found_edges);
      assert_memory_equal(expected_met, found_met, met * sizeof *found_met);
      assert_int_equal(wide[i].planes->filter_upright(&view, batch->candidates, batch->count, found_upright), upright);
      assert_memory_equal(expected_upright, found_upright, upright * sizeof *found_upright);
      assert_int_equal(wide[i].planes->filter(&view, batch->candidates, batch->count, found), left);
      assert_int_equal(wide[i].planes->filter_vertex_adjacent(&view, batch->hinged, batch->count, found_hinged),
                       hinged);
      assert_int_equal(wide[i].planes->filter_edge_adjacent(&view, batch->folded, batch->count, found_folded), folded);
      assert_memory_equal(expected, found, left * sizeof *found);
      memcpy(found, batch->candidates, batch->count * sizeof *found);
      assert_int_equal(wide[i].planes->filter(&view, found, batch->count, found), left);
      assert_memory_equal(expected, found, left * sizeof *found);
      assert_memory_equal(expected_hinged, found_hinged, hinged * sizeof *found_hinged);
      assert_memory_equal(expected_folded, found_folded, folded * sizeof *found_folded);
    }
    decided += 4 * batch->count - left - upright - hinged - folded;
    all += 4 * batch->count;
  }
  assert_true(decided > all / 20 && decided < all);
}

typedef struct decided_pairs {
  size_t by_planes, upright, apart, meeting, hinged, folded;
} decided_pairs;

typedef size_t plain_filter(const primitive_view *, const candidate *, size_t, candidate *);
typedef size_t adjacent_filter(const primitive_view *, const adjacent_pair *, size_t, adjacent_pair *);

/* Returns the number of pairs that a filter keeps, in order; the dropped ones are not pairs. */
static size_t check_filter(rational_oracle *oracle, const pair_batch *batch, plain_filter *filter) {
  const primitive_view view = view_of(batch);
  candidate left[MOST_PAIRS + 16];
  const size_t count = filter(&view, batch->candidates, batch->count, left);
  size_t at = 0;
  for (size_t i = 0; i < batch->count; i++) {
    const double *p = batch->exact + 18 * i;
    if (at < count && left[at].pair.a == batch->candidates[i].pair.a)
      at++;
    else
      assert_false(rational_oracle_intersects(oracle, p, p + 9));
  }
  assert_int_equal(at, count);
  return batch->count - count;
}

/* The same of triangles that have their first one or two corners in common, those of the first. */
static size_t check_adjacent(rational_oracle *oracle, const pair_batch *batch, const adjacent_pair *pairs,
                             uint32_t shared_count, adjacent_filter *filter) {
  const uint32_t corners[2] = {0, 1};
  const primitive_view view = view_of(batch);
  adjacent_pair left[MOST_PAIRS];
  const size_t count = filter(&view, pairs, batch->count, left);
  size_t at = 0;
  for (size_t i = 0; i < batch->count; i++) {
    const double *p = batch->exact + 18 * i;
    double q[9];
    memcpy(q, p + 9, sizeof q);
    memcpy(q, p, 3 * shared_count * sizeof *q);
    if (at < count && left[at].candidate.pair.a == batch->candidates[i].pair.a)
      at++;
    else
      assert_false(rational_oracle_intersects_beyond(oracle, p, q, shared_count, corners, corners));
  }
  assert_int_equal(at, count);
  return batch->count - count;
}

static void check_edges(rational_oracle *oracle, const pair_batch *batch, const plane_kernels *planes,
                        decided_pairs *decided) {
  const primitive_view view = view_of(batch);
  candidate close[MOST_PAIRS + 16];
  index_pair met[MOST_PAIRS];
  size_t met_count, close_at = 0, met_at = 0;
  const size_t close_count = planes->decide_by_edges(&view, batch->candidates, batch->count, close, met, &met_count);
  for (size_t i = 0; i < batch->count; i++) {
    const double *p = batch->exact + 18 * i, *q = p + 9;
    if (close_at < close_count && close[close_at].pair.a == batch->candidates[i].pair.a)
      close_at++;
    else if (met_at < met_count && met[met_at].a == batch->candidates[i].pair.a)
      assert_true(rational_oracle_intersects(oracle, p, q) && ++met_at > 0);
    else
      assert_false(rational_oracle_intersects(oracle, p, q));
  }
  assert_true(close_at == close_count && met_at == met_count);
  decided->apart += batch->count - close_count - met_count;
  decided->meeting += met_count;
}

static void check_batch(rational_oracle *oracle, const pair_batch *batch, decided_pairs *decided) {
  const plane_kernels *planes = scalar_kernels().planes;
  decided->by_planes += check_filter(oracle, batch, planes->filter);
  decided->upright += check_filter(oracle, batch, planes->filter_upright);
  check_edges(oracle, batch, planes, decided);
  decided->hinged += check_adjacent(oracle, batch, batch->hinged, 1, planes->filter_vertex_adjacent);
  decided->folded += check_adjacent(oracle, batch, batch->folded, 2, planes->filter_edge_adjacent);
}

TEST(test_float_filter_agrees_with_rationals) {
  OWNED(rational_oracle) *oracle = rational_oracle_create();
  pair_generator generator = {99};
  uint64_t sequence = 100;
  OWNED_MEMORY pair_batch *batch = malloc(sizeof *batch);
  assert_non_null(batch);
  const size_t pair_count = test_scaled(1000000, 5000);
  decided_pairs decided = {0};
  size_t inexact = 0;
  for (size_t done = 0; done < pair_count; done += MOST_PAIRS) {
    make_batch(&generator, &sequence, MOST_PAIRS, batch);
    for (size_t i = 0; i < batch->count; i++) inexact += batch->vertices[6 * i].error > 0.0f;
    check_batch(oracle, batch, &decided);
  }
  print_message("%zu pairs, %zu with rounded corners; apart: %zu by planes of triangles, %zu by upright ones, %zu with "
                "those along edges; %zu meet; with a common corner %zu apart, with two %zu\n",
                pair_count, inexact, decided.by_planes, decided.upright, decided.apart, decided.meeting, decided.hinged,
                decided.folded);
  assert_true(decided.by_planes > pair_count / 10 && decided.meeting > pair_count / 20 && inexact > pair_count / 3);
  assert_true(decided.apart >= decided.by_planes && decided.upright > pair_count / 20);
  assert_true(decided.hinged > pair_count / 4 && decided.folded > pair_count / 4);
}
