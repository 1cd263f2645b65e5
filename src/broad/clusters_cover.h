/* Assigns primitives to clusters, for one search.
 *
 * The assignment is complete for all sizes: a primitive is a member of every cluster that owns a point of its box, so
 * two primitives whose boxes intersect are both members of the owner of any shared point (docs/theory/clusters.md).
 * Huge primitives are excluded and passed to clusters separately: they would be members everywhere, with their full
 * extent.
 *
 * Workload: all searched primitives, a tenth of them members of several clusters. */
#ifndef GRAZE_BROAD_CLUSTERS_COVER_H
#define GRAZE_BROAD_CLUSTERS_COVER_H

#include "broad/clusters_learning.h"
#include "broad/method.h"

typedef struct cluster_cover {
  cluster_centers centers;
  uint32_t *first; /* one per primitive and the end: the place of its first cluster, ascending; huge ones have none */
  uint16_t *clusters;     /* of all primitives */
  uint32_t *members;      /* primitives, cluster by cluster, ascending in each */
  uint32_t *member_first; /* one per cluster and the end */
  uint32_t *huge;         /* primitives, ascending */
  uint32_t member_count, huge_count;
  size_t primitive_count;
} cluster_cover;

/* Reads view, memory, workers and stop of the search. If clusters do not pay, because there would be more than
 * COVER_MOST members per primitive, the cover is one cluster with everything in it. False when out of memory or
 * stopped; cover_release accepts both. */
enum { COVER_MOST = 8 };
bool cover_make(cluster_cover *cover_out, const search *s, const cluster_centers *centers);
void cover_release(cluster_cover *cover, memory *heap);

static inline uint32_t clusters_of_primitive(const cluster_cover *cover, uint32_t primitive) {
  return cover->first[primitive + 1] - cover->first[primitive];
}

/* The data point of a primitive: the mean of its corners. */
static inline void primitive_point(const primitive_view *view, uint32_t primitive, float point_out[3]) {
  const object_source *source = &view->sources[view->headers[primitive].object];
  const corner_list corners = corners_of(source, primitive);
  const rounded_vertex *vertices = view->rounded_vertices + source->first_vertex;
  double sum[3] = {0, 0, 0};
  for (uint32_t i = 0; i < corners.count; i++) {
    sum[0] += vertices[corners.vertices[i]].x;
    sum[1] += vertices[corners.vertices[i]].y;
    sum[2] += vertices[corners.vertices[i]].z;
  }
  for (int axis = 0; axis < 3; axis++) point_out[axis] = (float)(sum[axis] / corners.count);
}

#endif
