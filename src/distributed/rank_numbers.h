/* Detects ranks whose objects cannot be parts of one object: two that have the same primitive, or that differ in kind
 * or filter. */
#ifndef GRAZE_DISTRIBUTED_RANK_NUMBERS_H
#define GRAZE_DISTRIBUTED_RANK_NUMBERS_H

#include "base/array.h"
#include "distributed/rank_failure.h"

typedef struct rank_numbers {
  uint64_t objects; /* a hash of the numbers and rules of this rank's objects that were checked last */
  bool checked;
} rank_numbers;

/* Compares the objects of all ranks if those of one have changed. Called by all ranks; a failure is reported by all,
 * and names the global object and both ranks. Objects with erased primitives, or with numbers in more than 64 runs, are
 * only compared by kind and filter. */
graze_result rank_check_numbers(rank_numbers *last, const transport *net, memory *heap, const graze_scene *scene,
                                rank_failure *failure);

#endif
