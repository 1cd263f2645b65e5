/* Blocks of bytes between ranks: one to each rank and one from each. */
#ifndef GRAZE_DISTRIBUTED_RANK_EXCHANGE_H
#define GRAZE_DISTRIBUTED_RANK_EXCHANGE_H

#include "base/array.h"
#include "distributed/portion_list.h"
#include "distributed/rank_failure.h"
#include "distributed/slab.h"
#include "division/transport.h"

/* Sends counts[i] records to rank i, in the order of ranks. `received` gets the incoming ones in the order of ranks;
 * received_counts[i] are from rank i. Called by all ranks; a failure on one rank is reported by all. */
graze_result rank_records_exchange(const transport *net, memory *heap, const array *records, const uint64_t *counts,
                                   array *received, uint64_t *received_counts, rank_failure *failure);

typedef struct rank_blocks {
  transport_block *send, *receive;
  uint64_t *sizes; /* to each, from each */
  void **places;
  uint32_t count;
} rank_blocks;

void rank_blocks_release(rank_blocks *blocks, memory *heap);

/* Sends the portions of a scene to the ranks of their parts, and releases their list. Called by all ranks with a zeroed
 * rank_blocks; a failure on one rank is reported by all. */
graze_result rank_blocks_exchange(rank_blocks *blocks, const transport *net, memory *heap, const graze_scene *scene,
                                  portion_list *list, rank_failure *failure);

/* Passes the blocks to the slab in the order of ranks; each is released at once. */
graze_result rank_blocks_unload(rank_blocks *blocks, const transport *net, memory *heap, slab *to,
                                rank_failure *failure);

/* The bytes that this rank sends to others. */
uint64_t rank_blocks_sent_bytes(const rank_blocks *blocks, uint32_t rank);

#endif
