/* Builds the grid of the broad phase. */
#ifndef GRAZE_BROAD_GRID_BUILD_H
#define GRAZE_BROAD_GRID_BUILD_H

#include "broad/grid_data.h"
#include "broad/method.h"

/* Writes the entries of a grid, a header and a box for each, and the boxes around ranges and their segments. The grid
 * has its sides, ids and ranges, and memory for the boxes of its entries. False
 * when out of memory or stopped. */
bool grid_make_entries(grid *g, const search *s);

/* Fills a zeroed grid from the view; false when out of memory, when stopped, or if there are too many entries for
 * 32-bit numbers. grid_release accepts both. */
bool grid_build(grid *g, const search *s);
void grid_release(grid *g, memory *heap);

#endif
