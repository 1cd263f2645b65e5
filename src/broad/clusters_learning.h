/* Learns the centers of clusters from points: each step weighs every point for every cluster, and the weighted means
 * become the new centers.
 *
 * Points are processed in blocks whose sums are added in order, so the centers are the same, bit for bit, for any
 * number of workers.
 *
 * Workload: a thousand points or 32 per cluster, tens of clusters, up to ten steps per frame: a millisecond. */
#ifndef GRAZE_BROAD_CLUSTERS_LEARNING_H
#define GRAZE_BROAD_CLUSTERS_LEARNING_H

#include "base/workers.h"
#include "broad/clusters_metric.h"

/* Cluster numbers, and counts of a primitive's clusters, have 16 bits; and each primitive at a border is compared
 * with all clusters. */
enum { CLUSTERS_MOST = 1024 };

enum {
  LEARNING_ITERATIONS = 10, /* of fuzzy c-means per frame */
  LEARNING_BLOCK = 256      /* points summed by one task */
};
#define LEARNING_CHANGE_LEAST 1e-3f /* of a membership; below it the centers stay */

typedef struct cluster_sums {
  double weight, position[3];
} cluster_sums;

/* Memory for learning, kept between frames. */
typedef struct cluster_learner {
  memory *heap;
  float *points[3], *centers[3]; /* one block of memory each, with the capacities below */
  uint32_t point_count, center_count;
  uint32_t point_capacity, center_capacity;
  float *memberships;   /* of each point, for each cluster */
  cluster_sums *sums;   /* of each block of points, for each cluster */
  float *block_weights; /* likewise; scratch of a point */
  uint16_t *block_ranks;
  float *block_change;
} cluster_learner;

/* Reserves memory for this many points and centers, at most CLUSTERS_MOST of them; existing ones are kept. False
 * when out of memory: nothing has changed. */
bool learner_reserve(cluster_learner *learner, uint32_t point_count, uint32_t center_count);
void learner_release(cluster_learner *learner);

static inline cluster_centers learner_centers(const cluster_learner *learner, graze_metric distance) {
  return (cluster_centers){
      {learner->centers[0], learner->centers[1], learner->centers[2]}, learner->center_count, distance};
}

/* Computes `count` new centers from the points, at least one, by batch neural gas. */
void learner_restart(cluster_learner *learner, uint32_t count, graze_metric distance, workers *team);

/* Moves the centers by fuzzy c-means until no membership changes much. Returns the number of steps. */
uint32_t learner_refine(cluster_learner *learner, const fuzzy_rule *rule, graze_metric distance, workers *team);

/* Drops centers that equal another; at least one stays. */
void learner_drop_equal_centers(cluster_learner *learner);

/* Splits each center that has several points in two, along the axis of largest spread of its points, up to a total
 * of `most`; memory for them is reserved. */
void learner_split_centers(cluster_learner *learner, uint32_t most, graze_metric distance);

/* Drops the centers with the fewest points, down to `count`. */
void learner_drop_centers(cluster_learner *learner, uint32_t count, graze_metric distance);

#endif
