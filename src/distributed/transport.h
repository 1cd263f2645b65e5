/* How ranks reach each other: one table, a row for ranks of one process (local_transport.h) and one for MPI
 * (mpi_transport.h). Every call is made by all ranks, in the same order, with equal counts. None can fail: what a call
 * needs of memory is there before it. */
#ifndef GRAZE_DISTRIBUTED_TRANSPORT_H
#define GRAZE_DISTRIBUTED_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

typedef enum transport_operation { TRANSPORT_SUM, TRANSPORT_LEAST, TRANSPORT_GREATEST } transport_operation;

typedef struct transport_block {
  void *bytes;
  uint64_t size;
} transport_block;

typedef struct transport {
  void *context;
  uint32_t rank, rank_count;
  /* Values become the sum, the least or the greatest of those of all ranks, each by itself; sums modulo 2^64. */
  void (*reduce)(void *context, transport_operation operation, uint64_t *values, size_t count);
  /* The bytes of the rank `root` come to all. */
  void (*broadcast)(void *context, uint32_t root, void *bytes, size_t size);
  /* send[i] comes to rank i; receive[i] comes from it. */
  void (*trade)(void *context, const uint64_t *send, uint64_t *receive);
  /* The same with blocks, whose sizes both sides know. A rank's block for itself is not looked at. */
  void (*exchange)(void *context, const transport_block *send, const transport_block *receive);
} transport;

static inline void transport_reduce(const transport *net, transport_operation operation, uint64_t *values,
                                    size_t count) {
  net->reduce(net->context, operation, values, count);
}

/* Of one value. */
static inline uint64_t transport_reduced(const transport *net, transport_operation operation, uint64_t value) {
  net->reduce(net->context, operation, &value, 1);
  return value;
}

#endif
