/* CUDA for builds without it: reports that CUDA is unavailable. */
#include "cuda/cuda_backend.h"

#include <stdio.h>

static graze_result refuse(char *words_out, size_t words_bytes) {
  snprintf(words_out, words_bytes, "this build has no CUDA (no nvcc, or GRAZE_CUDA=OFF)");
  return GRAZE_UNSUPPORTED;
}

graze_result cuda_backend_open(int device, device_operations *operations_out, char *error_out, size_t error_bytes) {
  (void)device;
  (void)operations_out;
  return refuse(error_out, error_bytes);
}

graze_result cuda_backend_describe(int device, char *words_out, size_t words_bytes) {
  (void)device;
  return refuse(words_out, words_bytes);
}
