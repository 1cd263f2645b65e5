/* Makes the table of occupied cells (tree_occupancy.h) for a batch of configurations. */
#ifndef GRAZE_BROAD_TREE_OCCUPANCY_TABLE_H
#define GRAZE_BROAD_TREE_OCCUPANCY_TABLE_H

#include "broad/tree_forest.h"
#include "broad/tree_occupancy.h"

/* Parts that move, and parts that stay. */
typedef struct occupancy_request {
  const tree_forest *forest;
  const uint32_t *bodies; /* a part each, those that move first; NO_BODY: it has no primitives */
  size_t part_count, moving_count;
  const rigid_pose *poses; /* those of a configuration after those of another; NULL: they are not the host's */
  size_t configuration_count;
} occupancy_request;

/* Whether a table saves more than it costs; `domain_out` is where still parts are and others come, as far as some of
 * the configurations tell. */
bool occupancy_pays(const occupancy_request *request, exact_box *domain_out);

/* The cells of the still parts, by trees that the host has. False when out of memory. Release it, whatever the result.
 */
bool occupancy_make(occupancy *made, memory *heap, const occupancy_request *request, const exact_box *domain,
                    workers *team);
void occupancy_release(occupancy *made, memory *heap);

#endif
