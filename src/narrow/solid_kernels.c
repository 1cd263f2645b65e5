/* The float filters of tetrahedra, compiled once per vector width. The arithmetic
 * and its error bound are in solid_tests.h. */
#include "narrow/solid_kernels.h"

#include "narrow/solid_tests.h"

/* Corner numbers of SIMD_WIDTH tetrahedra from `at` on; the last one fills the unused lanes. */
static inline void gather_solids(const uint32_t (*corners)[4], size_t count, size_t at, uint32_t index[4][SIMD_WIDTH]) {
  for (size_t lane = 0; lane < SIMD_WIDTH; lane++) {
    const uint32_t *corner = corners[at + lane < count ? at + lane : count - 1];
    for (int i = 0; i < 4; i++) index[i][lane] = corner[i];
  }
}

static size_t filter_tetrahedra(const rounded_vertex *rounded_vertices, const uint32_t (*a)[4], const uint32_t (*b)[4],
                                size_t count, uint32_t *undecided_out) {
  const uint32_t all_lanes = (1u << SIMD_WIDTH) - 1u;
  size_t undecided = 0;
  for (size_t at = 0; at < count; at += SIMD_WIDTH) {
    uint32_t p_index[4][SIMD_WIDTH], q_index[4][SIMD_WIDTH];
    gather_solids(a, count, at, p_index);
    gather_solids(b, count, at, q_index);
    simd_float error = simd_set(0.0f);
    const simd_solid p = fetch_solid(rounded_vertices, (const uint32_t(*)[SIMD_WIDTH])p_index, &error);
    const simd_solid q = fetch_solid(rounded_vertices, (const uint32_t(*)[SIMD_WIDTH])q_index, &error);
    const simd_float h = simd_add(error, error);
    uint32_t apart_bits = simd_bits(faces_separate(&p, &q, h));
    if (apart_bits != all_lanes) apart_bits |= simd_bits(faces_separate(&q, &p, h));
    for (size_t lane = 0; lane < SIMD_WIDTH && at + lane < count; lane++) {
      undecided_out[undecided] = (uint32_t)(at + lane);
      undecided += (apart_bits >> lane & 1u) ^ 1u;
    }
  }
  return undecided;
}

/* Bits of `lanes` for the pairs from `at` on. */
static inline void set_lanes(uint32_t *bits, size_t count, size_t at, uint32_t lanes) {
  if (count - at < SIMD_WIDTH) lanes &= (1u << (count - at)) - 1u;
  if (at % 32 == 0) bits[at / 32] = 0;
  bits[at / 32] |= lanes << at % 32;
}

static void decide_solids_by_edges(const rounded_vertex *rounded_vertices, const uint32_t (*a)[4],
                                   const uint32_t (*b)[4], size_t count, uint32_t *intersecting_bits_out,
                                   uint32_t *apart_bits_out) {
  const uint32_t all_lanes = (1u << SIMD_WIDTH) - 1u;
  for (size_t at = 0; at < count; at += SIMD_WIDTH) {
    uint32_t p_index[4][SIMD_WIDTH], q_index[4][SIMD_WIDTH];
    gather_solids(a, count, at, p_index);
    gather_solids(b, count, at, q_index);
    simd_float error = simd_set(0.0f);
    const simd_solid p = fetch_solid(rounded_vertices, (const uint32_t(*)[SIMD_WIDTH])p_index, &error);
    const simd_solid q = fetch_solid(rounded_vertices, (const uint32_t(*)[SIMD_WIDTH])q_index, &error);
    const simd_float h = simd_add(error, error);
    const simd_depths in_p = measure_depths(&p, &q, h);
    uint32_t meeting = edges_inside(&in_p);
    const uint32_t apart = meeting != all_lanes ? solid_edges_separate(&in_p) : 0;
    if ((meeting | apart) != all_lanes) {
      const simd_depths in_q = measure_depths(&q, &p, h);
      meeting |= edges_inside(&in_q);
    }
    set_lanes(intersecting_bits_out, count, at, meeting);
    set_lanes(apart_bits_out, count, at, apart);
  }
}

const solid_kernels SIMD_NAMED(solid_kernels) = {filter_tetrahedra, decide_solids_by_edges};
