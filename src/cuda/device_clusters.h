/* Clusters on a device: centers and axes that it has, how they move on, and a search by them. cluster_learning.c has
 * where they come from. */
#ifndef GRAZE_CUDA_DEVICE_CLUSTERS_H
#define GRAZE_CUDA_DEVICE_CLUSTERS_H

#include "broad/clusters_state.h"
#include "cuda/cluster_view.h"
#include "cuda/device_find.h"

typedef struct device_clusters {
  device_search *search;
  clusters_state *learned;      /* by the host */
  uint32_t asked_for;           /* clusters that the device was given, before equal ones were dropped; 0: none */
  double overlaps_when_learned; /* with how many an entry was compared in the first search after that; 0: none yet */
  device_buffer record;         /* axes, then centers */
  device_buffer points, pulls;  /* of learning; these and all that follow are spare */
  device_buffer first, keys, sorted_keys, rows, ends, pieces;
  uint32_t count; /* that the device was given; 0: none, or not all of them */
  uint32_t used;  /* one where primitives were found to be members of too many */
  graze_metric distance;
  uint64_t member_room, piece_room;
  cluster_range range; /* of the query at hand: all clusters, or a part of the work of several devices */
  search_notes notes;  /* of the last search, as on the processor */
} device_clusters;

graze_result device_clusters_create(device_search *shared, const method_options *options, void **state_out);
void device_clusters_destroy(void *state);

/* Middles of `count` primitives, evenly spread over their numbers; infinite where one is erased. After an update. */
graze_result device_clusters_sample(device_clusters *own, uint32_t count, float (*points_out)[3]);

/* Takes in centers of clusters, at least one, and an axis for each. After a failure the device has none. */
graze_result device_clusters_take(device_clusters *own, const cluster_centers *centers, const sweep_axis *axes);

/* How centers that the device has move on with the scene. */
typedef struct device_learning {
  uint32_t point_count;
  fuzzy_rule rule;
  bool turns_axes; /* principal ones; else they stay */
} device_learning;

/* Moves centers and axes, of which there are some, to the points of the last update. Nothing waits for it. */
graze_result device_clusters_move(device_clusters *own, const device_learning *learning);

/* The pairs that clusters of the range name. */
graze_result device_clusters_find(device_clusters *own, device_pushes *pushes, const device_query *query,
                                  cluster_range range, device_answer *answer_out);

extern const search_way search_by_clusters;

#endif
