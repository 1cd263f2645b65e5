/* The method "clusters" for some of its clusters alone: what one of several threads, devices or machines is given.
 *
 * What a range takes is the view, which all have, and the centers, which must be the same for all: who owns a point is
 * decided by them, the same to the bit everywhere. What it gives is candidates; no two ranges without a number in
 * common name the same one. Nobody waits for anybody, and lists of pairs, and their hashes, are put together by adding.
 */
#ifndef GRAZE_BROAD_CLUSTERS_H
#define GRAZE_BROAD_CLUSTERS_H

#include "broad/clusters_state.h"

/* A search of the clusters with these numbers; the number behind the last cluster is that of the huge primitives with
 * each other. Ranges that have every number once, the last up to CLUSTERS_END, together hand over what a search by the
 * method does. The view of the search has boxes. */
graze_result clusters_find_range(const clusters_state *state, search *s, cluster_range range);

#endif
