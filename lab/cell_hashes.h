/* Cell hashes of papers, as alternatives to the library's Morton code. All of them give the same pairs; they differ
 * only in time and in collisions.
 *
 * Papers: Bernstein, the function known as djb2, comp.lang.c, 1991; Teschner, Heidelberger, Mueller, Pomeranets, Gross,
 * "Optimized spatial hashing for collision detection of deformable objects", 2003. */
#ifndef GRAZE_LAB_CELL_HASHES_H
#define GRAZE_LAB_CELL_HASHES_H

#include "base/cell_hash.h"

/* hash * 33 + byte over the four bytes of a number, lowest first. */
static inline uint64_t cell_hash_djb2_number(uint64_t hash, uint32_t number) {
  for (int i = 0; i < 4; i++) hash = hash * 33u + ((number >> (8 * i)) & 0xffu);
  return hash;
}

static inline uint64_t cell_hash_djb2(int32_t x, int32_t y, int32_t z, int32_t level) {
  uint64_t hash = 5381u;
  hash = cell_hash_djb2_number(hash, (uint32_t)x);
  hash = cell_hash_djb2_number(hash, (uint32_t)y);
  hash = cell_hash_djb2_number(hash, (uint32_t)z);
  return cell_hash_djb2_number(hash, (uint32_t)level);
}

/* The three primes of Teschner et al.; a fourth for the level separates equal cells of two levels. Numbers are sign
 * extended first: cells on both sides of zero differ in all high bits. */
static inline uint64_t cell_hash_primes(int32_t x, int32_t y, int32_t z, int32_t level) {
  return ((uint64_t)(int64_t)x * UINT64_C(73856093)) ^ ((uint64_t)(int64_t)y * UINT64_C(19349663)) ^
         ((uint64_t)(int64_t)z * UINT64_C(83492791)) ^ ((uint64_t)(int64_t)level * UINT64_C(2654435761));
}

typedef enum lab_hash { LAB_HASH_MORTON = 0, LAB_HASH_DJB2 = 1, LAB_HASH_FNV1A = 2, LAB_HASH_PRIMES = 3 } lab_hash;

static inline uint64_t lab_cell_hash(lab_hash kind, int32_t x, int32_t y, int32_t z, int32_t level) {
  switch (kind) {
  case LAB_HASH_DJB2:
    return cell_hash_djb2(x, y, z, level);
  case LAB_HASH_FNV1A:
    return cell_hash_fnv1a(x, y, z, level);
  case LAB_HASH_PRIMES:
    return cell_hash_primes(x, y, z, level);
  case LAB_HASH_MORTON:
    break;
  }
  return cell_hash_morton(x, y, z);
}

#endif
