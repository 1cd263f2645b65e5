/* Candidates of a query with a clearance, in batches for the float filter: corners in, answers out. */
#ifndef GRAZE_NARROW_NEAR_BATCH_H
#define GRAZE_NARROW_NEAR_BATCH_H

#include "broad/method.h"
#include "narrow/near_kernels.h"

/* The units that the filter works in. */
typedef struct near_units {
  double factor; /* from given coordinates, a power of two; 0: there are none, and nothing is decided */
  near_limits limits;
} near_units;

near_units near_units_make(const primitive_view *view);

/* Of up to NEAR_CHUNK candidates, a near_answer each. Only triangles are decided. Those of one object that share a
 * corner are left to their own rule. */
void near_batch_decide(const near_kernels *kernels, const primitive_view *view, const near_units *units,
                       const candidate *candidates, size_t count, uint8_t answers_out[NEAR_CHUNK]);

#endif
