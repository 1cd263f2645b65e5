/* The cells of a grid as nodes of a structure; see graze/inspect.h. */
#ifndef GRAZE_BROAD_GRID_LISTING_H
#define GRAZE_BROAD_GRID_LISTING_H

#include "broad/grid_data.h"
#include "broad/method.h"

/* Lists the occupied cells of a built grid, from the highest level down. False when out of memory or stopped. */
bool grid_list(const grid *g, const search *s, structure_list *list);

#endif
