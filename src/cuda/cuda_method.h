/* A method on a device: one row each, an implementation with its own state. The rows of methods (src/methods) point
 * here and to the processor's. */
#ifndef GRAZE_CUDA_CUDA_METHOD_H
#define GRAZE_CUDA_CUDA_METHOD_H

#include "broad/method.h"
#include "cuda/device_find.h"
#include "cuda/device_forest.h"

typedef struct cuda_request {
  const device_query *query;
  const search *host; /* for a method that uses the host: view, simd, memory, workers and stop are set */
} cuda_request;

/* A method does not need functions that are NULL; without `create` the state is NULL. */
typedef struct cuda_method {
  const search_steps *steps;
  graze_result (*create)(device_search *shared, const method_options *options, void **state_out);
  /* Called after a successful update of the device. After a failure the state is unusable. */
  graze_result (*update)(void *state, const update_input *input);
  /* See cpu_method. */
  bool (*suits)(const void *state);
  /* Whether it can search the scene now; otherwise the grid does. */
  bool (*is_ready)(const void *state);
  /* Replaces device_find with the method's search_steps. */
  graze_result (*find)(void *state, device_wrenches *wrenches, const cuda_request *request, device_answer *answer_out);
  /* Its trees on the device, if it is ready. */
  const device_forest *(*trees)(const void *state);
  void (*destroy)(void *state);
} cuda_method;

#define METHOD_ON_CUDA(name) extern const cuda_method cuda_##name;
METHOD_LIST(METHOD_ON_CUDA)
#undef METHOD_ON_CUDA

#endif
