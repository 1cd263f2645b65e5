/* A query in chunks of entries, for a device without memory for its lists at once. */
#ifndef GRAZE_CUDA_DEVICE_CHUNKS_H
#define GRAZE_CUDA_DEVICE_CHUNKS_H

#include "cuda/device_pushes.h"

typedef struct chunked_answer {
  device_totals totals; /* as one run would have counted them */
  graze_timings timings;
  uint64_t searches; /* how often the search was run */
} chunked_answer;

/* Leaves the pairs, sorted, in their list. `searches` is of the method that failed. Entries must have their memory.
 * GRAZE_OUT_OF_MEMORY where not even short lists, or the keys of all pairs, or the pairs, can be had; the device then
 * has the message. */
graze_result find_in_chunks(device_search *search, device_pushes *pushes, const device_query *query, uint32_t searches,
                            chunked_answer *answer_out);

#endif
