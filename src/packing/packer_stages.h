/* What a packer has others do, as it takes nearly all of the time: prototypes, by the thousand. One table for the
 * processor, here, and one for a device (src/cuda/device_packing.h); both give the same bits. */
#ifndef GRAZE_PACKING_PACKER_STAGES_H
#define GRAZE_PACKING_PACKER_STAGES_H

#include "base/stop_check.h"
#include "base/workers.h"
#include "packing/prototype_job.h"

/* GRAZE_OUT_OF_MEMORY and GRAZE_STOPPED, both without a message, and what a device may answer. */
typedef struct packer_stages {
  void *context;
  /* The obstacles of all jobs from now on. The tree's arrays stay as they are until it is given another. */
  graze_result (*take_mesh)(void *context, const obstacle_tree *mesh);
  graze_result (*take_spheres)(void *context, const obstacle_tree *spheres);
  graze_result (*run)(void *context, prototype_job *jobs, size_t count);
} packer_stages;

typedef struct processor_stages {
  workers *team;
  stop_check *stop; /* NULL: nothing stops it */
  packing_space space;
} processor_stages;

/* They live as long as their owner does. */
packer_stages processor_stages_open(processor_stages *owner, workers *team, stop_check *stop_or_null);

#endif
