/* One sphere's part in a step of batch neural gas, as inline functions without libm, for the processor and for GPUs.
 *
 * Prototype i moves to the mean of the node's spheres, sphere j weighted by h(k_ij) and its volume: k_ij is the number
 * of prototypes that are nearer to j than i is, and h falls with it, the more steeply the later the step. Of two that
 * are equally near the first counts as nearer, so that ranks are a permutation. Volumes are taken in units of that of
 * the node's biggest sphere: the factor cancels in the mean, and nothing underflows.
 *
 * Cottrell, Hammer, Hasenfuss, Villmann, "Batch and median neural gas", 2006; Hammer, Hasenfuss, Villmann,
 * "Magnification control for batch neural gas", 2006 (the weights). */
#ifndef GRAZE_SPHERES_NEURAL_GAS_STEP_H
#define GRAZE_SPHERES_NEURAL_GAS_STEP_H

#include "geometry/device.h"

#include <stdint.h>

enum { GAS_PROTOTYPES = 4 };

/* What a run of spheres gives to the prototypes of their node. */
typedef struct gas_sum {
  double weight[GAS_PROTOTYPES], place[GAS_PROTOTYPES][3];
} gas_sum;

/* By a radius in units of the largest: its third power stands for the volume. */
GEOMETRY_FUNCTION double gas_weight(double radius, uint32_t power) {
  double weight = 1.0;
  for (uint32_t i = 0; i < power; i++) weight *= radius;
  return weight;
}

GEOMETRY_FUNCTION void gas_ranks(const double squares[GAS_PROTOTYPES], int ranks_out[GAS_PROTOTYPES]) {
  for (int i = 0; i < GAS_PROTOTYPES; i++) ranks_out[i] = 0;
  for (int i = 0; i < GAS_PROTOTYPES; i++) {
    for (int j = i + 1; j < GAS_PROTOTYPES; j++) {
      const int later = squares[j] < squares[i];
      ranks_out[i] += later;
      ranks_out[j] += 1 - later;
    }
  }
}

/* `share` is h by rank. */
GEOMETRY_FUNCTION void gas_add(gas_sum *sum, const double ball[4], double volume, const double squares[GAS_PROTOTYPES],
                               const double share[GAS_PROTOTYPES]) {
  int ranks[GAS_PROTOTYPES];
  gas_ranks(squares, ranks);
  for (int i = 0; i < GAS_PROTOTYPES; i++) {
    const double weight = share[ranks[i]] * volume;
    sum->weight[i] += weight;
    for (int axis = 0; axis < 3; axis++) sum->place[i][axis] += weight * ball[axis];
  }
}

GEOMETRY_FUNCTION void gas_sum_join(gas_sum *sum, const gas_sum *more) {
  for (int i = 0; i < GAS_PROTOTYPES; i++) {
    sum->weight[i] += more->weight[i];
    for (int axis = 0; axis < 3; axis++) sum->place[i][axis] += more->place[i][axis];
  }
}

/* A prototype that no weight is left for stays where it is. */
GEOMETRY_FUNCTION void gas_move(const gas_sum *sum, double prototypes[GAS_PROTOTYPES][3]) {
  for (int i = 0; i < GAS_PROTOTYPES; i++) {
    for (int axis = 0; axis < 3 && sum->weight[i] > 0.0; axis++)
      prototypes[i][axis] = sum->place[i][axis] / sum->weight[i];
  }
}

#endif
