/* The stages of a step of neural gas: sums over runs of spheres, then new positions of prototypes. A thread processes
 * one prototype of a block of spheres, or of a node; its additions are those of the processor, in the same order
 * (sphere_prototypes.c).
 *
 * Workload: 10^3 to 10^6 spheres per level, 20 steps, 8 to 15 levels. */
#ifndef GRAZE_CUDA_STAGE_GAS_H
#define GRAZE_CUDA_STAGE_GAS_H

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

/* Sums the run of one node's spheres that begins at an item; returns its end. */
GEOMETRY_FUNCTION uint32_t gas_sum_run(const gas_view *gas, uint32_t item, uint32_t end, uint32_t which,
                                       gas_part *part_out) {
  const uint32_t node = gas->node_of[item];
  gas_part part = {0.0, {0.0, 0.0, 0.0}};
  for (; item < end && gas->node_of[item] == node; item++) {
    double weights[GAS_PROTOTYPES];
    gas_weights(&gas->nodes[node], gas->magnification, (const double(*)[3])gas->prototypes[node], gas->balls[item],
                gas->share, weights);
    gas_part_add(&part, weights[which], gas->balls[item]);
  }
  *part_out = part;
  return item;
}

GEOMETRY_FUNCTION void stage_gas_sum(uint32_t index, const gas_view *gas) {
  const uint32_t block = index / GAS_PROTOTYPES, which = index % GAS_PROTOTYPES;
  const uint32_t first = block * GAS_BLOCK, left = gas->item_count - first;
  const uint32_t end = first + (left < GAS_BLOCK ? left : GAS_BLOCK);
  for (uint32_t item = first; item < end;)
    item = gas_sum_run(gas, item, end, which, &gas->runs[(size_t)gas->node_of[item] + block].parts[which]);
}

GEOMETRY_FUNCTION void stage_gas_move(uint32_t index, const gas_view *gas) {
  const uint32_t at = index / GAS_PROTOTYPES, which = index % GAS_PROTOTYPES;
  gas_part part;
  gas_join_runs(&gas->nodes[at], gas->runs + at, which, &part);
  gas_part_move(&part, gas->prototypes[at][which]);
}

#endif
