/* A scene on a device, as the backend cuda has it: its memory there, what an update makes, the method that it is
 * searched by, and what the other calls keep. Plain C, the same for every device. */
#ifndef GRAZE_CUDA_DEVICE_STATE_H
#define GRAZE_CUDA_DEVICE_STATE_H

#include "cuda/cuda_method.h"
#include "cuda/device_configurations.h"
#include "cuda/device_contacts.h"
#include "cuda/device_crowding.h"
#include "cuda/device_distances.h"
#include "cuda/device_poses.h"

/* A method and its state. */
typedef struct chosen_method {
  const cuda_method *row; /* NULL: none was chosen yet */
  void *own;              /* NULL where it has none */
} chosen_method;

typedef struct device_state {
  void *host_stream; /* after whose work comes what a call queues; NULL: none */
  device_memory memory;
  device_scene scene;
  device_search search;
  device_pushes pushes;
  device_contacts contacts;
  device_crowding crowding;
  device_poses poses;
  device_configurations configurations;
  device_distances distances;
  chosen_method method;
} device_state;

/* Takes the operations over: device_state_release closes them. It does not move meanwhile. */
void device_state_init(device_state *state, memory *heap, memory *scratch, const device_operations *operations);
void device_state_release(device_state *state);

/* What is queued from now on comes after the work that the host's stream has now. Updates and searches begin with it.
 */
graze_result device_state_follow_host(const device_state *state);

/* device_scene_update, and what follows from it for the next search. */
graze_result device_state_update(device_state *state, const scene_upload *told, bool *finite_out,
                                 double *milliseconds_out);

/* Has the scene searched by a method from now on, for which a state is made; *before_out is the one before. */
graze_result device_state_choose(device_state *state, const cuda_method *row, const method_options *options,
                                 chosen_method *before_out);

/* When it is ready the one before is gone; where it cannot be made ready, that one stays. */
void device_state_settle(device_state *state, const chosen_method *before, bool is_ready);

/* Whether the method can search; else the grid does. */
bool device_state_is_ready(const device_state *state);

/* By the method where it is to be used and is ready, else by the grid. */
graze_result device_state_find(device_state *state, const cuda_request *request, bool by_method,
                               device_answer *answer_out);

#endif
