/* The entries of a grid: a header and a box for each, and the boxes around ranges and their segments. */
#ifndef GRAZE_BROAD_GRID_ENTRIES_H
#define GRAZE_BROAD_GRID_ENTRIES_H

#include "broad/grid_data.h"
#include "broad/method.h"

/* Writes the entries of a grid that has its sides, ids and ranges, and memory for the boxes of its entries. False
 * when out of memory or stopped. */
bool grid_make_entries(grid *g, const search *s);

#endif
