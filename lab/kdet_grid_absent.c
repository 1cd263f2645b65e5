/* Replaces the device version of the published grid in builds without CUDA. */
#include "lab/kdet_grid.h"

#include <stdio.h>

bool kdet_grid_run_device(int device, const kdet_soup *soup, const kdet_options *options, kdet_outcome *outcome,
                          char *error, size_t error_bytes) {
  (void)device;
  (void)soup;
  (void)options;
  *outcome = (kdet_outcome){0};
  snprintf(error, error_bytes, "this build has no CUDA");
  return false;
}
