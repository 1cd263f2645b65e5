/* Groups of object pairs for configurations: one moving body, and resting bodies near each other. One box test can
 * separate a moving body from a whole group.
 *
 * Workload: built once per call, from up to 10^6 pairs. */
#ifndef GRAZE_BACKEND_CPU_PAIR_GROUPS_H
#define GRAZE_BACKEND_CPU_PAIR_GROUPS_H

#include "base/memory.h"
#include "base/stop_check.h"
#include "broad/configuration_pair.h"
#include "geometry/exact_box.h"

enum { PAIR_GROUP_MOST = 16 };

typedef struct pair_group {
  exact_box box; /* around the resting bodies */
  size_t first, count;
  bool has_resting; /* the second body of each pair is resting */
  bool has_box;     /* otherwise each pair is tested; with a box, `a` of all pairs is the same */
} pair_group;

typedef struct pair_groups {
  configuration_pair *pairs; /* the given pairs, reordered, the moving part first in each */
  size_t pair_count;
  pair_group *groups;
  size_t group_count, group_capacity;
} pair_groups;

/* `boxes` has one per part. False when out of memory. Must be released, whatever the result. After a request to stop
 * there are no groups. */
bool pair_groups_make(pair_groups *made, memory *heap, const configuration_pair *pairs, size_t pair_count,
                      const exact_box *boxes, size_t part_count, size_t moving_count, stop_check *stop_or_null);
void pair_groups_release(pair_groups *made, memory *heap);

#endif
