/* What the stages of a sphere packing see: see stage_packing.h. */
#ifndef GRAZE_CUDA_PACKING_VIEW_H
#define GRAZE_CUDA_PACKING_VIEW_H

#include "packing/packing_space.h"

typedef struct packing_view {
  packing_space space;
  prototype_job *jobs;
  uint32_t *inside; /* a job each: 0 where it is not to be done, as it begins outside */
  uint32_t job_count;
} packing_view;

#endif
