/* Divides the curve for all ranks, from numbers that all of them have. */
#ifndef GRAZE_DISTRIBUTED_RANK_DIVISION_H
#define GRAZE_DISTRIBUTED_RANK_DIVISION_H

#include "distributed/rank_failure.h"
#include "division/division.h"

/* The times of parts that a rank knows: one for a rank of many, all for a single rank. */
typedef struct division_times {
  const uint64_t *us;
  uint32_t first_part, part_count;
} division_times;

/* Places the grid over all primitives of all ranks, and divides it: by number the first time, later by the time of each
 * primitive in its last part. Called by all ranks; a failure on one rank is reported by all. */
graze_result rank_divide(division *parts, division_balance *balance, const transport *net, memory *heap,
                         const graze_scene *scene, division_times times, rank_failure *failure);

#endif
