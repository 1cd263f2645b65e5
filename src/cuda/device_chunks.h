/* A query in chunks of entries, for a device without memory for its lists at once. */
#ifndef GRAZE_CUDA_DEVICE_CHUNKS_H
#define GRAZE_CUDA_DEVICE_CHUNKS_H

#include "cuda/device_wrenches.h"

typedef struct chunked_answer {
  device_totals totals; /* as a single run would count them */
  graze_timings timings;
  uint64_t searches; /* number of search runs */
} chunked_answer;

/* Leaves the pairs, sorted, in their list. `searches` belongs to the method that failed. Entries must have their
 * memory. GRAZE_OUT_OF_MEMORY if there is no memory for short lists, for the keys of all pairs, or for the pairs; the
 * device then has the message. */
graze_result find_in_chunks(device_search *search, device_wrenches *wrenches, const device_query *query,
                            uint32_t searches, chunked_answer *answer_out);

#endif
