/* Parallel loops on the workers that the simulation shares with its graze scene. The division of a loop depends only on
 * its length, so results do not depend on the workers. */
#ifndef GRAZE_PARALLEL_RANGES_H
#define GRAZE_PARALLEL_RANGES_H

#include "graze/graze.h"

typedef void range_body(void *context, size_t first, size_t end);

/* Calls body for [0, grain), [grain, 2 grain), ... up to count, in no fixed order. */
void parallel_ranges(graze_workers *workers, size_t count, size_t grain, range_body *body, void *context);

#endif
