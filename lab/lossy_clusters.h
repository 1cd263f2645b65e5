/* Clusters whose members follow from their centers alone: the two assignments of the thesis, which lose pairs.
 *
 * Mainzer, "New Geometric Algorithms and Data Structures for Collision Detection of Dynamically Deforming Objects",
 * 2015, section 5.2: by thesis, a primitive is a member of the clusters that its center belongs to by more than 0.9
 * over their number; by hard, of the one whose center is nearest. */
#ifndef GRAZE_LAB_LOSSY_CLUSTERS_H
#define GRAZE_LAB_LOSSY_CLUSTERS_H

#include "broad/method.h"

extern const method method_clusters_thesis, method_clusters_hard;

#endif
