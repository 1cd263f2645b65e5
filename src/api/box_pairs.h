/* Which boxes of a list meet: few of them compared one by one, many by a scene of its own.
 *
 * Workload: a box for each object of a scene, 2 to 10^5. */
#ifndef GRAZE_API_BOX_PAIRS_H
#define GRAZE_API_BOX_PAIRS_H

#include "base/array.h"
#include "base/index_pair.h"
#include "base/workers.h"
#include "geometry/exact_box.h"

/* Who asks: by whose memory and threads, and what may stop it; NULL: nothing. */
typedef struct box_pairs_host {
  memory *heap;
  const graze_allocator *allocator; /* of the scene that is made */
  workers *team;
  bool (*should_stop)(void *stop_context);
  void *stop_context;
} box_pairs_host;

/* Appends an index_pair, the lower number first, for every two closed boxes that meet. Boxes are finite and not empty;
 * there are at most UINT32_MAX / 2. Failures have their message, but for GRAZE_OUT_OF_MEMORY. */
graze_result box_pairs_find(const exact_box *boxes, size_t count, const box_pairs_host *host, array *pairs_out);

#endif
