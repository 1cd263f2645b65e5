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

#endif
