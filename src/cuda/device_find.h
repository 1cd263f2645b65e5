/* A query on a device, by any method. */
#ifndef GRAZE_CUDA_DEVICE_FIND_H
#define GRAZE_CUDA_DEVICE_FIND_H

#include "cuda/device_wrenches.h"
#include "cuda/search_way.h"

/* Finds all pairs, sorted, on the device. GRAZE_STOPPED if the query was stopped. */
graze_result device_find(device_search *search, device_wrenches *wrenches, const search_way *way, void *state,
                         const device_query *query, device_answer *answer_out);

/* Downloads the first `count` pairs of an answer. */
graze_result device_find_fetch(device_search *search, const device_answer *answer, size_t count, graze_pair *pairs_out);

#endif
