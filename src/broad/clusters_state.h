/* The state of the method "clusters" between frames: the centers of its clusters, which each update moves. */
#ifndef GRAZE_BROAD_CLUSTERS_STATE_H
#define GRAZE_BROAD_CLUSTERS_STATE_H

#include "broad/clusters_count.h"
#include "broad/clusters_learning.h"

typedef struct clusters_state {
  uint32_t wanted; /* number of clusters; 0: adapts */
  graze_axis axis;
  graze_metric distance;
  fuzzy_rule rule;
  uint32_t patience, wait; /* updates without a doubling: after the next halving, and from now on */
  cluster_learner learner;
} clusters_state;

graze_result clusters_create(memory *heap, const method_options *options, void **state_out);
graze_result clusters_update(void *state, const update_input *input);
/* The number of points that centers are learned from. */
uint32_t clusters_sample_size(size_t primitive_count, uint32_t cluster_count);

/* Learns `count` centers from the learner's points. The learner has memory for them. Without points there are no
 * centers. */
void clusters_learn(clusters_state *state, uint32_t count, workers *team);

/* The number of clusters for the next frame, given the current number and the cost of searches since the last
 * update. */
uint32_t clusters_adapt(clusters_state *state, const search_notes *notes, const cluster_costs *costs, uint32_t now);

void clusters_destroy(memory *heap, void *state);

#endif
