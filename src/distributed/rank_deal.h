/* Records of one size that each rank sends to the others. */
#ifndef GRAZE_DISTRIBUTED_RANK_DEAL_H
#define GRAZE_DISTRIBUTED_RANK_DEAL_H

#include "base/array.h"
#include "distributed/rank_failure.h"

/* Sends counts[i] records to rank i, in the order of ranks. `received` gets the incoming ones in the order of ranks;
 * received_counts[i] are from rank i. Called by all ranks; a failure on one rank is reported by all. */
graze_result rank_deal(const transport *net, memory *heap, const array *records, const uint64_t *counts,
                       array *received, uint64_t *received_counts, rank_failure *failure);

#endif
