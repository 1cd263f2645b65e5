/* Fuzzy c-means: the degree to which a point belongs to each cluster, and its resulting weight in the mean that becomes
 * the cluster's next center.
 *
 * Bezdek, "Pattern Recognition with Fuzzy Objective Function Algorithms", 1981; for collision detection Mainzer, "New
 * Geometric Algorithms and Data Structures for Collision Detection of Dynamically Deforming Objects", 2015, sections
 * 4.4 and 4.5. The weighted mean minimizes the dispersion only for the distance L2; for the others it is a good guess.
 *
 * Workload: a thousand points and tens of clusters, ten times per frame. For the processor and for GPUs. */
#ifndef GRAZE_BROAD_CLUSTERS_FUZZY_H
#define GRAZE_BROAD_CLUSTERS_FUZZY_H

#include "broad/clusters_metric.h"

/* Above this, a point belongs equally to all clusters in float precision. */
#define FUZZINESS_MOST 16.0

/* The parameters of membership. */
typedef struct fuzzy_rule {
  double fuzziness; /* p > 1 */
} fuzzy_rule;

/* x^(1 / (p - 1)) and x^p, without pow for the usual p = 2. */
GEOMETRY_FUNCTION double fuzzy_ratio_power(const fuzzy_rule *rule, double ratio) {
  return rule->fuzziness == 2.0 ? ratio : pow(ratio, 1.0 / (rule->fuzziness - 1.0));
}

GEOMETRY_FUNCTION double fuzzy_weight(const fuzzy_rule *rule, double membership) {
  return rule->fuzziness == 2.0 ? membership * membership : pow(membership, rule->fuzziness);
}

/* u_k = 1 / sum_j (d_k / d_j)^(2 / (p - 1)) of a point for all clusters, in `memberships_out`. A point on a center
 * belongs only to that one, the first if there are several. */
GEOMETRY_FUNCTION void fuzzy_memberships(const cluster_centers *centers, const fuzzy_rule *rule, const float point[3],
                                         float *memberships_out) {
  const bool squares = centers->distance == GRAZE_METRIC_L2;
  uint32_t nearest = 0;
  for (uint32_t k = 0; k < centers->count; k++) {
    memberships_out[k] = cluster_measure_to(centers, k, point);
    if (memberships_out[k] < memberships_out[nearest]) nearest = k;
  }
  const double least = memberships_out[nearest];
  const bool alone = least == 0.0;
  double sum = 0.0;
  for (uint32_t k = 0; k < centers->count; k++) {
    double part = k == nearest ? 1.0 : 0.0;
    if (!alone) {
      /* The ratio of the least squared distance to this one: at most 1, so nothing overflows. */
      const double ratio = least / memberships_out[k];
      part = fuzzy_ratio_power(rule, squares ? ratio : ratio * ratio);
    }
    memberships_out[k] = (float)part;
    sum += part;
  }
  for (uint32_t k = 0; k < centers->count; k++) memberships_out[k] = (float)(memberships_out[k] / sum);
}

#endif
