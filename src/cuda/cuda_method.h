/* What a method is on a device: a row for each, an implementation with a state of its own there. The rows of methods
 * (src/methods) point here and to the processor's. */
#ifndef GRAZE_CUDA_CUDA_METHOD_H
#define GRAZE_CUDA_CUDA_METHOD_H

#include "broad/method.h"
#include "cuda/device_find.h"
#include "cuda/device_forest.h"

typedef struct cuda_request {
  const device_query *query;
  const search *host; /* for a method that asks the host: view, simd, memory, workers and stop are set */
} cuda_request;

/* What is NULL a method does not need; without `create` the state is NULL. */
typedef struct cuda_method {
  const search_way *way;
  graze_result (*create)(device_search *shared, const method_options *options, void **state_out);
  /* After an update that the device has taken in. After a failure the state is of no use. */
  graze_result (*update)(void *state, const method_news *news);
  /* See cpu_method. */
  bool (*suits)(const void *state);
  /* Whether it can search the scene now; else the grid does. */
  bool (*is_ready)(const void *state);
  /* In place of device_find by its way. */
  graze_result (*find)(void *state, device_pushes *pushes, const cuda_request *request, device_answer *answer_out);
  /* The trees that it has on the device, where it is ready. */
  const device_forest *(*trees)(const void *state);
  void (*destroy)(void *state);
} cuda_method;

extern const cuda_method cuda_grid, cuda_brute, cuda_tree, cuda_clusters;

#endif
