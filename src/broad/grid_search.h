/* Searches the grid of the broad phase. */
#ifndef GRAZE_BROAD_GRID_SEARCH_H
#define GRAZE_BROAD_GRID_SEARCH_H

#include "broad/grid_data.h"
#include "broad/method.h"

/* Passes all candidates to the sink; false when out of memory or stopped. */
bool grid_search(const grid *g, search *s);

#endif
