/* The float filter of clearances; included once by each file that compiles it for one vector width. */
#include "narrow/near_tests.h"

/* One of the tests of near_tests.h. */
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

static void decide(const near_pairs *pairs, size_t count, near_limits limits, uint8_t answers_out[NEAR_CAPACITY]) {
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
