/* The float filter of queries with a clearance: pairs of triangles that are certainly within it, and pairs that are
 * certainly not, found by the vector units. What they are not certain of goes on to the exact test. The error bound is
 * at the arithmetic, in near_tests.h.
 *
 * Workload: every candidate of a query with a clearance; corners decide four in five, edges most of the others. */
#ifndef GRAZE_NARROW_NEAR_KERNELS_H
#define GRAZE_NARROW_NEAR_KERNELS_H

#include "base/simd_choice.h"

#include <stddef.h>
#include <stdint.h>

/* So many pairs are decided at a time; there is room for whole vectors behind them. */
enum { NEAR_CHUNK = 64, NEAR_ROOM = NEAR_CHUNK + 8, NEAR_COORDINATES = 15 };

/* Pairs of triangles: the coordinates of the second and third corner of p and of the corners of q, less those of the
 * first of p. All are numbers; they may be infinite. */
typedef struct near_pairs {
  float coordinates[NEAR_COORDINATES][NEAR_ROOM];
} near_pairs;

/* A clearance in the units of the coordinates: a float that is at most as large, and one that is at least. */
typedef struct near_limits {
  float least, most;
} near_limits;

typedef enum near_answer { NEAR_UNDECIDED = 0, NEAR_WITHIN = 1, NEAR_APART = 2 } near_answer;

typedef struct near_kernels {
  /* Of up to NEAR_CHUNK pairs, an answer each. */
  void (*decide)(const near_pairs *pairs, size_t count, near_limits limits, uint8_t answers_out[NEAR_ROOM]);
} near_kernels;

extern const near_kernels near_kernels_scalar, near_kernels_128, near_kernels_256;

#endif
