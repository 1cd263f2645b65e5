/* Builds the grid of the broad phase. */
#ifndef GRAZE_BROAD_GRID_BUILD_H
#define GRAZE_BROAD_GRID_BUILD_H

#include "broad/grid_data.h"
#include "broad/method.h"

/* Fills a zeroed grid from the view; false when out of memory, when stopped, or if there are too many entries for
 * 32-bit numbers. grid_release accepts both. */
bool grid_build(grid *g, const search *s);
void grid_release(grid *g, memory *heap);

#endif
