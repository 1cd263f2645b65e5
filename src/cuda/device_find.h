/* A query on a device, by any method. */
#ifndef GRAZE_CUDA_DEVICE_FIND_H
#define GRAZE_CUDA_DEVICE_FIND_H

#include "cuda/device_pushes.h"
#include "cuda/search_way.h"

/* All pairs, sorted, on the device. GRAZE_STOPPED where the query was stopped. */
graze_result device_find(device_search *search, device_pushes *pushes, const search_way *way, void *state,
                         const device_query *query, device_answer *answer_out);

/* The first `count` pairs of an answer. */
graze_result device_find_fetch(device_search *search, const device_answer *answer, size_t count, graze_pair *pairs_out);

#endif
