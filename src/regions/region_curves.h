/* Curves: polylines of parts that meet in a named point. */
#ifndef GRAZE_REGIONS_REGION_CURVES_H
#define GRAZE_REGIONS_REGION_CURVES_H

#include "graze/regions.h"
#include "regions/region_groups.h"

/* The smallest face of an object that contains a point: a vertex or an edge by its places, or an interior by the
 * scene's number of its primitive and the number of one of its triangles. */
typedef struct face_name {
  uint32_t kind; /* graze_face_kind */
  uint32_t first, second;
} face_name;

/* A point, by its faces on side a and on side b; within an object the lesser face comes first. */
typedef struct curve_node {
  face_name a, b;
} curve_node;

typedef struct curve_chain {
  uint32_t kind; /* graze_curve_kind */
  uint32_t closed;
  uint32_t pair;       /* one of its pairs */
  size_t first, count; /* of curve_set.members */
} curve_chain;

typedef struct curve_set {
  array nodes;   /* curve_node */
  array chains;  /* curve_chain: lines, then boundaries */
  array members; /* uint32_t, numbers of nodes */
} curve_set;

/* The curves of all pairs; each is within one region. False when out of memory; release it in either case. */
bool curve_set_make(const region_scene *scene, const region_vertices *vertices, const index_pair *pairs, size_t count,
                    curve_set *curves);
void curve_set_release(curve_set *curves, memory *heap);

/* The coordinates of a point. */
void curve_node_locate(const region_scene *scene, const region_vertices *vertices, const curve_node *node,
                       double position_out[3]);

#endif
