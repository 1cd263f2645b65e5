/* Points of regions; see region_points.h.
 *
 * Paper: Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985 (each next point is the farthest:
 * all pairs are then within twice the least possible distance of a chosen one).
 *
 * Workload: a contact a pair, a microsecond each; the rest is a few passes over the pairs of each region. */
#include "regions/region_points.h"

#include <string.h>

typedef struct measuring {
  const region_scene *scene;
  const index_pair *pairs;
  graze_region_point *points;
} measuring;

static void measure_range(void *context, size_t first, size_t end, uint32_t worker) {
  const measuring *work = context;
  (void)worker;
  for (size_t i = first; i < end && !stop_is_requested(work->scene->stop); i++) {
    graze_contact contact = {0};
    double points[MEASURE_POINTS][3];
    pair_measure(&work->scene->measured, work->pairs[i], &contact, points, MEASURE_POINTS);
    graze_region_point *point = &work->points[i];
    memcpy(point->position, contact.centroid, sizeof point->position);
    memcpy(point->normal, contact.normal, sizeof point->normal);
    point->depth = contact.depth;
    point->pair = i;
  }
}

void region_points_measure(const region_scene *scene, const index_pair *pairs, size_t count,
                           graze_region_point *points_out) {
  measuring work = {scene, pairs, points_out};
  workers_for(scene->team, count, REGION_GRAIN / 4, measure_range, &work);
}

static double squared_distance(const double *p, const double *q) {
  const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return (x * x + y * y) + z * z;
}

static double distance_to_chosen(const graze_region_point *point, const graze_region_point *chosen, uint32_t count) {
  double least = squared_distance(point->position, chosen[0].position);
  for (uint32_t i = 1; i < count; i++) {
    const double distance = squared_distance(point->position, chosen[i].position);
    if (distance < least) least = distance;
  }
  return least;
}

uint32_t region_points_choose(const graze_region_point *points, size_t first, size_t count,
                              graze_region_point chosen_out[GRAZE_REGION_POINTS]) {
  size_t best = first;
  for (size_t i = first + 1; i < first + count; i++)
    if (points[i].depth > points[best].depth) best = i;
  chosen_out[0] = points[best];
  uint32_t chosen = 1;
  for (; chosen < GRAZE_REGION_POINTS; chosen++) {
    double farthest = 0.0;
    for (size_t i = first; i < first + count; i++) {
      const double distance = distance_to_chosen(&points[i], chosen_out, chosen);
      if (!(distance > farthest)) continue;
      farthest = distance;
      best = i;
    }
    if (farthest == 0.0) break;
    chosen_out[chosen] = points[best];
  }
  return chosen;
}
