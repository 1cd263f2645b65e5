/* Least distances by brute force: every piece of one object with every piece of another. */
#ifndef GRAZE_TESTS_NEAREST_ORACLE_H
#define GRAZE_TESTS_NEAREST_ORACLE_H

#include "broad/primitive_view.h"

#include "../geometry/reach_reference.h"

typedef struct oracle_nearest {
  double distance;
  uint32_t a, b; /* own primitives: the lowest (distance, a, b) */
} oracle_nearest;

oracle_nearest oracle_find_nearest(const object_source *a, const object_source *b);

/* Whether the least distance in rational arithmetic lies in [lower, upper]. Slow: for some dozen pieces. */
bool oracle_interval_holds(const object_source *a, const object_source *b, double lower, double upper,
                           reach_reference *reference);

#endif
