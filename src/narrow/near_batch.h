/* Batches of candidates for the float filter of queries with a clearance: corners in, answers out. */
#ifndef GRAZE_NARROW_NEAR_BATCH_H
#define GRAZE_NARROW_NEAR_BATCH_H

#include "broad/method.h"
#include "narrow/near_kernels.h"

/* The units that the filter works in. */
typedef struct near_units {
  double factor; /* from given coordinates, a power of two; 0: no usable unit, and nothing is decided */
  near_limits limits;
} near_units;

near_units near_units_make(const primitive_view *view);

/* Writes a near_answer for each of up to NEAR_CHUNK candidates. Decides only triangles; those of one object that share
 * a corner are left to the rule for neighbors. */
void near_batch_decide(const near_kernels *kernels, const primitive_view *view, const near_units *units,
                       const candidate *candidates, size_t count, uint8_t answers_out[NEAR_CHUNK]);

#endif
