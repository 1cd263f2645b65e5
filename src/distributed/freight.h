/* Blocks of bytes between ranks: one to each rank and one from each. */
#ifndef GRAZE_DISTRIBUTED_FREIGHT_H
#define GRAZE_DISTRIBUTED_FREIGHT_H

#include "distributed/parcel_list.h"
#include "distributed/slab.h"
#include "division/transport.h"

typedef struct freight {
  transport_block *send, *receive;
  uint64_t *sizes; /* to each, from each */
  void **places;
  uint32_t count;
} freight;

void freight_release(freight *load, memory *heap);

/* Sends the parcels of a scene to the ranks of their parts, and releases their list. Called by all ranks with a zeroed
 * freight; a failure on one rank is reported by all. */
graze_result freight_exchange(freight *load, const transport *net, memory *heap, const graze_scene *scene,
                              parcel_list *list, rank_failure *failure);

/* Passes the blocks to the slab in the order of ranks; each is released at once. */
graze_result freight_unload(freight *load, const transport *net, memory *heap, slab *to, rank_failure *failure);

/* The bytes that this rank sends to others. */
uint64_t freight_sent_bytes(const freight *load, uint32_t rank);

#endif
