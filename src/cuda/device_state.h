/* A scene on a device, for the backend cuda: its memory there, the results of an update, the method, and the state of
 * the other calls. Plain C, the same for every device. */
#ifndef GRAZE_CUDA_DEVICE_STATE_H
#define GRAZE_CUDA_DEVICE_STATE_H

#include "cuda/cuda_method.h"
#include "cuda/device_batch.h"
#include "cuda/device_contacts.h"
#include "cuda/device_crowding.h"

/* A method and its state. */
typedef struct chosen_method {
  const cuda_method *row; /* NULL: none was chosen so far */
  void *own;              /* NULL if it has none */
} chosen_method;

typedef struct device_state {
  void *host_stream; /* operations of a call are queued after the work of this stream; NULL: none */
  device_memory memory;
  device_scene scene;
  device_search search;
  device_wrenches wrenches;
  device_contacts contacts;
  device_crowding crowding;
  device_batch batch;
  chosen_method method;
} device_state;

/* Takes ownership of the operations: device_state_release closes them. Must not move meanwhile. */
void device_state_init(device_state *state, memory *heap, memory *scratch, const device_operations *operations);
void device_state_release(device_state *state);

/* Orders operations queued after the call behind the current work of the host's stream. Updates and searches begin
 * with this call. */
graze_result device_state_follow_host(const device_state *state);

/* Calls device_scene_update, and prepares the next search. */
graze_result device_state_update(device_state *state, const scene_upload *input, bool *finite_out,
                                 double *milliseconds_out);

/* Sets the method of the scene and creates its state; *before_out is the previous one. */
graze_result device_state_choose(device_state *state, const cuda_method *row, const method_options *options,
                                 chosen_method *before_out);

/* Prepares the method and releases the previous one; if that fails, the previous one stays. */
void device_state_settle(device_state *state, const chosen_method *before, bool is_ready);

/* Whether the method can search; otherwise the grid does. */
bool device_state_is_ready(const device_state *state);

/* Searches with the method if `by_method` and the method is ready, otherwise with the grid. */
graze_result device_state_find(device_state *state, const cuda_request *request, bool by_method,
                               device_answer *answer_out);

#endif
