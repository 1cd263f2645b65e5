/* The backend cuda: what its files do for each other, and what changes of objects ask of it. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_BACKEND_H
#define GRAZE_BACKEND_CUDA_DEVICE_BACKEND_H

#include "backend/backend.h"
#include "cuda/device_state.h"
#include "graze/cuda.h"

device_query device_backend_query(const graze_query *query, stop_check *stop);

/* Contacts of pairs, on the device; a message where one is refused. */
graze_result device_backend_measure_pairs(const graze_scene *scene, const device_contact_query *query,
                                          device_contact_answer *answer_out);

#endif
