/* Joints: pairs of vertices that regions of different ranks may have in common. */
#ifndef GRAZE_DISTRIBUTED_REGION_JOINTS_H
#define GRAZE_DISTRIBUTED_REGION_JOINTS_H

#include "distributed/slab.h"
#include "graze/regions.h"

/* A vertex of each of two objects, both corners of a pair of the region. Regions with an equal joint are the same
 * region, or regions of spheres with the same center, which the rank that gets both distinguishes. */
typedef struct region_joint {
  double place[2][3];
  uint32_t object[2];
  uint64_t region;
} region_joint;

/* Lists joints of the regions of a slab's own pairs, sorted, without duplicates; region i is named first_region + i.
 * Joints that no other part can have are omitted. */
graze_result region_joints_make(const slab *share, const division *parts, const graze_regions *regions,
                                uint64_t first_region, memory *heap, array *joints, rank_failure *failure);

/* Orders joints by objects and places. */
int region_joint_compare(const region_joint *a, const region_joint *b);

#endif
