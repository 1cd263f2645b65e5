/* What the building of a sphere tree may have a device do, as it takes most of the time: the steps of neural gas, for
 * all nodes of a level (src/cuda/device_gas.h). The workers do them where there is no such table; both give the same
 * bits. */
#ifndef GRAZE_SPHERES_GAS_STAGES_H
#define GRAZE_SPHERES_GAS_STAGES_H

#include "graze/graze.h"
#include "spheres/neural_gas_step.h"

/* A level: items are the spheres of all nodes, node after node. */
typedef struct gas_level {
  const gas_node *nodes;
  sphere_prototypes *prototypes; /* one a node; in and out */
  const double (*balls)[4];      /* items */
  const uint32_t *node_of;       /* one an item */
  uint32_t node_count, item_count, magnification, step_count;
} gas_level;

/* h by rank in a step. */
void gas_shares(uint32_t step, uint32_t step_count, double share_out[GAS_PROTOTYPES]);

typedef struct gas_stages {
  void *context;
  graze_result (*run)(void *context, const gas_level *level);
  const char *(*error)(void *context); /* the message of the last failure; "": it has none */
  void (*close)(void *context);
} gas_stages;

#endif
