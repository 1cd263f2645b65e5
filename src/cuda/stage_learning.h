/* The stages that move centers of clusters with their points, by fuzzy c-means (clusters_fuzzy.h). Each point computes
 * the sum that normalizes its memberships. Then the center of each cluster becomes the mean of all points, weighted by
 * their memberships, and its axis the direction of largest spread of its own points.
 *
 * A cluster reads no other center, so all may move concurrently. The axis is computed from the points that were nearest
 * before the move. All centers and axes give the same pairs.
 *
 * Workload: once per update; a thousand points or 32 per cluster, tens to hundreds of clusters. */
#ifndef GRAZE_CUDA_STAGE_LEARNING_H
#define GRAZE_CUDA_STAGE_LEARNING_H

#include "broad/clusters_fuzzy.h"
#include "cuda/cluster_view.h"

/* Points of erased primitives are at infinity. */
GEOMETRY_FUNCTION bool learning_point_is_present(const float point[3]) {
  return point[0] <= FLT_MAX;
}

/* A point's membership of a cluster before normalization; 1 for the nearest. */
GEOMETRY_FUNCTION double membership_part(const learning_view *v, float least, float measure) {
  const double ratio = (double)least / (double)measure;
  return fuzzy_ratio_power(&v->rule, v->centers.distance == GRAZE_METRIC_L2 ? ratio : ratio * ratio);
}

GEOMETRY_FUNCTION void stage_cluster_weigh(uint32_t index, const learning_view *v) {
  const float *point = v->points[index];
  point_pull pull = {0.0f, 0.0f, CLUSTERS_END};
  if (learning_point_is_present(point)) {
    pull.nearest = 0;
    pull.least = cluster_measure_to(&v->centers, 0, point);
    for (uint32_t k = 1; k < v->centers.count; k++) {
      const float measure = cluster_measure_to(&v->centers, k, point);
      if (!(measure < pull.least)) continue;
      pull.least = measure;
      pull.nearest = k;
    }
    double sum = 0.0;
    for (uint32_t k = 0; k < v->centers.count && pull.least > 0.0f; k++)
      sum += membership_part(v, pull.least, cluster_measure_to(&v->centers, k, point));
    pull.sum = (float)sum;
  }
  v->pulls[index] = pull;
}

/* The sums for a cluster: weighted points for its center, its own points for its axis. */
typedef struct cluster_material {
  double weight, position[3];
  point_spread spread;
} cluster_material;

GEOMETRY_FUNCTION cluster_material cluster_material_begin(const learning_view *v, uint32_t cluster) {
  const float center[3] = {v->centers.coordinates[0][cluster], v->centers.coordinates[1][cluster],
                           v->centers.coordinates[2][cluster]};
  cluster_material material = {0.0, {0.0, 0.0, 0.0}, point_spread_begin(center)};
  return material;
}

GEOMETRY_FUNCTION void cluster_material_add(const learning_view *v, uint32_t cluster, uint32_t index,
                                            cluster_material *material) {
  const point_pull pull = v->pulls[index];
  const float *point = v->points[index];
  if (pull.nearest == CLUSTERS_END) return;
  const bool own = pull.nearest == cluster;
  double membership = own ? 1.0 : 0.0; /* a point on a center belongs to that cluster only */
  if (pull.least > 0.0f)
    membership = membership_part(v, pull.least, cluster_measure_to(&v->centers, cluster, point)) / (double)pull.sum;
  const double weight = fuzzy_weight(&v->rule, membership);
  material->weight += weight;
  for (int axis = 0; axis < 3; axis++) material->position[axis] += weight * (double)point[axis];
  if (own) point_spread_add(&material->spread, point);
}

/* A cluster without members keeps its center, and one that is nearest to no point keeps its axis. */
GEOMETRY_FUNCTION void cluster_take_material(const learning_view *v, uint32_t cluster,
                                             const cluster_material *material) {
  for (int axis = 0; axis < 3 && material->weight > 0.0; axis++)
    v->moving[axis][cluster] = (float)(material->position[axis] / material->weight);
  if (v->moves_axes != 0 && material->spread.count > 0.0) v->moving_axes[cluster] = principal_axis(&material->spread);
}

/* A device uses a block of threads per cluster: cuda_learning.cu. */
GEOMETRY_FUNCTION void stage_cluster_move(uint32_t cluster, const learning_view *v) {
  cluster_material material = cluster_material_begin(v, cluster);
  for (uint32_t i = 0; i < v->point_count; i++) cluster_material_add(v, cluster, i, &material);
  cluster_take_material(v, cluster, &material);
}

#endif
