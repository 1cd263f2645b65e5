/* The float filter of queries with a clearance, in lanes, compiled once per vector width: which pairs of triangles are
 * certainly within it, and which are certainly farther apart.
 *
 * Corners are relative to the first one of p, in units of about the clearance. Let e = 2^-24 and D the largest
 * coordinate. Each coordinate is within 1.01 e D of the true one: it is a difference of doubles, rounded to float.
 * Nothing is decided if D exceeds 2^28, so only the square of a gap can overflow.
 *
 * Upper bound. For any computed s and t in [0, 1], p + s u and q + t v are points of the two triangles. Each coordinate
 * of (p - q) + s u - t v has an error of at most 26.1 e D: three differences of at most 2 D with 4.1 e D each, two
 * products with 2 e D, sums of at most 4 D and 6 D. The error of its length is sqrt(3) times that, below 46 e D; 48
 * covers the rounding of the bound itself.
 *
 * Lower bound. For any direction n, p and q are at least (min n.p - max n.q) / |n| apart, and vice versa. With N the
 * sum of the magnitudes of n, each product n.x has an error of at most 4.1 e N D, two of them and their difference 10.3
 * e N D; 12 covers the rounding of the bound itself.
 *
 * Squares are compared, with a factor 1 + 2^-20 for their roundings, at most 12 e. The terms 2^-100 and 2^-80 cover
 * underflow, also if a host flushes subnormals to zero: a product loses less than 2^-125. */
#include "narrow/near_kernels.h"

#include "narrow/plane_tests.h"

typedef struct near_lanes {
  simd_point p[3], q[3]; /* p[0] is the origin */
  simd_float size;       /* D */
  simd_word usable;
} near_lanes;

SIMD_FUNCTION void near_lanes_measure(near_lanes *lanes) {
  simd_float size = simd_maximum(largest(lanes->p[1]), largest(lanes->p[2]));
  for (int i = 0; i < 3; i++) size = simd_maximum(size, largest(lanes->q[i]));
  lanes->size = size;
  lanes->usable = simd_less_equal(size, simd_set(0x1p28f));
}

/* Lanes in which points with this gap, given its squared length, prove that the triangles are within the clearance. */
SIMD_FUNCTION simd_word gap_is_within(const near_lanes *lanes, simd_float squared, near_limits limits) {
  const simd_float bound = simd_multiply_add(simd_set(48.0f * 0x1p-24f), lanes->size, simd_set(0x1p-100f));
  const simd_float room = simd_maximum(simd_subtract(simd_set(limits.least), bound), simd_set(0.0f));
  const simd_float most = simd_multiply_add(squared, simd_set(1.0f + 0x1p-20f), simd_set(0x1p-100f));
  return simd_less(most, simd_multiply(room, room));
}

/* Lanes in which a direction proves that the triangles are farther apart. */
SIMD_FUNCTION simd_word direction_parts(const near_lanes *lanes, simd_point n, near_limits limits) {
  const simd_float p1 = dot(n, lanes->p[1]), p2 = dot(n, lanes->p[2]), zero = simd_set(0.0f);
  const simd_float q0 = dot(n, lanes->q[0]), q1 = dot(n, lanes->q[1]), q2 = dot(n, lanes->q[2]);
  const simd_float p_low = simd_minimum(simd_minimum(p1, p2), zero), p_high = simd_maximum(simd_maximum(p1, p2), zero);
  const simd_float q_low = simd_minimum(simd_minimum(q0, q1), q2), q_high = simd_maximum(simd_maximum(q0, q1), q2);
  const simd_float gap = simd_maximum(simd_subtract(p_low, q_high), simd_subtract(q_low, p_high));
  const simd_float sum = simd_add(simd_add(simd_absolute(n.x), simd_absolute(n.y)), simd_absolute(n.z));
  const simd_float bound = simd_multiply(simd_multiply(simd_set(12.0f * 0x1p-24f), sum), lanes->size);
  const simd_float apart = simd_subtract(simd_subtract(gap, bound), simd_set(0x1p-100f));
  const simd_float reach = simd_set(limits.most * limits.most * (1.0f + 0x1p-20f));
  const simd_float needed = simd_multiply_add(reach, dot(n, n), simd_set(0x1p-80f));
  return simd_and(simd_less(zero, apart), simd_less(needed, simd_multiply(apart, apart)));
}

/* The shortest gap so far. */
typedef struct near_gap {
  simd_point gap;
  simd_float squared;
} near_gap;

SIMD_FUNCTION void near_gap_take(near_gap *shortest, simd_point gap) {
  const simd_float squared = dot(gap, gap);
  const simd_word is_shorter = simd_less(squared, shortest->squared);
  shortest->squared = simd_select(is_shorter, squared, shortest->squared);
  shortest->gap.x = simd_select(is_shorter, gap.x, shortest->gap.x);
  shortest->gap.y = simd_select(is_shorter, gap.y, shortest->gap.y);
  shortest->gap.z = simd_select(is_shorter, gap.z, shortest->gap.z);
}

/* Decides by the two nearest corners, the direction between them, and the planes of the triangles. */
SIMD_FUNCTION simd_relation relate_by_corners(const near_lanes *lanes, near_limits limits) {
  near_gap shortest = {difference(lanes->p[0], lanes->q[0]), simd_set(0.0f)};
  shortest.squared = dot(shortest.gap, shortest.gap);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i + j > 0) near_gap_take(&shortest, difference(lanes->p[i], lanes->q[j]));
  const simd_point p_normal = cross(lanes->p[1], lanes->p[2]);
  const simd_point q_normal = cross(difference(lanes->q[1], lanes->q[0]), difference(lanes->q[2], lanes->q[0]));
  simd_word apart = direction_parts(lanes, shortest.gap, limits);
  apart = simd_or(apart, direction_parts(lanes, p_normal, limits));
  apart = simd_or(apart, direction_parts(lanes, q_normal, limits));
  simd_relation relation;
  relation.apart = simd_and(apart, lanes->usable);
  relation.meet = simd_and(gap_is_within(lanes, shortest.squared, limits), lanes->usable);
  return relation;
}

SIMD_FUNCTION simd_float clamp_fraction(simd_float value) {
  return simd_minimum(simd_maximum(value, simd_set(0.0f)), simd_set(1.0f));
}

/* An edge, its squared length and the inverse of that. For a point, any finite inverse will do. */
typedef struct near_edge {
  simd_point vector;
  simd_float squared, inverse;
} near_edge;

SIMD_FUNCTION near_edge near_edge_of(simd_point from, simd_point to) {
  const simd_float least = simd_set(0x1p-60f);
  near_edge edge;
  edge.vector = difference(to, from);
  edge.squared = dot(edge.vector, edge.vector);
  edge.inverse = simd_divide_roughly(simd_set(1.0f), simd_maximum(edge.squared, least));
  return edge;
}

/* The vector between the nearest points of two edges, computed as edges_nearest of triangle_nearest.h does. */
SIMD_FUNCTION simd_point edges_gap(simd_point p, const near_edge *u, simd_point q, const near_edge *v) {
  const simd_point w = difference(p, q);
  const simd_float uv = dot(u->vector, v->vector), uw = dot(u->vector, w), vw = dot(v->vector, w);
  const simd_float area =
      simd_maximum(simd_multiply_subtract(u->squared, v->squared, simd_multiply(uv, uv)), simd_set(0x1p-60f));
  const simd_float first =
      clamp_fraction(simd_divide_roughly(simd_multiply_subtract(uv, vw, simd_multiply(uw, v->squared)), area));
  const simd_float t = clamp_fraction(simd_multiply(simd_multiply_add(uv, first, vw), v->inverse));
  const simd_float s = clamp_fraction(simd_multiply(simd_multiply_subtract(uv, t, uw), u->inverse));
  const simd_point gap = {simd_subtract(simd_multiply_add(s, u->vector.x, w.x), simd_multiply(t, v->vector.x)),
                          simd_subtract(simd_multiply_add(s, u->vector.y, w.y), simd_multiply(t, v->vector.y)),
                          simd_subtract(simd_multiply_add(s, u->vector.z, w.z), simd_multiply(t, v->vector.z))};
  return gap;
}

/* Decides by the two nearest edges and the direction between them: nearly all pairs that corners leave undecided. */
SIMD_FUNCTION simd_relation relate_by_edges(const near_lanes *lanes, near_limits limits) {
  near_edge p_edge[3], q_edge[3];
  for (int i = 0; i < 3; i++) {
    p_edge[i] = near_edge_of(lanes->p[i], lanes->p[(i + 1) % 3]);
    q_edge[i] = near_edge_of(lanes->q[i], lanes->q[(i + 1) % 3]);
  }
  near_gap shortest = {edges_gap(lanes->p[0], &p_edge[0], lanes->q[0], &q_edge[0]), simd_set(0.0f)};
  shortest.squared = dot(shortest.gap, shortest.gap);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i + j > 0) near_gap_take(&shortest, edges_gap(lanes->p[i], &p_edge[i], lanes->q[j], &q_edge[j]));
  simd_relation relation;
  relation.apart = simd_and(direction_parts(lanes, shortest.gap, limits), lanes->usable);
  relation.meet = simd_and(gap_is_within(lanes, shortest.squared, limits), lanes->usable);
  return relation;
}

/* One of the tests. */
typedef simd_relation near_relation(const near_lanes *lanes, near_limits limits);

static inline simd_point point_at(const near_pairs *pairs, int row, size_t at) {
  const simd_point point = {simd_load(pairs->coordinates[row] + at), simd_load(pairs->coordinates[row + 1] + at),
                            simd_load(pairs->coordinates[row + 2] + at)};
  return point;
}

static inline near_lanes near_lanes_at(const near_pairs *pairs, size_t at) {
  near_lanes lanes;
  const simd_float zero = simd_set(0.0f);
  lanes.p[0].x = lanes.p[0].y = lanes.p[0].z = zero;
  for (int i = 0; i < 2; i++) lanes.p[i + 1] = point_at(pairs, 3 * i, at);
  for (int i = 0; i < 3; i++) lanes.q[i] = point_at(pairs, 6 + 3 * i, at);
  near_lanes_measure(&lanes);
  return lanes;
}

/* Lanes beyond the last pair contain finite leftovers; their answers are not read. */
static inline void answer_by(near_relation *relate, const near_pairs *pairs, size_t count, near_limits limits,
                             uint8_t *answers_out) {
  for (size_t at = 0; at < count; at += SIMD_WIDTH) {
    const near_lanes lanes = near_lanes_at(pairs, at);
    const simd_relation relation = relate(&lanes, limits);
    const uint32_t within = simd_bits(relation.meet), apart = simd_bits(relation.apart);
    for (size_t lane = 0; lane < SIMD_WIDTH; lane++)
      answers_out[at + lane] = (uint8_t)((within >> lane & 1u) | (apart >> lane & 1u) << 1);
  }
}

static void decide_near_pairs(const near_pairs *pairs, size_t count, near_limits limits,
                              uint8_t answers_out[NEAR_CAPACITY]) {
  uint8_t left[NEAR_CHUNK], by_edges[NEAR_CAPACITY];
  near_pairs others;
  size_t left_count = 0;
  answer_by(relate_by_corners, pairs, count, limits, answers_out);
  for (size_t i = 0; i < count; i++) {
    left[left_count] = (uint8_t)i;
    left_count += answers_out[i] == NEAR_UNDECIDED;
  }
  if (left_count == 0) return;
  for (int row = 0; row < NEAR_COORDINATES; row++) {
    for (size_t i = 0; i < left_count; i++) others.coordinates[row][i] = pairs->coordinates[row][left[i]];
    for (size_t i = 0; i < SIMD_WIDTH; i++) others.coordinates[row][left_count + i] = 0.0f;
  }
  answer_by(relate_by_edges, &others, left_count, limits, by_edges);
  for (size_t i = 0; i < left_count; i++) answers_out[left[i]] = by_edges[i];
}

const near_kernels SIMD_NAMED(near_kernels) = {decide_near_pairs};
