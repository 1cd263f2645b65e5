/* One tree: the order of its leaves, and its boxes.
 *
 * A body is an object's primitives, with its own tree in its own coordinates. Rigid motion costs no more than a new
 * pose. Its leaves are primitives, by their numbers within the object. */
#ifndef GRAZE_BROAD_TREE_BODY_H
#define GRAZE_BROAD_TREE_BODY_H

#include "broad/method.h"
#include "broad/tree_layout.h"
#include "broad/tree_record.h"

/* Input and output of the work on one body. */
typedef struct body_work {
  const object_source *source;
  tree_body *body;
  uint32_t *leaves;      /* its own */
  tree_block *blocks;    /* its own */
  tree_slab *slabs;      /* its own, one per block */
  workers *team_or_null; /* NULL: only the calling thread works */
  memory *scratch;
} body_work;

/* Measures the bounds of the body's positions, and derives its coordinates from them. */
void tree_measure(const body_work *work);

/* Computes all boxes for the current order and positions, and measures them. */
void tree_refit(const body_work *work);

/* The box of a primitive in the body's own coordinates. */
exact_box tree_leaf_box(const object_source *source, const body_space *space, uint32_t element);

/* Fits all slabs for the current order and positions. */
void tree_fit_slabs(const body_work *work);

/* Writes the leaves in the order of a Morton curve through the centers of their boxes; the body must have been
 * measured. False when out of memory. */
bool tree_order_by_morton(const body_work *work);

/* Writes them so that boxes become small: from the top down, each range of leaves is split along its longest extent.
 * False when out of memory. */
bool tree_order_by_splits(const body_work *work);

#endif
