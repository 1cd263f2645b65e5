/* A body as plain data, for the processor and for GPUs: where its leaves and blocks lie, and its coordinates. */
#ifndef GRAZE_BROAD_TREE_RECORD_H
#define GRAZE_BROAD_TREE_RECORD_H

#include "broad/tree_layout.h"
#include "broad/tree_relation.h"

/* What a device has still to do about a body's tree; each includes what comes before it. */
enum { TREE_DONE, TREE_FIT, TREE_ORDER };

typedef struct tree_body {
  uint32_t object;
  uint32_t leaf_count; /* at least one */
  uint32_t first_leaf, first_block;
  body_space space;
  double built_area;      /* tree_area when its order was made */
  double area;            /* now */
  bool badly_spread;      /* most leaves are too small for floats of the body's unit: it has outliers; or spheres reach
                             farther than its coordinates */
  bool has_slabs;         /* its slabs are of the positions as they are */
  bool elsewhere;         /* a device alone has its tree: leaves, blocks and slabs of the host are of older positions */
  uint8_t task;           /* of a device; one of the above */
  bool prepared;          /* its tree was copied from a shape since the last update */
  uint32_t owner;         /* the body whose tree this one shares; its own number: its own */
  uint32_t blocks_before; /* of a device: blocks of all trees that bodies before this one own */
} tree_body;

/* Two bodies whose boxes meet and whose pairs the query asks for; the same body twice where it asks for those within.
 */
typedef struct body_pair {
  uint32_t s, t;
} body_pair;

#endif
