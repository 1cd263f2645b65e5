/* What a packer has others do, as it takes nearly all of the time: prototypes, by the thousand. One table for the
 * processor, here, and one for a device (src/cuda/device_packing.h); both give the same bits. */
#ifndef GRAZE_PACKING_PACKER_STAGES_H
#define GRAZE_PACKING_PACKER_STAGES_H

#include "base/stop_check.h"
#include "base/workers.h"
#include "packing/packing_space.h"

/* Results are GRAZE_OUT_OF_MEMORY, GRAZE_STOPPED, and what a device may answer. */
typedef struct packer_stages {
  void *context;
  /* The obstacles of all jobs from now on. The tree's arrays stay as they are until it is given another. */
  graze_result (*take_mesh)(void *context, const obstacle_tree *mesh);
  graze_result (*take_spheres)(void *context, const obstacle_tree *spheres);
  graze_result (*run)(void *context, prototype_job *jobs, size_t count);
  const char *(*error)(void *context); /* the message of the last failure; "": it has none */
  void (*close)(void *context);
} packer_stages;

/* Who does the work, and who may stop it; all of it lives at least as long as the stages. */
typedef struct stages_def {
  memory *heap;
  workers *team;
  stop_check *stop; /* NULL: nothing stops it */
} stages_def;

/* GRAZE_OUT_OF_MEMORY, without a message. */
graze_result processor_stages_open(const stages_def *def, packer_stages *stages_out);

#endif
