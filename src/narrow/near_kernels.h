/* The float filter of queries with a clearance. It finds pairs of triangles that are certainly within the clearance and
 * pairs that are certainly not, with vector instructions. Undecided pairs go to the exact test. The error bound is
 * derived in near_kernels.c.
 *
 * Workload: every candidate of a query with a clearance; corners decide four in five, edges most of the others. */
#ifndef GRAZE_NARROW_NEAR_KERNELS_H
#define GRAZE_NARROW_NEAR_KERNELS_H

#include "base/simd_choice.h"

#include <stddef.h>
#include <stdint.h>

/* Pairs are decided in chunks of this size; arrays have capacity for whole vectors beyond it. */
enum { NEAR_CHUNK = 64, NEAR_CAPACITY = NEAR_CHUNK + 8, NEAR_COORDINATES = 15 };

/* Pairs of triangles: the coordinates of the second and third corner of p and of the corners of q, less those of the
 * first of p. All are numbers; they may be infinite. */
typedef struct near_pairs {
  float coordinates[NEAR_COORDINATES][NEAR_CAPACITY];
} near_pairs;

/* A clearance in the units of the coordinates, rounded down and rounded up. */
typedef struct near_limits {
  float least, most;
} near_limits;

typedef enum near_answer { NEAR_UNDECIDED = 0, NEAR_WITHIN = 1, NEAR_APART = 2 } near_answer;

typedef struct near_kernels {
  /* Writes an answer for each of up to NEAR_CHUNK pairs. */
  void (*decide)(const near_pairs *pairs, size_t count, near_limits limits, uint8_t answers_out[NEAR_CAPACITY]);
} near_kernels;

extern const near_kernels near_kernels_scalar, near_kernels_128, near_kernels_256;

#endif
