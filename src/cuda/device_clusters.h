/* The method "clusters" on a device: its centers and axes, their refinement, and the search by them. */
#ifndef GRAZE_CUDA_DEVICE_CLUSTERS_H
#define GRAZE_CUDA_DEVICE_CLUSTERS_H

#include "broad/clusters_state.h"
#include "cuda/cluster_view.h"
#include "cuda/cuda_method.h"

typedef struct device_clusters {
  device_search *search;
  clusters_state *learned;      /* learned by the host */
  uint32_t requested_count;     /* clusters uploaded, before equal ones were dropped; 0: none */
  double overlaps_when_learned; /* comparisons per entry in the first search after learning; 0: none yet */
  device_buffer record;         /* axes, then centers */
  device_buffer points, pulls;  /* for learning; these and all below are spare */
  device_buffer first, keys, sorted_keys, rows, ends, pieces;
  uint32_t count; /* clusters on the device; 0: none, or not all of them */
  uint32_t used;  /* one if primitives were members of too many */
  graze_metric distance;
  uint64_t member_capacity, piece_capacity;
  cluster_range range; /* of the current query: all clusters, or a part of the work of several devices */
  search_notes notes;  /* of the last search, as on the processor */
} device_clusters;

/* Uploads centers of clusters, at least one, and an axis for each. After a failure the device has none. */
graze_result device_clusters_take(device_clusters *own, const cluster_centers *centers, const sweep_axis *axes);

/* Finds the pairs listed by clusters of the range. */
graze_result device_clusters_find(device_clusters *own, device_wrenches *wrenches, const device_query *query,
                                  cluster_range range, device_answer *answer_out);

#endif
