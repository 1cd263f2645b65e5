/* The method "clusters" for a range of its clusters: the share of one of several threads, devices or machines.
 *
 * A range reads the view and the centers, which must be the same for all ranges, bit for bit: they determine the
 * owner of each point. It produces candidates; no two disjoint ranges produce the same one. Ranges do not wait for each
 * other; lists of pairs, and their hashes, are combined by addition. */
#ifndef GRAZE_BROAD_CLUSTERS_H
#define GRAZE_BROAD_CLUSTERS_H

#include "broad/clusters_state.h"

/* Searches the clusters with these numbers; the number after the last cluster is the unit of pairs of huge
 * primitives. Ranges that together contain every number once, the last up to CLUSTERS_END, produce the candidates of
 * a search by the method. The view of the search has boxes. */
graze_result clusters_find_range(const clusters_state *state, search *s, cluster_range range);

#endif
