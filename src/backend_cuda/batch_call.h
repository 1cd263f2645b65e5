/* Batches on a device. */
#ifndef GRAZE_BACKEND_CUDA_BATCH_CALL_H
#define GRAZE_BACKEND_CUDA_BATCH_CALL_H

#include "backend/backend.h"

graze_result device_run_batch(const graze_scene *scene, batch_request *request);

#endif
