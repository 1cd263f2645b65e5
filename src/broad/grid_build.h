/* Building the grid of the broad phase. */
#ifndef GRAZE_BROAD_GRID_BUILD_H
#define GRAZE_BROAD_GRID_BUILD_H

#include "broad/grid_data.h"
#include "broad/method.h"

/* Fills a zeroed grid from the view; false when out of memory, when stopped, or where there would be
 * more entries than 32 bits number. grid_release takes either. */
bool grid_build(grid *g, const search *s);
void grid_release(grid *g, memory *heap);

#endif
