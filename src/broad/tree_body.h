/* One tree: the order of its leaves, and its boxes.
 *
 * A body is an object's primitives, with its own tree in its own coordinates. Rigid motion costs no more than a new
 * pose. Its leaves are primitives, by their numbers within the object. */
#ifndef GRAZE_BROAD_TREE_BODY_H
#define GRAZE_BROAD_TREE_BODY_H

#include "broad/method.h"
#include "broad/tree_record.h"
#include "broad/tree_slab.h"

/* What the work on one body reads and writes. */
typedef struct body_work {
  const object_source *source;
  tree_body *body;
  uint32_t *leaves;      /* its own */
  tree_block *blocks;    /* its own */
  tree_slab *slabs;      /* its own, as many */
  workers *team_or_null; /* NULL: the calling thread alone does it */
  memory *scratch;
} body_work;

/* Measures where the body's positions lie, and its coordinates by that. */
void tree_measure(const body_work *work);

/* Makes all boxes for the order and the positions as they are, and measures them. */
void tree_refit(const body_work *work);

/* The boxes of primitives in a body's own coordinates, as doubles, and their centers as the orders see them. */
exact_box tree_leaf_box(const object_source *source, const body_space *space, uint32_t element);

#endif
