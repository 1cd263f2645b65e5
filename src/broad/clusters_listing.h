/* Clusters as nodes of a structure; see graze/inspect.h. */
#ifndef GRAZE_BROAD_CLUSTERS_LISTING_H
#define GRAZE_BROAD_CLUSTERS_LISTING_H

#include "broad/clusters_cover.h"

/* Lists the clusters that have members, level 0, and then the group of huge primitives, level 1. False when out of
 * memory or stopped. */
bool clusters_list(const cluster_cover *cover, const search *s, structure_list *list);

#endif
