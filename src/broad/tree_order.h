/* The order of a tree's leaves. */
#ifndef GRAZE_BROAD_TREE_ORDER_H
#define GRAZE_BROAD_TREE_ORDER_H

#include "broad/tree_body.h"

/* Writes the leaves in the order of a Morton curve through the centers of their boxes; the body must have been
 * measured. False when out of memory. */
bool tree_order_by_morton(const body_work *work);

/* Writes them so that boxes become small: from the top down, each range of leaves is split along its longest extent.
 * False when out of memory. */
bool tree_order_by_splits(const body_work *work);

#endif
