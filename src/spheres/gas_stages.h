/* The part of building a sphere tree that may run on a device, as it takes most of the time: the steps of neural gas,
 * for all nodes of a level (src/cuda/device_gas.h). Without such a table the workers run them; both give the same
 * bits. */
#ifndef GRAZE_SPHERES_GAS_STAGES_H
#define GRAZE_SPHERES_GAS_STAGES_H

#include "graze/graze.h"
#include "spheres/neural_gas_step.h"

#include <math.h>

/* A level. Its items are the spheres of all nodes, node by node. */
typedef struct gas_level {
  const gas_node *nodes;
  sphere_prototypes *prototypes; /* one per node; in and out */
  const double (*balls)[4];      /* items */
  const uint32_t *node_of;       /* one per item */
  uint32_t node_count, item_count, magnification, step_count;
} gas_level;

/* h by rank in a step: lambda(t) = lambda_0 (0.01 / lambda_0)^(t / t_max), lambda_0 = half the number of prototypes;
 * h(k) = exp(-k / lambda). */
static inline void gas_shares(uint32_t step, uint32_t step_count, double share_out[GAS_PROTOTYPES]) {
  const double first = 0.5 * GAS_PROTOTYPES, last = 0.01;
  const double lambda = first * pow(last / first, (double)step / (double)step_count);
  for (int rank = 0; rank < GAS_PROTOTYPES; rank++) share_out[rank] = exp(-(double)rank / lambda);
}

typedef struct gas_stages {
  void *context;
  graze_result (*run)(void *context, const gas_level *level);
  const char *(*error)(void *context); /* the message of the last failure; "": none */
  void (*close)(void *context);
} gas_stages;

#endif
