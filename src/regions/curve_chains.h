/* Curves: polylines of parts that meet in a named point. */
#ifndef GRAZE_REGIONS_CURVE_CHAINS_H
#define GRAZE_REGIONS_CURVE_CHAINS_H

#include "regions/curve_parts.h"

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

#endif
