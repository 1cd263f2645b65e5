/* Builds the table of occupied cells (tree_occupancy.h) for a batch of configurations. */
#ifndef GRAZE_BROAD_TREE_OCCUPANCY_TABLE_H
#define GRAZE_BROAD_TREE_OCCUPANCY_TABLE_H

#include "broad/tree_forest.h"
#include "broad/tree_occupancy.h"

/* The moving and the resting parts. */
typedef struct occupancy_request {
  const tree_forest *forest;
  const uint32_t *bodies; /* one per part, moving ones first; NO_BODY: it has no primitives */
  size_t part_count, moving_count;
  const rigid_pose *poses; /* configuration by configuration; NULL: they are not on the host */
  size_t configuration_count;
} occupancy_request;

/* Whether a table saves more than it costs; `domain_out` is the region of resting parts that moving ones reach,
 * estimated from some of the configurations. */
bool occupancy_pays(const occupancy_request *request, exact_box *domain_out);

/* The cells of the resting parts, from the host's trees. False when out of memory. Must be released in either case. */
bool occupancy_make(occupancy *made, memory *heap, const occupancy_request *request, const exact_box *domain,
                    workers *team);
void occupancy_release(occupancy *made, memory *heap);

#endif
