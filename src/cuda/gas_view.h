/* The data of the stages of neural gas; see stage_gas.h. */
#ifndef GRAZE_CUDA_GAS_VIEW_H
#define GRAZE_CUDA_GAS_VIEW_H

#include "spheres/gas_stages.h"

typedef struct gas_view {
  const gas_node *nodes;
  sphere_prototypes *prototypes;
  const double (*balls)[4];
  const uint32_t *node_of;
  gas_sum *runs; /* the run of node n in block b is number n + b */
  uint32_t node_count, item_count, block_count, magnification;
  double share[GAS_PROTOTYPES];
} gas_view;

#endif
