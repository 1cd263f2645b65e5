/* A body as plain data, for the processor and for GPUs: the place of its leaves and blocks, and its coordinates. */
#ifndef GRAZE_BROAD_TREE_RECORD_H
#define GRAZE_BROAD_TREE_RECORD_H

#include "broad/tree_layout.h"
#include "broad/tree_relation.h"

/* The remaining work of a device on a body's tree; each value includes the ones before it. */
enum { TREE_DONE, TREE_FIT, TREE_ORDER };

typedef struct tree_body {
  uint32_t object;
  uint32_t leaf_count; /* at least one */
  uint32_t first_leaf, first_block;
  body_space space;
  double built_area; /* tree_area at the time of its order */
  double area;       /* current */
  bool badly_spread; /* most leaves are too small for floats of the body's unit because of outliers; or spheres extend
                        beyond its coordinates */
  bool has_slabs;    /* its slabs match the current positions */
  bool elsewhere;    /* only a device has its tree: leaves, blocks and slabs of the host are of older positions */
  uint8_t task;      /* of a device; one of the above */
  bool prepared;     /* its tree was copied from a shape since the last update */
  uint32_t owner;    /* the body whose tree this one shares; its own number if it shares none */
  uint32_t blocks_before; /* on a device: blocks of all trees owned by bodies before this one */
} tree_body;

/* Two bodies whose boxes meet and whose pairs the query requests; the same body twice for pairs within it. */
typedef struct body_pair {
  uint32_t s, t;
} body_pair;

#endif
