/* What the stages of the method "clusters" see: centers and axes that the host has learned, how they move on, and the
 * arrays of a sweep.
 *
 * A membership, an entry in a cluster, is a key of 64 bits: the cluster, where the entry's interval along the cluster's
 * axis starts, and the entry. One sort of all keys puts every cluster in the order of its sweep. */
#ifndef GRAZE_CUDA_CLUSTER_VIEW_H
#define GRAZE_CUDA_CLUSTER_VIEW_H

#include "broad/clusters_axis.h"
#include "broad/clusters_fuzzy.h"
#include "cuda/pair_view.h"

/* ---------------------------------------------------------------------------------------------- learning */

/* How a point belongs to the clusters: by the ratio of the least measure to that of each, over the sum of these. */
typedef struct point_pull {
  float least, sum;
  uint32_t nearest; /* CLUSTERS_END: it is none */
} point_pull;

/* Moving on: stage_learning.h. */
typedef struct learning_view {
  scene_arrays scene;
  cluster_centers centers;
  float (*points)[3]; /* middles of primitives to learn from, infinite where one is erased */
  uint32_t point_count;
  uint32_t turns_axes; /* 0: they stay as they are */
  point_pull *pulls;
  float *moving[3];    /* the centers */
  sweep_axis *turning; /* the axes, a cluster each */
  fuzzy_rule rule;
} learning_view;

/* ---------------------------------------------------------------------------------------------- a sweep */

/* Overlaps are compared by pieces of one membership's row, a warp each. */
enum { PIECE_LANES = 32 };

/* Lanes of one launch of the sweep, at most. */
#ifndef CLUSTER_LANES
#define CLUSTER_LANES (1u << 30)
#endif

/* A membership in the order of its sweep: the box of its entry, so that those of a row lie side by side. */
typedef struct sweep_row {
  float min[3];
  uint32_t entry;
  float max[3];
  uint32_t cluster; /* and ROW_IS_HUGE */
} sweep_row;

#define ROW_IS_HUGE UINT32_C(0x80000000)

/* Around the members of a cluster that are not huge. As integers of the same order, the lower ones complemented, so
 * that all of them only ever rise from zero, which stands for no member. */
typedef struct cluster_bound {
  uint64_t low[3], high[3];
} cluster_bound;

typedef struct cluster_view {
  pair_view pairs;
  cluster_centers centers;
  const sweep_axis *axes; /* a cluster each */
  cluster_bound *bounds;  /* a cluster each, and that around all huge primitives; zeros where none is huge */
  uint32_t *first;        /* an entry each and the end: how many memberships it has, then where they begin */
  uint64_t *keys;         /* of each entry, by ascending clusters */
  uint64_t *sorted_keys;
  sweep_row *rows;
  uint32_t *ends;        /* of the row of memberships that start within this one and follow it in order */
  uint32_t *first_piece; /* a membership each: pieces of its row, then where they begin */
  uint64_t member_room;
  uint64_t piece_room; /* that the launches of the sweep are enough for */
  uint64_t first_lane; /* of this launch */
  cluster_range range; /* that is swept: pairs that other clusters name are not asked for */
  uint32_t start_bits; /* of a start in a key: the highest of it, 32 but where there are very many entries */
} cluster_view;

#endif
