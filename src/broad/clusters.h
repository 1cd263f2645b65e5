/* The method "clusters" for a range of its clusters: the share of one of several threads, devices or machines.
 *
 * A range reads the view and the centers, which must be the same for all ranges: they determine who owns a point, to
 * the bit. It produces candidates; no two disjoint ranges produce the same one. Ranges do not wait for each other;
 * lists of pairs, and their hashes, are combined by addition. */
#ifndef GRAZE_BROAD_CLUSTERS_H
#define GRAZE_BROAD_CLUSTERS_H

#include "broad/clusters_state.h"

/* A search of the clusters with these numbers; the number behind the last cluster is that of the huge primitives with
 * each other. Ranges that have every number once, the last up to CLUSTERS_END, together hand over what a search by the
 * method does. The view of the search has boxes. */
graze_result clusters_find_range(const clusters_state *state, search *s, cluster_range range);

#endif
