/* The data of the stages of the method "clusters": centers and axes learned by the host, how they are refined, and the
 * arrays of a sweep.
 *
 * A membership, an entry in a cluster, is a 64-bit key: the cluster, the start of the entry's interval along the
 * cluster's axis, and the entry. Sorting all keys puts every cluster in the order of its sweep. */
#ifndef GRAZE_CUDA_CLUSTER_VIEW_H
#define GRAZE_CUDA_CLUSTER_VIEW_H

#include "broad/clusters_axis.h"
#include "broad/clusters_metric.h"
#include "cuda/pair_view.h"

/* ---------------------------------------------------------------------------------------------- learning */

/* Memberships of a point: the ratio of the least measure to that of each cluster, over the sum of these ratios. */
typedef struct point_pull {
  float least, sum;
  uint32_t nearest; /* CLUSTERS_END: the primitive is removed */
} point_pull;

/* The refinement of clusters; see stage_clusters.h. */
typedef struct learning_view {
  scene_arrays scene;
  cluster_centers centers;
  float (*points)[3]; /* centers of sampled primitives, infinite if one is removed */
  uint32_t point_count;
  uint32_t moves_axes; /* 0: they stay */
  point_pull *pulls;
  float *moving[3];        /* the centers */
  sweep_axis *moving_axes; /* the axes, one per cluster */
  fuzzy_rule rule;
} learning_view;

/* ---------------------------------------------------------------------------------------------- a sweep */

/* Rows of memberships are compared in pieces, one per warp. */
enum { PIECE_LANES = 32 };

/* The maximum number of lanes of one launch of the sweep. */
#ifndef CLUSTER_LANES
#define CLUSTER_LANES (1u << 30)
#endif

/* A membership in the order of its sweep, with the box of its entry, so that the boxes of a row are contiguous. */
typedef struct sweep_row {
  float min[3];
  uint32_t entry;
  float max[3];
  uint32_t cluster; /* and ROW_IS_HUGE */
} sweep_row;

#define ROW_IS_HUGE UINT32_C(0x80000000)

/* The bounds of the members of a cluster that are not huge. Stored as order-preserving integers, the lower ones
 * complemented, so that all of them only increase from zero, which means no member. */
typedef struct cluster_bound {
  uint64_t low[3], high[3];
} cluster_bound;

typedef struct cluster_view {
  pair_view pairs;
  cluster_centers centers;
  const sweep_axis *axes; /* one per cluster */
  cluster_bound *bounds;  /* one per cluster, and that around all huge primitives; zeros if none is huge */
  uint32_t *first;        /* one per entry and the end: the number of its memberships, then their first index */
  uint64_t *keys;         /* of each entry, by ascending clusters */
  uint64_t *sorted_keys;
  sweep_row *rows;
  uint32_t *ends;        /* of the row of memberships that start within this one and follow it in order */
  uint32_t *first_piece; /* one per membership: the number of pieces of its row, then their first index */
  uint64_t member_capacity;
  uint64_t piece_capacity; /* the number that the queued launches of the sweep can process */
  uint64_t first_lane;     /* of this launch */
  cluster_range range;     /* the swept clusters: pairs that other clusters report are not requested */
  uint32_t start_bits;     /* highest bits of a start in a key: 32 unless there are very many entries */
} cluster_view;

#endif
