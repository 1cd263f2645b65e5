/* The data of the stages of a sphere packing; see stage_packing.h. */
#ifndef GRAZE_CUDA_PACKING_VIEW_H
#define GRAZE_CUDA_PACKING_VIEW_H

#include "packing/obstacle_tree.h"

typedef struct packing_view {
  packing_space space;
  prototype_job *jobs;
  uint32_t *inside; /* per job: 0 if it is skipped, as it begins outside */
  uint32_t job_count;
} packing_view;

#endif
