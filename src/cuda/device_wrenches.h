/* Wrenches of pairs on a device: the last part of a query that requests them. */
#ifndef GRAZE_CUDA_DEVICE_WRENCHES_H
#define GRAZE_CUDA_DEVICE_WRENCHES_H

#include "cuda/contact_measures.h"
#include "cuda/device_search.h"

typedef struct device_wrenches {
  device_buffer rule, terms, places;
  open_contacts open;
  wrench_rule known_rule; /* on the device, if the buffer has memory */
} device_wrenches;

/* Allocates the terms of this number of pairs, and uploads the rule, if wrenches are requested. */
graze_result size_wrenches(device_wrenches *wrenches, device_search *search, const device_query *query,
                           uint64_t pair_capacity);

/* Zeros if wrenches are not requested. */
contact_view view_of_wrenches(const device_wrenches *wrenches, const device_search *search, const device_query *query,
                              const pair_view *pairs);

/* Queues the stages, from the keys of the pairs, instead of sorting them. */
void queue_wrenches(stage_queue *queue, const contact_view *v, const contact_variants *variants);

#endif
