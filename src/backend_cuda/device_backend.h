/* The backend cuda: functions shared by its files. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_BACKEND_H
#define GRAZE_BACKEND_CUDA_DEVICE_BACKEND_H

#include "backend/backend.h"
#include "cuda/device_state.h"
#include "graze/cuda.h"

device_query device_backend_query(const graze_query *query, stop_check *stop);

/* Computes contacts of pairs on the device; sets a message if a pair is refused. */
graze_result device_backend_measure_pairs(const graze_scene *scene, const device_contact_query *query,
                                          device_contact_answer *answer_out);

#endif
