/* Tests the parts of the method clusters: eigenvectors, intervals, counts of overlaps, memberships and the reach of a
 * box, each against its definition computed in another way. */
#include "base/number_sequence.h"
#include "broad/clusters_gas.h"
#include "broad/clusters_order.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static double random_unit(uint64_t *sequence) {
  return (double)(sequence_next(sequence) >> 11) * 0x1p-52 - 1.0;
}

/* A size between 2^-40 and 1. */
static double random_size(uint64_t *sequence) {
  return ldexp(1.0, -(int)sequence_below(sequence, 41));
}

/* ---------------------------------------------------------------------------------------------- eigenvectors */

static void check_eigenvectors(const double given[3][3]) {
  double matrix[3][3], values[3], vectors[3][3], size = 0.0;
  memcpy(matrix, given, sizeof matrix);
  symmetric_eigenvectors(matrix, values, vectors);
  for (int i = 0; i < 9; i++) size = fmax(size, fabs(given[i / 3][i % 3]));
  assert_true(values[0] >= values[1] && values[1] >= values[2]);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) {
      double product = 0.0, dot = 0.0;
      for (int j = 0; j < 3; j++) {
        product += given[i][j] * vectors[k][j];
        dot += vectors[k][j] * vectors[i][j];
      }
      assert_true(fabs(product - values[k] * vectors[k][i]) <= 1e-13 * size);
      assert_true(fabs(dot - (i == k ? 1.0 : 0.0)) < 1e-14);
    }
  }
}

/* General ones, with two or three equal eigenvalues, of rank one and zero, of all sizes, and nearly diagonal. */
TEST(test_eigenvectors) {
  uint64_t sequence = 1;
  for (size_t round = 0; round < test_scaled(20000, 2000); round++) {
    const double scale = ldexp(1.0, (int)sequence_below(&sequence, 200) - 150);
    double m[3][3], v[3];
    for (int i = 0; i < 3; i++) v[i] = random_unit(&sequence);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j <= i; j++) {
        const double general = random_unit(&sequence), even = i == j ? 1.0 : 0.0;
        const double one = v[i] * v[j], nearly = even + ldexp(general, -50);
        const double choices[5] = {general, even, one, even + one, nearly};
        m[i][j] = m[j][i] = scale * choices[round % 5];
      }
    }
    check_eigenvectors(m);
  }
  const double zero[3][3] = {{0}};
  check_eigenvectors(zero);
  double bad[3][3] = {{NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}}, values[3], vectors[3][3];
  symmetric_eigenvectors(bad, values, vectors);
  assert_true(vectors[0][0] == 1.0 && vectors[1][1] == 1.0 && vectors[2][2] == 1.0);
}

/* Points along a line of any direction have it as their principal axis. */
TEST(test_principal_axis) {
  uint64_t sequence = 2;
  for (int round = 0; round < 500; round++) {
    double direction[3], length = 0.0;
    for (int i = 0; i < 3; i++) {
      direction[i] = random_unit(&sequence);
      length += direction[i] * direction[i];
    }
    const float origin[3] = {0.5f, -0.25f, 0.125f};
    point_spread spread = point_spread_begin(origin);
    for (int i = 0; i < 100; i++) {
      float point[3];
      const double along = random_unit(&sequence);
      for (int axis = 0; axis < 3; axis++)
        point[axis] = (float)(origin[axis] + 0.25 * along * direction[axis] + 1e-4 * random_unit(&sequence));
      point_spread_add(&spread, point);
    }
    const sweep_axis axis = principal_axis(&spread);
    double dot = 0.0;
    for (int i = 0; i < 3; i++) dot += axis.direction[i] * direction[i];
    if (length > 0.01) assert_true(fabs(dot) / sqrt(length) > 0.9999);
  }
}

/* ---------------------------------------------------------------------------------------------- intervals */

static primitive_box random_box(uint64_t *sequence) {
  primitive_box box;
  const double size = random_size(sequence), wide = random_size(sequence);
  for (int axis = 0; axis < 3; axis++) {
    const float a = (float)(wide * random_unit(sequence)), b = (float)(a + size * random_unit(sequence));
    box.min[axis] = a < b ? a : b;
    box.max[axis] = a < b ? b : a;
  }
  return box;
}

static void random_point_in(const primitive_box *box, uint64_t *sequence, float point_out[3]) {
  for (int axis = 0; axis < 3; axis++) {
    const double part = 0.5 + 0.5 * random_unit(sequence);
    float value = (float)(box->min[axis] + part * ((double)box->max[axis] - box->min[axis]));
    if (sequence_below(sequence, 3) == 0) value = sequence_below(sequence, 2) == 0 ? box->min[axis] : box->max[axis];
    if (value < box->min[axis]) value = box->min[axis];
    if (value > box->max[axis]) value = box->max[axis];
    point_out[axis] = value;
  }
}

/* Every point of a box is projected into its interval, by wider arithmetic where there is some. */
TEST(test_intervals_hold_projections) {
  uint64_t sequence = 3;
  for (size_t round = 0; round < test_scaled(300000, 30000); round++) {
    sweep_axis axis = {{random_unit(&sequence), random_unit(&sequence), random_unit(&sequence)}, -1};
    if (round % 7 == 0) axis = coordinate_axis((int)(round % 3));
    const primitive_box box = random_box(&sequence);
    float point[3], low, high;
    random_point_in(&box, &sequence, point);
    interval_along(&axis, &box, &low, &high);
    long double projection = 0.0L;
    for (int i = 0; i < 3; i++) projection += (long double)axis.direction[i] * point[i];
    assert_true(low <= projection && projection <= high);
    double length = 0.0;
    for (int i = 0; i < 3; i++) length += fabs(axis.direction[i]) * ((double)box.max[i] - box.min[i]);
    assert_true((double)high - low <= length + 0x1p-21);
  }
}

TEST(test_ordered_bits) {
  const float values[] = {-HUGE_VALF, -1.5f, -1.0f, -0x1p-149f, 0.0f, 0x1p-149f, 0x1p-126f, 1.0f, HUGE_VALF};
  for (int i = 0; i + 1 < 9; i++) assert_true(ordered_float_bits(values[i]) < ordered_float_bits(values[i + 1]));
  assert_int_equal(ordered_float_bits(-0.0f), ordered_float_bits(0.0f));
}

/* ---------------------------------------------------------------------------------------------- counts */

typedef struct event {
  float at;
  uint32_t interval;
  bool is_end;
} event;

static int compare_events(const void *p, const void *q) {
  const event *a = p, *b = q;
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  if (a->is_end != b->is_end) return a->is_end ? 1 : -1; /* at ties starts come before ends */
  return a->interval < b->interval ? -1 : 1;
}

/* The number of intervals that begin within each, from starts and ends in one sorted list and the exclusive scan of its
 * starts: pT[end] - pT[start] - 1. */
static void count_by_scan(const float *starts, const float *ends, uint32_t count, uint64_t *counts_out) {
  OWNED_MEMORY event *events = malloc(2 * count * sizeof *events);
  OWNED_MEMORY uint64_t *scan_at = malloc(count * sizeof *scan_at);
  assert_true(events != NULL && scan_at != NULL);
  for (uint32_t i = 0; i < count; i++) {
    events[2 * i] = (event){starts[i], i, false};
    events[2 * i + 1] = (event){ends[i], i, true};
  }
  qsort(events, 2 * count, sizeof *events, compare_events);
  uint64_t scan = 0;
  for (uint32_t i = 0; i < 2 * count; i++) {
    if (events[i].is_end)
      counts_out[events[i].interval] = scan - scan_at[events[i].interval] - 1;
    else
      scan_at[events[i].interval] = scan++;
  }
}

enum { INTERVALS_MOST = 400 };

static void make_intervals(uint64_t *sequence, size_t round, uint32_t count, float *starts, float *ends) {
  const double size = random_size(sequence), length = size * random_size(sequence);
  for (uint32_t i = 0; i < count; i++) {
    double start = size * random_unit(sequence);
    if (round % 4 == 1) start = ldexp(start, -(int)sequence_below(sequence, 60)); /* crowded around zero */
    if (round % 4 == 2) start = 0.25 * (double)sequence_below(sequence, 5);       /* many equal */
    if (round % 4 == 3 && i == 0) start = 1e9;                                    /* one far away */
    starts[i] = (float)start;
    ends[i] = (float)(start + (round % 3 == 0 ? 0.25 * (double)sequence_below(sequence, 4) : length));
    if (ends[i] < starts[i]) ends[i] = starts[i];
  }
  if (round % 11 == 0) ends[0] = HUGE_VALF;
  if (round % 13 == 0) starts[0] = -HUGE_VALF;
}

TEST(test_counts_of_overlaps) {
  uint64_t sequence = 4, scanned[INTERVALS_MOST], keys[INTERVALS_MOST];
  float starts[INTERVALS_MOST], ends[INTERVALS_MOST];
  uint32_t first[INTERVALS_MOST + 1];
  for (size_t round = 0; round < test_scaled(4000, 400); round++) {
    const uint32_t count = 1 + (uint32_t)sequence_below(&sequence, INTERVALS_MOST);
    make_intervals(&sequence, round, count, starts, ends);
    count_by_scan(starts, ends, count, scanned);
    const start_buckets buckets = buckets_for(starts, count, first);
    sort_starts(&buckets, starts, count, keys);
    uint64_t all = 0, overlaps = 0;
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t number = (uint32_t)keys[i];
      assert_true(number < count && keys[i] == start_key(starts[number], number));
      assert_true(i == 0 || keys[i - 1] < keys[i]);
      assert_int_equal(end_of_overlaps(&buckets, keys, i, ends[number]) - (i + 1), scanned[number]);
      all += scanned[number];
      for (uint32_t j = 0; j < i; j++) {
        const uint32_t other = (uint32_t)keys[j];
        overlaps += starts[number] <= ends[other] && starts[other] <= ends[number];
      }
    }
    assert_int_equal(all, overlaps);
  }
}

/* ---------------------------------------------------------------------------------------------- clusters */

enum { CENTERS = 9 };

typedef struct random_centers {
  float coordinates[3][CENTERS];
} random_centers;

static cluster_centers make_centers(random_centers *memory, graze_metric distance, uint64_t *sequence) {
  const double size = random_size(sequence);
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < CENTERS; k++) memory->coordinates[axis][k] = (float)(size * random_unit(sequence));
  return (cluster_centers){{memory->coordinates[0], memory->coordinates[1], memory->coordinates[2]}, CENTERS, distance};
}

/* The owner of every point of a box is among the clusters that the box reaches, also with partial lists of clusters. */
TEST(test_boxes_reach_the_owners_of_their_points) {
  uint64_t sequence = 5, reached_sum = 0;
  const uint16_t all[CENTERS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const size_t rounds = test_scaled(300000, 30000);
  for (size_t round = 0; round < rounds; round++) {
    random_centers memory;
    const cluster_centers centers = make_centers(&memory, (graze_metric)(round % 3), &sequence);
    primitive_box box = random_box(&sequence);
    if (round % 4 == 0) /* two centers on either side of a point of the box: as near to a border as it gets */
      for (int axis = 0; axis < 3; axis++) {
        const float step = (float)(random_size(&sequence) * random_unit(&sequence));
        memory.coordinates[axis][0] = box.max[axis] + step;
        memory.coordinates[axis][1] = box.max[axis] - step;
      }
    if (round % 5 == 0) memcpy(box.max, box.min, sizeof box.max);
    float measures[CENTERS], point[3];
    uint16_t reached[CENTERS];
    const uint32_t count = clusters_reached(&centers, NULL, CENTERS, &box, measures, reached);
    reached_sum += count;
    assert_in_range(count, 1, CENTERS);
    for (int i = 0; i < 8; i++) {
      random_point_in(&box, &sequence, point);
      const uint32_t owner = cluster_owner_among(&centers, all, CENTERS, point);
      bool listed = false;
      for (uint32_t k = 0; k < count; k++) listed = listed || reached[k] == owner;
      assert_true(listed);
      assert_int_equal(cluster_owner_among(&centers, reached, count, point), owner);
    }
    uint16_t again[CENTERS];
    assert_int_equal(clusters_reached(&centers, reached, count, &box, measures, again), count);
    assert_memory_equal(again, reached, count * sizeof *again);
  }
  assert_true(reached_sum < rounds * CENTERS * 3 / 4); /* and not all are named always */
}

static double plain_distance(const cluster_centers *centers, uint32_t k, const float point[3]) {
  double difference[3];
  for (int axis = 0; axis < 3; axis++) difference[axis] = fabs((double)point[axis] - centers->coordinates[axis][k]);
  if (centers->distance == GRAZE_METRIC_L1) return difference[0] + difference[1] + difference[2];
  if (centers->distance == GRAZE_METRIC_LINF) return fmax(fmax(difference[0], difference[1]), difference[2]);
  return sqrt(difference[0] * difference[0] + difference[1] * difference[1] + difference[2] * difference[2]);
}

TEST(test_memberships) {
  uint64_t sequence = 6;
  for (int round = 0; round < 3000; round++) {
    random_centers memory;
    const cluster_centers centers = make_centers(&memory, (graze_metric)(round % 3), &sequence);
    const fuzzy_rule rule = {.fuzziness = round % 2 == 0 ? 2.0 : 1.5 + 0.5 * random_unit(&sequence) * 0.9};
    float point[3], u[CENTERS];
    for (int axis = 0; axis < 3; axis++) point[axis] = (float)random_unit(&sequence);
    fuzzy_memberships(&centers, &rule, point, u);
    double sum = 0.0;
    for (uint32_t k = 0; k < CENTERS; k++) {
      double below = 0.0;
      for (uint32_t j = 0; j < CENTERS; j++)
        below +=
            pow(plain_distance(&centers, k, point) / plain_distance(&centers, j, point), 2.0 / (rule.fuzziness - 1.0));
      assert_true(fabs(u[k] - 1.0 / below) < 2e-5);
      sum += u[k];
    }
    assert_true(fabs(sum - 1.0) < 1e-5);
    for (int axis = 0; axis < 3; axis++) point[axis] = memory.coordinates[axis][4];
    fuzzy_memberships(&centers, &rule, point, u);
    for (uint32_t k = 0; k < CENTERS; k++) assert_true(u[k] == (k == 4 ? 1.0f : 0.0f));
  }
}

TEST(test_ranks) {
  enum { MOST = 300 };
  uint64_t sequence = 7;
  float measures[MOST];
  uint16_t ranked[MOST];
  for (int round = 0; round < 300; round++) {
    const uint32_t count = 1 + (uint32_t)sequence_below(&sequence, MOST);
    for (uint32_t i = 0; i < count; i++) measures[i] = (float)sequence_below(&sequence, 50);
    gas_rank(measures, count, ranked);
    for (uint32_t i = 1; i < count; i++) {
      const uint16_t a = ranked[i - 1], b = ranked[i];
      assert_true(measures[a] < measures[b] || (measures[a] == measures[b] && a < b));
    }
  }
}
