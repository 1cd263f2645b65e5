/* Finds the boxes of a list that meet: few are compared directly, many with a temporary scene.
 *
 * Workload: a box for each object of a scene, 2 to 10^5. */
#ifndef GRAZE_API_BOX_PAIRS_H
#define GRAZE_API_BOX_PAIRS_H

#include "base/array.h"
#include "base/index_pair.h"
#include "base/workers.h"
#include "geometry/exact_box.h"

/* The caller's memory and threads, and a stop check that may be NULL. */
typedef struct box_pairs_host {
  memory *heap;
  const graze_allocator *allocator; /* of the temporary scene */
  workers *team;
  bool (*should_stop)(void *stop_context);
  void *stop_context;
} box_pairs_host;

/* Appends an index_pair, the lower number first, for each pair of closed boxes that meet. Boxes are finite and not
 * empty, at most UINT32_MAX / 2. Failures other than GRAZE_OUT_OF_MEMORY set a message. */
graze_result box_pairs_find(const exact_box *boxes, size_t count, const box_pairs_host *host, array *pairs_out);

#endif
