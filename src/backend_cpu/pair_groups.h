/* Groups of object pairs for configurations: a body that moves, and some still bodies near each other. One test of a
 * box tells a moving body apart from a whole group.
 *
 * Workload: made once a call, of up to 10^6 pairs. */
#ifndef GRAZE_BACKEND_CPU_PAIR_GROUPS_H
#define GRAZE_BACKEND_CPU_PAIR_GROUPS_H

#include "base/memory.h"
#include "broad/configuration_pair.h"
#include "geometry/exact_box.h"

enum { PAIR_GROUP_MOST = 16 };

typedef struct pair_group {
  exact_box box; /* around the still bodies */
  size_t first, count;
  bool has_still; /* the second body of each pair stays */
  bool has_box;   /* else each pair is looked at; with one, `a` of all pairs is the same */
} pair_group;

typedef struct pair_groups {
  configuration_pair *pairs; /* those that were given, in another order, those that move first in each */
  size_t pair_count;
  pair_group *groups; /* room for as many as there are pairs */
  size_t group_count;
} pair_groups;

/* `boxes` has a part each. False when out of memory. Release them, whatever the result. */
bool pair_groups_make(pair_groups *made, memory *heap, const configuration_pair *pairs, size_t pair_count,
                      const exact_box *boxes, size_t part_count, size_t moving_count);
void pair_groups_release(pair_groups *made, memory *heap);

#endif
