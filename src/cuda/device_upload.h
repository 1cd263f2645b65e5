/* What a device is told of the scene: topology, positions, poses, rules; only what differs from the last time.
 */
#ifndef GRAZE_CUDA_DEVICE_UPLOAD_H
#define GRAZE_CUDA_DEVICE_UPLOAD_H

#include "cuda/device_state.h"

graze_result upload_scene(device_state *state, const scene_upload *scene);

/* Which objects can be in a pair at all: one that has no other and is not asked about itself cannot. */
graze_result choose_objects(device_state *state, const device_query *query);

void release_tables(device_state *state);

#endif
