/* The objects and object pairs of a batch. Filters and exclusions are applied here once per call, so that a backend
 * receives only the object pairs to test. */
#ifndef GRAZE_API_BATCH_PLAN_H
#define GRAZE_API_BATCH_PLAN_H

#include "backend/backend.h"
#include "graze/batch.h"

/* The parts of a call, and its pairs of parts; see batch_request. */
typedef struct batch_plan {
  const graze_scene *scene;
  memory *heap;
  uint32_t *part_of; /* two per object: the part that it is in pairs with others, and the resting part that a moving
                        object is in pairs with itself; UINT32_MAX: none */
  uint32_t *parts;   /* has capacity for two per object */
  double *padding;   /* one per part; NULL: none */
  size_t part_count, moving_count;
  configuration_pair *pairs;
  size_t pair_count, pair_capacity, column_count;
} batch_plan;

/* Numbers the moving objects. The plan must be released, whatever the result. */
graze_result batch_plan_begin(batch_plan *plan, const graze_object *moving, size_t count);
void batch_plan_release(batch_plan *plan);

/* Adds the object pairs and the padding of a batch. */
graze_result batch_plan_complete(batch_plan *plan, const graze_batch_def *batch, stop_check *stop_or_null);

/* The first object, from `object` on, that is tested against a moving part, but not with an earlier one; the scene's
 * object_count if there is none. */
size_t batch_plan_partner(const batch_plan *plan, size_t part, size_t object);

#endif
