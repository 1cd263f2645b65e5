/* The k-free measure of one object on a device. */
#ifndef GRAZE_CUDA_DEVICE_CROWDING_H
#define GRAZE_CUDA_DEVICE_CROWDING_H

#include "cuda/device_search.h"

/* An object whose k is requested; the arrays are on the host and filled, one element per primitive. */
typedef struct device_measure_request {
  uint32_t object;
  size_t primitive_count;
  uint32_t most_corners; /* of a primitive */
  uint32_t *k_of, *neighbors_of;
  double *diameter_of;
} device_measure_request;

typedef struct device_measure_answer {
  uint32_t levels; /* bit i: some primitive is at level i of the processor's grid */
  graze_counters counters;
  graze_timings timings;
} device_measure_answer;

/* All buffers are spare. */
typedef struct device_crowding {
  device_buffer object, headers, boxes, k_of, neighbors_of, diameter_of, scratch;
} device_crowding;

graze_result device_crowding_measure(device_crowding *own, device_search *search, const device_measure_request *measure,
                                     device_measure_answer *measured_out);

#endif
