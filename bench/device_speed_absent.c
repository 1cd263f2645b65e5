/* Replaces device_speed.cu in builds without CUDA: there is nothing to measure. */
#include "bench/device_speed.h"

#include <stdio.h>

bool device_speed_measure(int device, device_speed *speed_out, char *error, size_t error_bytes) {
  (void)device;
  *speed_out = (device_speed){0};
  snprintf(error, error_bytes, "this build has no CUDA support");
  return false;
}
