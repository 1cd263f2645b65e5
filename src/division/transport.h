/* Communication between ranks: one table, with a row for ranks of one process, one for MPI, and one for a single rank.
 * All ranks make every call, in the same order, with equal counts. No call can fail: its memory is allocated before. */
#ifndef GRAZE_DIVISION_TRANSPORT_H
#define GRAZE_DIVISION_TRANSPORT_H

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
  /* Replaces each value by the sum, least or greatest of that value over all ranks; sums are modulo 2^64. */
  void (*reduce)(void *context, transport_operation operation, uint64_t *values, size_t count);
  /* Copies the bytes of the rank `root` to all ranks. */
  void (*broadcast)(void *context, uint32_t root, void *bytes, size_t size);
  /* Sends send[i] to rank i; receive[i] comes from rank i. */
  void (*trade)(void *context, const uint64_t *send, uint64_t *receive);
  /* The same with blocks, whose sizes both sides know. A rank's block for itself is ignored. */
  void (*exchange)(void *context, const transport_block *send, const transport_block *receive);
} transport;

static inline void transport_reduce(const transport *net, transport_operation operation, uint64_t *values,
                                    size_t count) {
  net->reduce(net->context, operation, values, count);
}

/* For one value. */
static inline uint64_t transport_reduced(const transport *net, transport_operation operation, uint64_t value) {
  net->reduce(net->context, operation, &value, 1);
  return value;
}

/* For a single rank, which only reduces and broadcasts. */
static inline void transport_reduce_alone(void *context, transport_operation operation, uint64_t *values,
                                          size_t count) {
  (void)context;
  (void)operation;
  (void)values;
  (void)count;
}
static inline void transport_broadcast_alone(void *context, uint32_t root, void *bytes, size_t size) {
  (void)context;
  (void)root;
  (void)bytes;
  (void)size;
}
static inline transport transport_alone(void) {
  return (transport){.rank_count = 1, .reduce = transport_reduce_alone, .broadcast = transport_broadcast_alone};
}

#endif
