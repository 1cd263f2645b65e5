/* The stages of the published kDet: the work of one thread on one triangle or one candidate. Plain C, compiled for the
 * host, where loops run them, and by nvcc.
 *
 * A triangle of diameter d, that of its smallest enclosing circle, is stored on the level l with 2^l d_min <= d <
 * 2^(l+1) d_min, in all cells of side 2^l d_min that its box intersects. There may be 27 of them, not eight as the
 * paper states, because the cells are at most as large as the diameter. It searches all levels from its own upward, and
 * accepts triangles that are larger, or equal with a larger number. Nothing is lost: of two intersecting triangles, the
 * larger is not on a lower level, and a common point of their boxes is in a cell that stores both, because the cell
 * number is monotonic in the coordinate.
 *
 * A bucket belongs to a hash, not to a cell: cells with the same hash share it. A full bucket is linked to an empty
 * one. Links form no cycle: a bucket is empty before it is linked to, and full before it links on.
 *
 * Where the paper is silent: d_min is at least a millionth of the largest diameter and of the largest coordinate, so
 * that cells can be numbered; smaller triangles, and those without area, are on the lowest level. */
#ifndef GRAZE_KDET_STAGES_H
#define GRAZE_KDET_STAGES_H

#include "lab/kdet_grid.h"

#include <math.h>
#include <string.h>

#ifdef __CUDACC__
#define KDET_FUNCTION static __host__ __device__ inline
#else
#define KDET_FUNCTION static inline
#endif

#define KDET_BUCKET 128u /* ids of a bucket */

/* The counts and reductions of all threads. Non-negative floats are compared by their bits. */
typedef struct kdet_tally {
  uint32_t least, most, reach; /* diameters, and the largest coordinate without its sign */
  uint32_t linked, lost;       /* lost: no bucket was empty */
  unsigned long long stored, met, listed, float_pairs, colliding;
} kdet_tally;

typedef struct kdet_view {
  const float *positions;
  const uint32_t *triangles;
  uint32_t count;
  kdet_hash hash;
  kdet_dedup dedup;
  float *boxes;     /* least and greatest corner, six of each */
  float *diameters; /* likewise one */
  uint32_t buckets;
  uint32_t *fill, *next, *taken; /* of buckets: ids that came, the linked bucket + 1, whether it is linked to */
  uint32_t *ids;                 /* KDET_BUCKET of each */
  unsigned long long *list;      /* candidates */
  uint64_t list_capacity;
  unsigned long long *map; /* of KDET_MAP: candidates + 1 by their hash */
  uint64_t map_capacity;   /* a power of two */
  uint32_t *marks;         /* of KDET_NONE */
  kdet_tally *tally;
} kdet_view;

/* The bytes of the arrays besides positions and triangles. */
static inline uint64_t kdet_view_bytes(const kdet_view *v) {
  return 32 * (uint64_t)v->count + (12 + 4 * KDET_BUCKET) * (uint64_t)v->buckets + 8 * v->list_capacity +
         8 * v->map_capacity;
}

/* ---------------------------------------------------------------------------------------------- atomics */

KDET_FUNCTION uint32_t kdet_add(uint32_t *at, uint32_t value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(at, value);
#else
  const uint32_t before = *at;
  *at += value;
  return before;
#endif
}

KDET_FUNCTION unsigned long long kdet_add_long(unsigned long long *at, unsigned long long value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(at, value);
#else
  const unsigned long long before = *at;
  *at += value;
  return before;
#endif
}

KDET_FUNCTION uint32_t kdet_swap(uint32_t *at, uint32_t expected, uint32_t value) {
#ifdef __CUDA_ARCH__
  return atomicCAS(at, expected, value);
#else
  const uint32_t before = *at;
  if (before == expected) *at = value;
  return before;
#endif
}

KDET_FUNCTION unsigned long long kdet_swap_long(unsigned long long *at, unsigned long long expected,
                                                unsigned long long value) {
#ifdef __CUDA_ARCH__
  return atomicCAS(at, expected, value);
#else
  const unsigned long long before = *at;
  if (before == expected) *at = value;
  return before;
#endif
}

/* Other threads write concurrently: read memory every time. */
KDET_FUNCTION uint32_t kdet_read(const uint32_t *at) {
  return *(const volatile uint32_t *)at;
}

/* Most threads change nothing and do not wait for others. */
KDET_FUNCTION void kdet_lower(uint32_t *at, uint32_t value) {
  if (kdet_read(at) <= value) return;
#ifdef __CUDA_ARCH__
  atomicMin(at, value);
#else
  *at = value;
#endif
}

KDET_FUNCTION void kdet_raise(uint32_t *at, uint32_t value) {
  if (kdet_read(at) >= value) return;
#ifdef __CUDA_ARCH__
  atomicMax(at, value);
#else
  *at = value;
#endif
}

KDET_FUNCTION uint32_t kdet_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

KDET_FUNCTION float kdet_value(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* ---------------------------------------------------------------------------------------------- boxes, diameters */

KDET_FUNCTION const float *kdet_corner(const kdet_view *v, uint32_t triangle, uint32_t corner) {
  return v->positions + 3 * (size_t)v->triangles[3 * (size_t)triangle + corner];
}

KDET_FUNCTION float kdet_square(const float *a, const float *b) {
  const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

/* The diameter of the smallest enclosing circle: the longest side if the opposite angle is not acute, otherwise the
 * diameter of the circumcircle, the product of the sides over twice the area. */
KDET_FUNCTION float kdet_diameter(const float *a, const float *b, const float *c) {
  const float ab = kdet_square(a, b), bc = kdet_square(b, c), ca = kdet_square(c, a);
  const float most = fmaxf(ab, fmaxf(bc, ca)), rest = ab + bc + ca - most;
  if (!(most < rest)) return sqrtf(most);
  const float ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
  const float wx = c[0] - a[0], wy = c[1] - a[1], wz = c[2] - a[2];
  const float x = uy * wz - uz * wy, y = uz * wx - ux * wz, z = ux * wy - uy * wx;
  /* At most 2 / sqrt(3) times the longest side; an area of 0 by rounding would make it infinite. */
  return fminf(sqrtf(ab) * sqrtf(bc) * sqrtf(ca) / sqrtf(x * x + y * y + z * z), 1.2f * sqrtf(most));
}

KDET_FUNCTION void kdet_stage_measure(uint32_t i, const kdet_view *v) {
  const float *const corners[3] = {kdet_corner(v, i, 0), kdet_corner(v, i, 1), kdet_corner(v, i, 2)};
  float reach = 0.0f;
  for (int k = 0; k < 3; k++) {
    const float low = fminf(corners[0][k], fminf(corners[1][k], corners[2][k]));
    const float high = fmaxf(corners[0][k], fmaxf(corners[1][k], corners[2][k]));
    v->boxes[6 * (size_t)i + k] = low;
    v->boxes[6 * (size_t)i + 3 + k] = high;
    reach = fmaxf(reach, fmaxf(fabsf(low), fabsf(high)));
  }
  const float diameter = kdet_diameter(corners[0], corners[1], corners[2]);
  v->diameters[i] = diameter;
  if (diameter > 0.0f) kdet_lower(&v->tally->least, kdet_bits(diameter));
  kdet_raise(&v->tally->most, kdet_bits(diameter));
  kdet_raise(&v->tally->reach, kdet_bits(reach));
}

/* ---------------------------------------------------------------------------------------------- levels, cells */

/* The side of the cells of level 0. */
KDET_FUNCTION float kdet_least_side(const kdet_tally *tally) {
  const float most = fmaxf(kdet_value(tally->most), kdet_value(tally->reach));
  const float side = fmaxf(kdet_value(tally->least), 1e-6f * most);
  return side > 0.0f && side <= 3e38f ? side : 1.0f; /* all of them points, or no triangles at all */
}

KDET_FUNCTION uint32_t kdet_level(float diameter, float least_side) {
  uint32_t level = 0;
  for (float side = 2.0f * least_side; side <= diameter; side *= 2.0f) level++;
  return level;
}

/* Least and greatest cell of a box on a level. */
typedef struct kdet_cells {
  int32_t low[3], high[3];
} kdet_cells;

KDET_FUNCTION kdet_cells kdet_cells_of(const float *box, float side) {
  kdet_cells cells;
  for (int k = 0; k < 3; k++) {
    cells.low[k] = (int32_t)floorf(box[k] / side);
    cells.high[k] = (int32_t)floorf(box[3 + k] / side);
  }
  return cells;
}

KDET_FUNCTION uint32_t kdet_spread(uint32_t bits) {
  uint32_t spread = 0;
  for (uint32_t i = 0; i < 6; i++) spread |= (bits >> i & 1u) << (3 * i);
  return spread;
}

KDET_FUNCTION uint32_t kdet_bucket_of(const kdet_view *v, int32_t x, int32_t y, int32_t z, uint32_t level) {
  if (v->hash == KDET_MORTON) {
    const uint32_t code =
        kdet_spread((uint32_t)x & 63u) | kdet_spread((uint32_t)y & 63u) << 1 | kdet_spread((uint32_t)z & 63u) << 2;
    return (code ^ level * 40503u) & (KDET_BUCKETS_MORTON - 1u); /* neighbors of a level stay neighbors */
  }
  uint32_t hash = 5381u;
  hash = hash * 33u + (uint32_t)x;
  hash = hash * 33u + (uint32_t)y;
  hash = hash * 33u + (uint32_t)z;
  hash = hash * 33u + level;
  return hash % v->buckets;
}

/* ---------------------------------------------------------------------------------------------- populating */

/* The bucket that the full one is linked to, + 1; 0 when none is empty. */
KDET_FUNCTION uint32_t kdet_link(uint32_t full, const kdet_view *v) {
  for (uint32_t tried = 1; tried < v->buckets; tried++) {
    const uint32_t other = (uint32_t)(((uint64_t)full + tried) % v->buckets);
    if (kdet_read(&v->fill[other]) != 0 || kdet_swap(&v->taken[other], 0, 1) != 0) continue;
    const uint32_t winner = kdet_swap(&v->next[full], 0, other + 1);
    if (winner == 0) kdet_add(&v->tally->linked, 1);
    return winner == 0 ? other + 1 : winner;
  }
  return 0;
}

KDET_FUNCTION void kdet_store(uint32_t bucket, uint32_t id, const kdet_view *v) {
  for (;;) {
    const uint32_t slot = kdet_add(&v->fill[bucket], 1);
    if (slot < KDET_BUCKET) {
      v->ids[(size_t)bucket * KDET_BUCKET + slot] = id;
      return;
    }
    uint32_t next = kdet_read(&v->next[bucket]);
    if (next == 0) next = kdet_link(bucket, v);
    if (next == 0) {
      kdet_add(&v->tally->lost, 1);
      return;
    }
    bucket = next - 1;
  }
}

KDET_FUNCTION void kdet_stage_populate(uint32_t i, const kdet_view *v) {
  const float least = kdet_least_side(v->tally);
  const uint32_t level = kdet_level(v->diameters[i], least);
  const kdet_cells cells = kdet_cells_of(v->boxes + 6 * (size_t)i, ldexpf(least, (int)level));
  unsigned long long stored = 0;
  for (int32_t z = cells.low[2]; z <= cells.high[2]; z++)
    for (int32_t y = cells.low[1]; y <= cells.high[1]; y++)
      for (int32_t x = cells.low[0]; x <= cells.high[0]; x++, stored++)
        kdet_store(kdet_bucket_of(v, x, y, z, level), i, v);
  kdet_add_long(&v->tally->stored, stored);
}

/* ---------------------------------------------------------------------------------------------- pairs */

KDET_FUNCTION bool kdet_boxes_meet(const float *a, const float *b) {
  return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

KDET_FUNCTION bool kdet_share_vertex(const kdet_view *v, uint32_t a, uint32_t b) {
  const uint32_t *const p = v->triangles + 3 * (size_t)a, *const q = v->triangles + 3 * (size_t)b;
  for (int i = 0; i < 3; i++)
    if (p[i] == q[0] || p[i] == q[1] || p[i] == q[2]) return true;
  return false;
}

KDET_FUNCTION bool kdet_is_candidate(const kdet_view *v, uint32_t a, uint32_t b) {
  return kdet_boxes_meet(v->boxes + 6 * (size_t)a, v->boxes + 6 * (size_t)b) && !kdet_share_vertex(v, a, b);
}

/* Whether the axis separates them; a zero axis, or one of rounding errors, separates nothing. */
KDET_FUNCTION bool kdet_axis_parts(const float a[3][3], const float b[3][3], const float axis[3]) {
  float low[2] = {3e38f, 3e38f}, high[2] = {-3e38f, -3e38f};
  for (int i = 0; i < 3; i++) {
    const float s = a[i][0] * axis[0] + a[i][1] * axis[1] + a[i][2] * axis[2];
    const float t = b[i][0] * axis[0] + b[i][1] * axis[1] + b[i][2] * axis[2];
    low[0] = fminf(low[0], s);
    high[0] = fmaxf(high[0], s);
    low[1] = fminf(low[1], t);
    high[1] = fmaxf(high[1], t);
  }
  return high[0] < low[1] || high[1] < low[0];
}

KDET_FUNCTION void kdet_cross(const float a[3], const float b[3], float out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Separating axes in float, from the first corner on: two normals, nine products of sides, six of sides and normals. */
KDET_FUNCTION bool kdet_test(const kdet_view *v, uint32_t first, uint32_t second) {
  float corners[2][3][3], sides[2][3][3], normals[2][3], axis[3];
  const float *const origin = kdet_corner(v, first, 0);
  for (uint32_t t = 0; t < 2; t++)
    for (uint32_t c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) corners[t][c][k] = kdet_corner(v, t == 0 ? first : second, c)[k] - origin[k];
  for (int t = 0; t < 2; t++) {
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) sides[t][c][k] = corners[t][(c + 1) % 3][k] - corners[t][c][k];
    kdet_cross(sides[t][0], sides[t][1], normals[t]);
  }
  for (int t = 0; t < 2; t++)
    if (kdet_axis_parts(corners[0], corners[1], normals[t])) return false;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      kdet_cross(sides[0][i], sides[1][j], axis);
      if (kdet_axis_parts(corners[0], corners[1], axis)) return false;
    }
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < 3; i++) {
      kdet_cross(normals[t], sides[t][i], axis);
      if (kdet_axis_parts(corners[0], corners[1], axis)) return false;
    }
  return true;
}

/* ---------------------------------------------------------------------------------------------- finding */

KDET_FUNCTION void kdet_list(unsigned long long pair, const kdet_view *v) {
  const unsigned long long slot = kdet_add_long(&v->tally->listed, 1);
  if (slot < v->list_capacity) v->list[slot] = pair;
}

/* Whether the pair is new. The list overflows before the map is full; both are then enlarged. */
KDET_FUNCTION bool kdet_map_add(unsigned long long pair, const kdet_view *v) {
  const uint64_t at = (pair * 0x9e3779b97f4a7c15ull) >> 20;
  if (*(const volatile unsigned long long *)&v->tally->listed > v->list_capacity) return true;
  for (uint64_t tried = 0; tried < v->map_capacity; tried++) {
    const unsigned long long before = kdet_swap_long(&v->map[(at + tried) & (v->map_capacity - 1)], 0, pair + 1);
    if (before == 0) return true;
    if (before == pair + 1) return false;
  }
  return true;
}

/* In the oldest version, two triangles that are already in pairs are not tested. In the end each triangle in a pair is
 * marked, because its pair was tested or it was marked before. */
KDET_FUNCTION void kdet_mark(uint32_t a, uint32_t b, const kdet_view *v) {
  if ((kdet_read(&v->marks[a]) != 0 && kdet_read(&v->marks[b]) != 0) || !kdet_test(v, a, b)) return;
  v->marks[a] = 1;
  v->marks[b] = 1;
}

KDET_FUNCTION void kdet_take(uint32_t a, uint32_t b, const kdet_view *v) {
  const unsigned long long pair = a < b ? (unsigned long long)a << 32 | b : (unsigned long long)b << 32 | a;
  if (v->dedup == KDET_NONE)
    kdet_mark(a, b, v);
  else if (v->dedup == KDET_SORT || kdet_map_add(pair, v))
    kdet_list(pair, v);
}

KDET_FUNCTION bool kdet_is_larger(const kdet_view *v, uint32_t other, uint32_t i) {
  const float d = v->diameters[i], e = v->diameters[other];
  return d < e || (d == e && i < other);
}

/* Visits the ids of a bucket and its linked buckets; returns the number of candidates. */
KDET_FUNCTION unsigned long long kdet_look_up(uint32_t bucket, uint32_t i, const kdet_view *v) {
  unsigned long long met = 0;
  for (uint32_t at = bucket + 1; at != 0; at = v->next[at - 1]) {
    const uint32_t fill = v->fill[at - 1] < KDET_BUCKET ? v->fill[at - 1] : KDET_BUCKET;
    const uint32_t *const ids = v->ids + (size_t)(at - 1) * KDET_BUCKET;
    for (uint32_t e = 0; e < fill; e++) {
      if (!kdet_is_larger(v, ids[e], i) || !kdet_is_candidate(v, i, ids[e])) continue;
      kdet_take(i, ids[e], v);
      met++;
    }
  }
  return met;
}

KDET_FUNCTION void kdet_stage_find(uint32_t i, const kdet_view *v) {
  const float least = kdet_least_side(v->tally);
  const uint32_t top = kdet_level(kdet_value(v->tally->most), least);
  unsigned long long met = 0;
  for (uint32_t level = kdet_level(v->diameters[i], least); level <= top; level++) {
    const kdet_cells cells = kdet_cells_of(v->boxes + 6 * (size_t)i, ldexpf(least, (int)level));
    for (int32_t z = cells.low[2]; z <= cells.high[2]; z++)
      for (int32_t y = cells.low[1]; y <= cells.high[1]; y++)
        for (int32_t x = cells.low[0]; x <= cells.high[0]; x++)
          met += kdet_look_up(kdet_bucket_of(v, x, y, z, level), i, v);
  }
  kdet_add_long(&v->tally->met, met);
}

/* Brute force: one thread per triangle, which visits all later triangles; and one thread per pair. */
KDET_FUNCTION void kdet_stage_loop(uint32_t i, const kdet_view *v) {
  for (uint32_t j = i + 1; j < v->count; j++)
    if (kdet_is_candidate(v, i, j)) kdet_take(i, j, v);
}

KDET_FUNCTION void kdet_stage_no_loop(uint64_t index, const kdet_view *v) {
  const uint32_t i = (uint32_t)(index / v->count), j = (uint32_t)(index % v->count);
  if (i < j && kdet_is_candidate(v, i, j)) kdet_take(i, j, v);
}

/* ---------------------------------------------------------------------------------------------- testing */

KDET_FUNCTION void kdet_stage_test(uint64_t index, const kdet_view *v) {
  const unsigned long long pair = v->list[index];
  if (kdet_test(v, (uint32_t)(pair >> 32), (uint32_t)pair)) kdet_add_long(&v->tally->float_pairs, 1);
}

KDET_FUNCTION void kdet_stage_count(uint32_t i, const kdet_view *v) {
  if (v->marks[i] != 0) kdet_add_long(&v->tally->colliding, 1);
}

#endif
