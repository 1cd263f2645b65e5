/* Batch neural gas: computes the centers of the first frame, to avoid a local optimum. Every point attracts every
 * center, with a strength that falls with the rank of the center by distance; the range shrinks from step to step.
 *
 * Cottrell, Hammer, Hasenfuss and Villmann, "Batch and median neural gas", 2006.
 *
 * Workload: once per scene, or when its clusters are rebuilt: a thousand points, two to sixteen steps. */
#ifndef GRAZE_BROAD_CLUSTERS_GAS_H
#define GRAZE_BROAD_CLUSTERS_GAS_H

#include "broad/clusters_metric.h"

/* The range of step t of `steps`: from half the number of centers down to 0.01. */
GEOMETRY_FUNCTION double gas_range(uint32_t center_count, uint32_t t, uint32_t steps) {
  const double begin = 0.5 * (double)center_count;
  return begin * pow(0.01 / begin, (double)(t + 1) / (double)steps);
}

/* Orders clusters by their measures, the lower number first at ties: Shell's sort with Knuth's gaps. */
GEOMETRY_FUNCTION void gas_rank(const float *measures, uint32_t count, uint16_t *ranked_out) {
  for (uint32_t i = 0; i < count; i++) ranked_out[i] = (uint16_t)i;
  uint32_t gap = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (uint32_t i = gap; i < count; i++) {
      const uint16_t moved = ranked_out[i];
      uint32_t at = i;
      for (; at >= gap; at -= gap) {
        const uint16_t other = ranked_out[at - gap];
        if (measures[other] < measures[moved] || (measures[other] == measures[moved] && other < moved)) break;
        ranked_out[at] = other;
      }
      ranked_out[at] = moved;
    }
  }
}

/* exp(-rank / range) of a point for all centers; `ranked` is scratch for as many. */
GEOMETRY_FUNCTION void gas_weights(const cluster_centers *centers, double range, const float point[3], uint16_t *ranked,
                                   float *weights_out) {
  for (uint32_t k = 0; k < centers->count; k++) weights_out[k] = cluster_measure_to(centers, k, point);
  gas_rank(weights_out, centers->count, ranked);
  for (uint32_t rank = 0; rank < centers->count; rank++) weights_out[ranked[rank]] = (float)exp(-(double)rank / range);
}

#endif
