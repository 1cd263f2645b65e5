/* prefix_sum: exclusive prefix sums of counts.
 *
 * Workload: 10^3 to 10^8 small counters of cells or primitives. The total is returned in 64 bits: if it exceeds 2^32 -
 * 1, the positions have wrapped and must not be used.
 *
 * Paper: Blelloch, "Prefix sums and their applications", 1990 (sums of blocks first, then each block on its own). */
#ifndef GRAZE_BASE_PREFIX_SUM_H
#define GRAZE_BASE_PREFIX_SUM_H

#include "base/workers.h"

/* values[i] becomes the sum of values[0 .. i-1] modulo 2^32. Returns the sum of all. */
uint64_t prefix_sum(uint32_t *values, size_t count);

/* The same results, in parallel. */
uint64_t prefix_sum_parallel(uint32_t *values, size_t count, workers *team);

#endif
