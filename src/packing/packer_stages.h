/* The stages of a packing that take nearly all of the time: prototypes, in batches of thousands. One table for the
 * processor, here, and one for a device (src/cuda/device_spheres.h); both give the same bits. */
#ifndef GRAZE_PACKING_PACKER_STAGES_H
#define GRAZE_PACKING_PACKER_STAGES_H

#include "base/stop_check.h"
#include "base/workers.h"
#include "packing/obstacle_tree.h"

/* Results are GRAZE_OUT_OF_MEMORY, GRAZE_STOPPED, and errors of a device. */
typedef struct packer_stages {
  void *context;
  /* Sets the obstacles of all later jobs. The tree's arrays must not change until another tree is set. */
  graze_result (*take_mesh)(void *context, const obstacle_tree *mesh);
  graze_result (*take_spheres)(void *context, const obstacle_tree *spheres);
  graze_result (*run)(void *context, prototype_job *jobs, size_t count);
  const char *(*error)(void *context); /* the message of the last failure; "": none */
  void (*close)(void *context);
} packer_stages;

/* Resources of the stages, all of which must outlive them. */
typedef struct stages_def {
  memory *heap;
  workers *team;
  stop_check *stop; /* NULL: no request to stop */
} stages_def;

/* GRAZE_OUT_OF_MEMORY, without a message. */
graze_result processor_stages_open(const stages_def *def, packer_stages *stages_out);

#endif
