/* radix_sort: a stable sort of unsigned keys.
 *
 * Workload: 10^3 to 10^8 keys of 20 to 64 bits, which often differ in only some bits (cell codes of one region, indices
 * below a small count). Bits in which all keys agree cost nothing.
 *
 * Papers: Zagha, Blelloch, "Radix sort for vector multiprocessors", 1991 (per-block histograms keep the parallel passes
 * stable); McIlroy, Bostic, McIlroy, "Engineering radix sort", 1993 (highest digit first, until parts are small);
 * Frazer, McKellar, "Samplesort: a sampling approach to minimal storage tree sorting", 1970 (parts for many workers).
 */
#ifndef GRAZE_BASE_RADIX_SORT_H
#define GRAZE_BASE_RADIX_SORT_H

#include "base/stop_check.h"
#include "base/workers.h"

/* Orders by the low key_bits bits of the keys (1 to 64), stably. Scratch has the length of the input; its content is
 * lost. The result is in keys (and values). */
void radix_sort_keys(uint64_t *keys, uint64_t *scratch, size_t count, uint32_t key_bits);
void radix_sort_pairs(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values, size_t count,
                      uint32_t key_bits);

/* The same results, in parallel; NULL for the calling thread alone. Histograms (2 KiB a block) and samples (32 KiB) are
 * allocated from memory; without it the serial sort runs, so neither can fail. On a request to stop, the sort ends
 * early: keys and values are then undefined. */
void radix_sort_keys_stoppable(uint64_t *keys, uint64_t *scratch, size_t count, uint32_t key_bits, memory *heap,
                               workers *team_or_null, stop_check *stop_or_null);
void radix_sort_pairs_stoppable(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values,
                                size_t count, uint32_t key_bits, memory *heap, workers *team_or_null,
                                stop_check *stop_or_null);

#endif
