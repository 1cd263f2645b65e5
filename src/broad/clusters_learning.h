/* Learns the centers of clusters from points: each step weighs every point for every cluster, and the weighted means
 * become the new centers.
 *
 * Points are processed in blocks whose sums are added in order, so the centers are the same to the bit for any number
 * of workers.
 *
 * Workload: a thousand points or 32 per cluster, tens of clusters, up to ten steps per frame: a millisecond. */
#ifndef GRAZE_BROAD_CLUSTERS_LEARNING_H
#define GRAZE_BROAD_CLUSTERS_LEARNING_H

#include "base/workers.h"
#include "broad/clusters_fuzzy.h"

/* Two numbers of 16 bits name a cluster and count those of a primitive; and each primitive of a border is compared with
 * all of them. */
enum { CLUSTERS_MOST = 1024 };

enum {
  LEARNING_ITERATIONS = 10, /* of fuzzy c-means a frame */
  LEARNING_BLOCK = 256      /* points whose sums one task makes */
};
#define LEARNING_CHANGE_LEAST 1e-3f /* of a membership; below it the centers stay */

typedef struct cluster_sums {
  double weight, position[3];
} cluster_sums;

/* Memory for learning, kept from frame to frame. */
typedef struct cluster_learner {
  memory *heap;
  float *points[3], *centers[3]; /* of one block of memory each, with the capacities below */
  uint32_t point_count, center_count;
  uint32_t point_capacity, center_capacity;
  float *memberships;   /* of each point, for each cluster */
  cluster_sums *sums;   /* of each block of points, for each cluster */
  float *block_weights; /* likewise; scratch of a point */
  uint16_t *block_ranks;
  float *block_change;
} cluster_learner;

/* Room for so many points and centers, of which CLUSTERS_MOST at most; what is there stays. False when out of memory:
 * then nothing has changed. */
bool learner_reserve(cluster_learner *learner, uint32_t point_count, uint32_t center_count);
void learner_release(cluster_learner *learner);

static inline cluster_centers learner_centers(const cluster_learner *learner, graze_metric distance) {
  return (cluster_centers){
      {learner->centers[0], learner->centers[1], learner->centers[2]}, learner->center_count, distance};
}

/* Makes `count` centers anew from the points, of which there is at least one, by batch neural gas. */
void learn_afresh(cluster_learner *learner, uint32_t count, graze_metric distance, workers *team);

/* Moves the centers by fuzzy c-means until no membership changes much. Returns the number of steps. */
uint32_t learn_on(cluster_learner *learner, const fuzzy_rule *rule, graze_metric distance, workers *team);

/* Drops centers that equal another; at least one stays. */
void learner_drop_equal_centers(cluster_learner *learner);

/* Makes two of each center that has several points, along the axis on which its points are spread most, but no more
 * than `most` in all; room for them is reserved. */
void learner_split_centers(cluster_learner *learner, uint32_t most, graze_metric distance);

/* Drops the centers with the fewest points, down to `count`. */
void learner_drop_centers(cluster_learner *learner, uint32_t count, graze_metric distance);

#endif
