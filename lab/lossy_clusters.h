/* Clusters whose members follow only from their centers: the two assignments of the thesis, which lose pairs.
 *
 * Mainzer, "New Geometric Algorithms and Data Structures for Collision Detection of Dynamically Deforming Objects",
 * 2015, section 5.2: in the assignment of the thesis, a primitive is a member of the clusters to which its center
 * belongs by more than 0.9 divided by their number; in the hard assignment, of the cluster with the nearest center. */
#ifndef GRAZE_LAB_LOSSY_CLUSTERS_H
#define GRAZE_LAB_LOSSY_CLUSTERS_H

#include "broad/method.h"

extern const method method_clusters_thesis, method_clusters_hard;

#endif
