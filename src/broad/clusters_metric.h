/* The owner of a point of space, and the clusters that a box may reach, by distances to cluster centers.
 *
 * Space is divided among the centers: each point has one owner, the nearest center by distances as computed here, the
 * first of those at equal distance. A box reaches the regions of all owners of its points; `reach` lists them, and
 * possibly others (docs/theory/clusters.md has the proof, including rounding).
 *
 * Distances are compared as measures, which grow with them: the distance itself, or its square for L2.
 *
 * Workload: about ten million measures per query; no divisions, and one square root per box. For the processor and
 * for GPUs. */
#ifndef GRAZE_BROAD_CLUSTERS_METRIC_H
#define GRAZE_BROAD_CLUSTERS_METRIC_H

#include "broad/primitive_view.h"

#include <math.h>

typedef struct cluster_centers {
  const float *coordinates[3]; /* `count` each, finite */
  uint32_t count;
  graze_metric distance;
} cluster_centers;

/* Clusters by number: from `first` on, before `end`. Each is a separate unit of work: ranges that together contain
 * every number once report each candidate once, however they are distributed. */
typedef struct cluster_range {
  uint32_t first, end;
} cluster_range;

/* All clusters, and any higher number. */
#define CLUSTERS_END UINT32_MAX

/* A primitive is huge if its box is longer than this many times the mean: less than a sixteenth of all are. */
enum { HUGE_MEAN_SIDES = 16 };

GEOMETRY_FUNCTION bool range_has_cluster(cluster_range range, uint32_t cluster) {
  return cluster >= range.first && cluster < range.end;
}

GEOMETRY_FUNCTION bool range_has_all_clusters(cluster_range range) {
  return range.first == 0 && range.end == CLUSTERS_END;
}

GEOMETRY_FUNCTION float cluster_measure(graze_metric distance, float x, float y, float z) {
  if (distance == GRAZE_METRIC_L2) return x * x + y * y + z * z;
  x = fabsf(x);
  y = fabsf(y);
  z = fabsf(z);
  if (distance == GRAZE_METRIC_L1) return x + y + z;
  const float larger = x > y ? x : y;
  return larger > z ? larger : z;
}

GEOMETRY_FUNCTION float cluster_measure_to(const cluster_centers *centers, uint32_t cluster, const float point[3]) {
  return cluster_measure(centers->distance, point[0] - centers->coordinates[0][cluster],
                         point[1] - centers->coordinates[1][cluster], point[2] - centers->coordinates[2][cluster]);
}

GEOMETRY_FUNCTION float distance_of_measure(graze_metric distance, float measure) {
  return distance == GRAZE_METRIC_L2 ? sqrtf(measure) : measure;
}

/* The owner of a point, given a list of clusters that contains it, in ascending order. */
GEOMETRY_FUNCTION uint32_t cluster_owner_among(const cluster_centers *centers, const uint16_t *clusters, size_t count,
                                               const float point[3]) {
  uint32_t owner = clusters[0];
  float least = cluster_measure_to(centers, owner, point);
  for (size_t i = 1; i < count; i++) {
    const float measure = cluster_measure_to(centers, clusters[i], point);
    if (measure < least) {
      least = measure;
      owner = clusters[i];
    }
  }
  return owner;
}

/* The ball around a box in the metric of the centers, as computed. */
typedef struct cluster_ball {
  float center[3], radius;
} cluster_ball;

GEOMETRY_FUNCTION cluster_ball cluster_ball_of(graze_metric distance, const primitive_box *box) {
  cluster_ball ball;
  float reach[3];
  for (int axis = 0; axis < 3; axis++) {
    const float middle = 0.5f * box->min[axis] + 0.5f * box->max[axis];
    const float below = middle - box->min[axis], above = box->max[axis] - middle;
    ball.center[axis] = middle;
    reach[axis] = below > above ? below : above;
  }
  ball.radius = distance_of_measure(distance, cluster_measure(distance, reach[0], reach[1], reach[2]));
  return ball;
}

/* A center may own a point of the ball unless its measure to the ball's center is above this limit; `least` is the
 * least measure of any. If a owns x and b is nearest to the ball's center, d(a) <= d(a, x) + r <= d(b, x) + r
 * <= d(b) + 2 r. The factor covers all roundings of the measures, the second term their underflow. */
GEOMETRY_FUNCTION float cluster_reach_limit(graze_metric distance, float least, float radius) {
  const float limit = (distance_of_measure(distance, least) + 2.0f * radius) * (1.0f + 0x1p-18f) + 0x1p-60f;
  return distance == GRAZE_METRIC_L2 ? limit * limit : limit;
}

/* Writes the given clusters (NULL: all) that may own a point of the box, in order, to `reached`, which may be the
 * given list itself. The given list must contain all that may own one. `measures` is scratch for
 * `count`. */
GEOMETRY_FUNCTION uint32_t clusters_reached(const cluster_centers *centers, const uint16_t *clusters, uint32_t count,
                                            const primitive_box *box, float *measures, uint16_t *reached) {
  const cluster_ball ball = cluster_ball_of(centers->distance, box);
  float least = HUGE_VALF;
  for (uint32_t i = 0; i < count; i++)
    measures[i] = cluster_measure_to(centers, clusters != NULL ? clusters[i] : i, ball.center);
  for (uint32_t i = 0; i < count; i++) least = measures[i] < least ? measures[i] : least;
  const float limit = cluster_reach_limit(centers->distance, least, ball.radius);
  uint32_t reached_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    reached[reached_count] = (uint16_t)(clusters != NULL ? clusters[i] : i);
    reached_count += !(measures[i] > limit); /* NaN counts as reached */
  }
  return reached_count;
}

/* The lower corner of the intersection of two boxes that meet: a point of both. */
GEOMETRY_FUNCTION void common_corner(const primitive_box *a, const primitive_box *b, float corner_out[3]) {
  for (int axis = 0; axis < 3; axis++) corner_out[axis] = a->min[axis] > b->min[axis] ? a->min[axis] : b->min[axis];
}

/* Fuzzy c-means: the degree to which a point belongs to each cluster, and its resulting weight in the mean that becomes
 * the cluster's next center.
 *
 * Bezdek, "Pattern Recognition with Fuzzy Objective Function Algorithms", 1981; for collision detection Mainzer, "New
 * Geometric Algorithms and Data Structures for Collision Detection of Dynamically Deforming Objects", 2015, sections
 * 4.4 and 4.5. The weighted mean minimizes the dispersion only for the distance L2; for the others it is a good guess.
 *
 * Workload: a thousand points and tens of clusters, ten times per frame. For the processor and for GPUs. */

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
