/* The part of building a sphere tree that may run on a device, as it takes most of the time: the steps of neural gas,
 * for all nodes of a level (src/cuda/device_spheres.h). Without such a table the workers run them; both give the same
 * bits. */
#ifndef GRAZE_SPHERES_GAS_STAGES_H
#define GRAZE_SPHERES_GAS_STAGES_H

#include "geometry/device.h"
#include "graze/graze.h"

#include <math.h>
#include <stdint.h>

/* The contribution of one sphere to a step of batch neural gas, as inline functions without libm, for the processor and
 * for GPUs.
 *
 * Prototype i moves to the mean of the node's spheres, with sphere j weighted by h(k_ij) and its volume. k_ij is the
 * number of prototypes nearer to j than i, and h decreases with it, more steeply in later steps. If two prototypes are
 * equally near, the first counts as nearer, so ranks are a permutation. Volumes are in units of that of the node's
 * largest sphere: the factor cancels in the mean, and nothing underflows.
 *
 * Cottrell, Hammer, Hasenfuss, Villmann, "Batch and median neural gas", 2006; Hammer, Hasenfuss, Villmann,
 * "Magnification control for batch neural gas", 2006 (the weights). */

enum {
  GAS_PROTOTYPES = 4,
  GAS_BLOCK = 512 /* items of a level that are summed together: see sphere_prototypes.c */
};

typedef double sphere_prototypes[GAS_PROTOTYPES][3];

/* The contribution of spheres to one prototype of their node, and to all of its prototypes. */
typedef struct gas_part {
  double weight, place[3];
} gas_part;

typedef struct gas_sum {
  gas_part parts[GAS_PROTOTYPES];
} gas_sum;

/* A node of the level: the range of its items. */
typedef struct gas_node {
  uint32_t first, count;
  double inverse; /* 1 / its largest radius; 0 if that is 0 */
} gas_node;

GEOMETRY_FUNCTION double prototype_square(const double place[3], const double ball[4]) {
  const double x = ball[0] - place[0], y = ball[1] - place[1], z = ball[2] - place[2];
  return (x * x + y * y) + z * z;
}

/* The weight of a radius in units of the largest: its third power represents the volume. */
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

GEOMETRY_FUNCTION void gas_part_add(gas_part *part, double weight, const double place[3]) {
  part->weight += weight;
  for (int axis = 0; axis < 3; axis++) part->place[axis] += weight * place[axis];
}

GEOMETRY_FUNCTION void gas_part_join(gas_part *part, const gas_part *more) {
  part->weight += more->weight;
  for (int axis = 0; axis < 3; axis++) part->place[axis] += more->place[axis];
}

/* Sums a node's runs in order; the run of its block b is runs_of_node[b]. */
GEOMETRY_FUNCTION void gas_join_runs(const gas_node *node, const gas_sum *runs_of_node, uint32_t which,
                                     gas_part *part_out) {
  const uint32_t first = node->first / GAS_BLOCK, last = (node->first + node->count - 1) / GAS_BLOCK;
  gas_part part = runs_of_node[first].parts[which];
  for (uint32_t block = first + 1; block <= last; block++) gas_part_join(&part, &runs_of_node[block].parts[which]);
  *part_out = part;
}

/* A prototype without any weight does not move. */
GEOMETRY_FUNCTION void gas_part_move(const gas_part *part, double place[3]) {
  for (int axis = 0; axis < 3 && part->weight > 0.0; axis++) place[axis] = part->place[axis] / part->weight;
}

/* The weights of a sphere for its node's prototypes; `share` is h by rank. */
GEOMETRY_FUNCTION void gas_weights(const gas_node *node, uint32_t magnification, const sphere_prototypes prototypes,
                                   const double ball[4], const double share[GAS_PROTOTYPES],
                                   double weights_out[GAS_PROTOTYPES]) {
  double squares[GAS_PROTOTYPES];
  int ranks[GAS_PROTOTYPES];
  const double volume = gas_weight(ball[3] * node->inverse, node->inverse > 0.0 ? magnification : 0);
  for (int i = 0; i < GAS_PROTOTYPES; i++) squares[i] = prototype_square(prototypes[i], ball);
  gas_ranks(squares, ranks);
  for (int i = 0; i < GAS_PROTOTYPES; i++) weights_out[i] = share[ranks[i]] * volume;
}

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
