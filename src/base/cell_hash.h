/* cell_hash: hash functions for the cells of a grid.
 *
 * Functions of the integer cell (x, y, z): the Morton code for grids and trees, FNV-1a for packings, and a bit mixer.
 * Valid C, C++ and CUDA. Workload: up to eight calls per primitive, so all are inline.
 *
 * Papers: Morton, "A computer oriented geodetic data base and a new technique in file sequencing", 1966; Fowler, Noll,
 * Vo, FNV-1a, 1991; Appleby, MurmurHash3, 2011. */
#ifndef GRAZE_BASE_CELL_HASH_H
#define GRAZE_BASE_CELL_HASH_H

#include <stdint.h>

#if defined(__CUDACC__)
#define CELL_HASH_FUNCTION static __host__ __device__ __forceinline__
#else
#define CELL_HASH_FUNCTION static inline
#endif

/* Moves bit i of the low 21 bits to bit 3 i: each step halves the runs of adjacent bits. */
CELL_HASH_FUNCTION uint64_t cell_hash_spread(uint32_t value) {
  uint64_t bits = (uint64_t)value & 0x1fffffu;
  bits = (bits | (bits << 32)) & UINT64_C(0x001f00000000ffff);
  bits = (bits | (bits << 16)) & UINT64_C(0x001f0000ff0000ff);
  bits = (bits | (bits << 8)) & UINT64_C(0x100f00f00f00f00f);
  bits = (bits | (bits << 4)) & UINT64_C(0x10c30c30c30c30c3);
  bits = (bits | (bits << 2)) & UINT64_C(0x1249249249249249);
  return bits;
}

/* Inverse of cell_hash_spread: bit 3 i to bit i, ignoring the bits between. */
CELL_HASH_FUNCTION uint32_t cell_hash_collect(uint64_t bits) {
  bits &= UINT64_C(0x1249249249249249);
  bits = (bits | (bits >> 2)) & UINT64_C(0x10c30c30c30c30c3);
  bits = (bits | (bits >> 4)) & UINT64_C(0x100f00f00f00f00f);
  bits = (bits | (bits >> 8)) & UINT64_C(0x001f0000ff0000ff);
  bits = (bits | (bits >> 16)) & UINT64_C(0x001f00000000ffff);
  return (uint32_t)((bits | (bits >> 32)) & 0x1fffffu);
}

/* 63 bits: x in bits 0, 3, 6, ..., y one above, z two above. Injective within any 2^21 consecutive cells an axis; cells
 * that differ by multiples of 2^21 collide. The level is ignored: each level has its own table. */
CELL_HASH_FUNCTION uint64_t cell_hash_morton(int32_t x, int32_t y, int32_t z) {
  return cell_hash_spread((uint32_t)x) | (cell_hash_spread((uint32_t)y) << 1) | (cell_hash_spread((uint32_t)z) << 2);
}

/* Moves bit i of the low 10 bits to bit 3 i. */
CELL_HASH_FUNCTION uint32_t cell_hash_spread_10(uint32_t value) {
  uint32_t bits = value & 0x3ffu;
  bits = (bits | (bits << 16)) & 0x030000ffu;
  bits = (bits | (bits << 8)) & 0x0300f00fu;
  bits = (bits | (bits << 4)) & 0x030c30c3u;
  return (bits | (bits << 2)) & 0x09249249u;
}

CELL_HASH_FUNCTION uint32_t cell_hash_morton_10(uint32_t x, uint32_t y, uint32_t z) {
  return cell_hash_spread_10(x) | (cell_hash_spread_10(y) << 1) | (cell_hash_spread_10(z) << 2);
}

/* cell_hash_morton of numbers below 2^20, from halves of 32 bits: compilers vectorize a loop of these. */
CELL_HASH_FUNCTION uint64_t cell_hash_morton_20(uint32_t x, uint32_t y, uint32_t z) {
  return (uint64_t)cell_hash_morton_10(x >> 10, y >> 10, z >> 10) << 30 | cell_hash_morton_10(x, y, z);
}

CELL_HASH_FUNCTION uint64_t cell_hash_fnv1a_number(uint64_t hash, uint32_t number) {
  for (int i = 0; i < 4; i++) hash = (hash ^ ((number >> (8 * i)) & 0xffu)) * UINT64_C(0x00000100000001b3);
  return hash;
}

CELL_HASH_FUNCTION uint64_t cell_hash_fnv1a(int32_t x, int32_t y, int32_t z, int32_t level) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  hash = cell_hash_fnv1a_number(hash, (uint32_t)x);
  hash = cell_hash_fnv1a_number(hash, (uint32_t)y);
  hash = cell_hash_fnv1a_number(hash, (uint32_t)z);
  return cell_hash_fnv1a_number(hash, (uint32_t)level);
}

/* A bijection in which every bit of the result depends on every bit of the number: for callers that compute a cell's
 * number themselves. The final mix of MurmurHash3. */
CELL_HASH_FUNCTION uint32_t cell_hash_mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ x >> 16;
}

#endif
