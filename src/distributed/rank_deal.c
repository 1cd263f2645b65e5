/* Records that ranks send to each other; see rank_deal.h. */
#include "distributed/rank_deal.h"

#include <string.h>

/* Sets the blocks of the records to, or from, each rank. */
static void point_blocks(transport_block *blocks, const array *records, const uint64_t *counts, uint32_t rank_count) {
  char *next = records->data;
  for (uint32_t i = 0; i < rank_count; i++) {
    blocks[i] = (transport_block){next, counts[i] * records->element_bytes};
    if (blocks[i].size > 0) next += blocks[i].size;
  }
}

graze_result rank_deal(const transport *net, memory *heap, const array *records, const uint64_t *counts,
                       array *received, uint64_t *received_counts, rank_failure *failure) {
  const uint32_t n = net->rank_count;
  uint64_t total = 0;
  if (n == 1)
    received_counts[0] = counts[0];
  else
    net->trade(net->context, counts, received_counts);
  for (uint32_t i = 0; i < n; i++) total += received_counts[i];
  transport_block *blocks = memory_allocate(heap, n, 2 * sizeof *blocks);
  if (blocks == NULL || !array_resize(received, heap, total)) rank_failure_say_memory(failure);
  const graze_result result = rank_failure_agree(failure, net);
  if (result == GRAZE_OK) {
    transport_block *own = &blocks[net->rank], *kept = &blocks[n + net->rank];
    point_blocks(blocks, records, counts, n);
    point_blocks(blocks + n, received, received_counts, n);
    if (own->size > 0) memcpy(kept->bytes, own->bytes, own->size);
    if (n > 1) net->exchange(net->context, blocks, blocks + n);
  }
  memory_release(heap, blocks, n, 2 * sizeof *blocks);
  return result;
}
