/* pair_order: sorts the pairs that workers have found.
 *
 * Workload: up to 10^8 pairs of indices below 10^9, in clusters, sometimes with one index in nearly all pairs (a floor
 * under everything). One pass distributes the pairs from their chunks into parts by the leading bits of `a`; each part
 * fits the cache and is sorted by itself. The time is linear in the pairs for every input. Scratch is a few hundred KiB
 * per worker, and no array of the size of the scene is needed.
 *
 * Paper: McIlroy, Bostic, McIlroy, "Engineering radix sort", 1993 (splitting large parts in place). */
#ifndef GRAZE_BASE_PAIR_ORDER_H
#define GRAZE_BASE_PAIR_ORDER_H

#include "base/pair_list.h"
#include "base/stop_check.h"
#include "base/workers.h"

/* Writes all pairs of the list, sorted by (a, b), to sorted_out, which has room for pair_list_count(list). Every a and
 * b is less than item_count. The list is not changed. False when out of memory. */
bool pair_order(const pair_list *list, memory *heap, workers *team, uint32_t item_count, index_pair *sorted_out);

/* The same, ended early on a request to stop: the output is then undefined, and the result false. */
bool pair_order_stoppable(const pair_list *list, memory *heap, workers *team, uint32_t item_count,
                          index_pair *sorted_out, stop_check *stop_or_null);

#endif
