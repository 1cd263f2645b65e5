/* What pairs push, on a device: the end of a query that asks for it. */
#ifndef GRAZE_CUDA_DEVICE_PUSHES_H
#define GRAZE_CUDA_DEVICE_PUSHES_H

#include "cuda/contact_measures.h"
#include "cuda/device_search.h"

typedef struct device_pushes {
  device_buffer rule, terms, places;
  open_contacts open;
  push_rule known_rule; /* that the device has, where the buffer has memory */
} device_pushes;

/* Room for what so many pairs push, and the rule by which they do, where it is asked for. */
graze_result size_pushes(device_pushes *pushes, device_search *search, const device_query *query, uint64_t pair_room);

/* Zeros where nobody asks for it. */
contact_view view_of_pushes(const device_pushes *pushes, const device_search *search, const device_query *query,
                            const pair_view *pairs);

/* From the keys of the pairs, in place of their order. */
void queue_pushes(stage_queue *queue, const contact_view *v, const contact_variants *variants);

#endif
