/* The door to CUDA: what the rest of the library knows of it. cuda_operations.cu has the real one; cuda_absent.c takes
 * its place where the library is built without nvcc. */
#ifndef GRAZE_CUDA_CUDA_BACKEND_H
#define GRAZE_CUDA_CUDA_BACKEND_H

#include "cuda/device_operations.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A device opened for one scene. GRAZE_UNSUPPORTED where the build has no CUDA, GRAZE_NO_DEVICE where the machine has
 * no such device, or one that is too old for it; the message then says which. */
graze_result cuda_backend_open(int device, device_operations *operations_out, char *error_out, size_t error_bytes);

/* A device in words: name, memory, capability. Results and message likewise. */
graze_result cuda_backend_describe(int device, char *words_out, size_t words_bytes);

#ifdef __cplusplus
}
#endif

#endif
