/* Ranks of one process: one thread each, which synchronize at barriers. For tests, and for several devices of one
 * process.
 *
 * Workload: some tens of calls a frame; ranks read each other's blocks in place, and nothing is allocated. */
#ifndef GRAZE_DISTRIBUTED_LOCAL_TRANSPORT_H
#define GRAZE_DISTRIBUTED_LOCAL_TRANSPORT_H

#include "base/memory.h"
#include "division/transport.h"

typedef struct local_hub local_hub;

/* NULL when out of memory. */
local_hub *local_hub_create(memory *heap, uint32_t rank_count);
void local_hub_destroy(local_hub *hub); /* after the last call of every rank; NULL is allowed */

/* The transport of a rank, for its thread. */
transport local_transport(local_hub *hub, uint32_t rank);

#endif
