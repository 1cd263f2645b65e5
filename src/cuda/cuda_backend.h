/* The interface to CUDA for the rest of the library. cuda_operations.cu implements it; cuda_absent.c replaces that if
 * the library is built without nvcc. */
#ifndef GRAZE_CUDA_CUDA_BACKEND_H
#define GRAZE_CUDA_CUDA_BACKEND_H

#include "cuda/device_operations.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a device for one scene. GRAZE_UNSUPPORTED if the build has no CUDA, GRAZE_NO_DEVICE if the machine has no such
 * device, or an unsupported one; the message gives the reason. */
graze_result cuda_backend_open(int device, device_operations *operations_out, char *error_out, size_t error_bytes);

/* Describes a device: name, memory, compute capability. Results and message as above. */
graze_result cuda_backend_describe(int device, char *words_out, size_t words_bytes);

#ifdef __cplusplus
}
#endif

#endif
