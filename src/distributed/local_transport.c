/* Ranks of one process; see local_transport.h. */
#include "distributed/local_transport.h"

#include <pthread.h>
#include <string.h>

/* The data that a rank shares during a call. */
typedef struct local_rank {
  local_hub *hub;
  uint32_t rank;
  void *shown;
} local_rank;

struct local_hub {
  memory *heap;
  uint32_t rank_count;
  local_rank *ranks;
  pthread_mutex_t lock;
  pthread_cond_t all_there;
  uint32_t waiting;
  uint64_t meeting; /* incremented when the last rank arrives */
};

local_hub *local_hub_create(memory *heap, uint32_t rank_count) {
  local_hub *hub = memory_allocate(heap, 1, sizeof *hub);
  if (hub == NULL) return NULL;
  *hub = (local_hub){.heap = heap, .rank_count = rank_count};
  hub->ranks = memory_allocate(heap, rank_count, sizeof *hub->ranks);
  if (hub->ranks == NULL) {
    memory_release(heap, hub, 1, sizeof *hub);
    return NULL;
  }
  for (uint32_t i = 0; i < rank_count; i++) hub->ranks[i] = (local_rank){hub, i, NULL};
  pthread_mutex_init(&hub->lock, NULL);
  pthread_cond_init(&hub->all_there, NULL);
  return hub;
}

void local_hub_destroy(local_hub *hub) {
  if (hub == NULL) return;
  pthread_mutex_destroy(&hub->lock);
  pthread_cond_destroy(&hub->all_there);
  memory_release(hub->heap, hub->ranks, hub->rank_count, sizeof *hub->ranks);
  memory_release(hub->heap, hub, 1, sizeof *hub);
}

/* Returns when all ranks have called it. */
static void meet(local_hub *hub) {
  pthread_mutex_lock(&hub->lock);
  const uint64_t meeting = hub->meeting;
  if (++hub->waiting == hub->rank_count) {
    hub->waiting = 0;
    hub->meeting++;
    pthread_cond_broadcast(&hub->all_there);
  }
  while (hub->meeting == meeting) pthread_cond_wait(&hub->all_there, &hub->lock);
  pthread_mutex_unlock(&hub->lock);
}

static uint64_t combine(transport_operation operation, uint64_t a, uint64_t b) {
  switch (operation) {
  case TRANSPORT_SUM:
    return a + b;
  case TRANSPORT_LEAST:
    return a < b ? a : b;
  case TRANSPORT_GREATEST:
    return a > b ? a : b;
  }
  return a;
}

/* Each rank combines a range of the values, and writes it to all. */
static void local_reduce(void *context, transport_operation operation, uint64_t *values, size_t count) {
  local_rank *own = context;
  local_hub *hub = own->hub;
  own->shown = values;
  meet(hub);
  const size_t first = count * own->rank / hub->rank_count, end = count * (own->rank + 1) / hub->rank_count;
  for (size_t i = first; i < end; i++) {
    uint64_t value = ((const uint64_t *)hub->ranks[0].shown)[i];
    for (uint32_t r = 1; r < hub->rank_count; r++)
      value = combine(operation, value, ((const uint64_t *)hub->ranks[r].shown)[i]);
    for (uint32_t r = 0; r < hub->rank_count; r++) ((uint64_t *)hub->ranks[r].shown)[i] = value;
  }
  meet(hub);
}

static void local_broadcast(void *context, uint32_t root, void *bytes, size_t size) {
  local_rank *own = context;
  own->shown = bytes;
  meet(own->hub);
  if (own->rank != root) memcpy(bytes, own->hub->ranks[root].shown, size);
  meet(own->hub);
}

static void local_trade(void *context, const uint64_t *send, uint64_t *receive) {
  local_rank *own = context;
  own->shown = (void *)(uintptr_t)send;
  meet(own->hub);
  for (uint32_t r = 0; r < own->hub->rank_count; r++)
    receive[r] = ((const uint64_t *)own->hub->ranks[r].shown)[own->rank];
  meet(own->hub);
}

static void local_exchange(void *context, const transport_block *send, const transport_block *receive) {
  local_rank *own = context;
  own->shown = (void *)(uintptr_t)send;
  meet(own->hub);
  for (uint32_t r = 0; r < own->hub->rank_count; r++)
    if (r != own->rank && receive[r].size > 0)
      memcpy(receive[r].bytes, ((const transport_block *)own->hub->ranks[r].shown)[own->rank].bytes, receive[r].size);
  meet(own->hub);
}

transport local_transport(local_hub *hub, uint32_t rank) {
  return (transport){.context = &hub->ranks[rank],
                     .rank = rank,
                     .rank_count = hub->rank_count,
                     .reduce = local_reduce,
                     .broadcast = local_broadcast,
                     .trade = local_trade,
                     .exchange = local_exchange};
}
