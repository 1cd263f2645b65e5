/* Views of the stages of the method "tree", and of batches of poses: a scene's forest on the device, the list of
 * pairs of blocks of a descent, and the changes of trees in an update. */
#ifndef GRAZE_CUDA_TREE_VIEW_H
#define GRAZE_CUDA_TREE_VIEW_H

#include "broad/configuration_pair.h"
#include "broad/tree_layout.h"
#include "broad/tree_occupancy.h"
#include "broad/tree_record.h"
#include "cuda/pair_view.h"

typedef struct forest_view {
  tree_body *bodies;
  posed_space *posed;
  tree_block *blocks;
  const tree_slab *slabs;
  uint32_t *leaves; /* the scene's numbers of primitives */
  uint32_t body_count, leaf_count, block_count;
} forest_view;

/* ---------------------------------------------------------------------------------------------- a descent */

enum { TREE_NODE_PAIRS = TREE_FANOUT * TREE_FANOUT }; /* of two blocks */

/* Two blocks of two bodies, numbered within their level. */
typedef struct tree_entry {
  uint32_t pair; /* of bodies */
  uint32_t s, t, level;
} tree_entry;

/* The relation of the bodies of a pair; computed once per query, read at every step. */
typedef struct related_trees {
  tree_relation relation;
  tree_layout s_layout, t_layout;
  uint32_t s_block, t_block, s_leaf, t_leaf; /* first elements of each */
  uint32_t itself, same_object;
  uint32_t with_slabs; /* both have them */
} related_trees;

typedef struct tree_view {
  pair_view pairs;
  forest_view forest;
  const body_pair *body_pairs; /* the first element holds their number */
  related_trees *related;
  tree_entry *entries[2]; /* of this level, and of the next */
  uint64_t entry_capacity;
  uint32_t pair_capacity;
  uint32_t top;         /* the highest level of all trees */
  uint32_t step;        /* levels that have been descended */
  uint32_t are_entries; /* nonzero: leaves are entries already, from an earlier query */
} tree_view;

/* ---------------------------------------------------------------------------------------------- updates */

/* A body whose tree is fitted; all but the task is initially zero. Bounds are as in device_extent. */
typedef struct tree_fitting {
  uint64_t low[3], high[3]; /* of its positions */
  uint64_t area;            /* of its boxes above the leaves, relative to the whole, in units of 2^-24 */
  uint32_t small;           /* leaves that are too small */
  uint32_t task;            /* TREE_DONE: unchanged */
} tree_fitting;

typedef struct tree_fit_view {
  scene_arrays scene;
  forest_view forest;
  tree_fitting *fittings;         /* one per body */
  uint32_t *arrived;              /* one per block: its children that are complete */
  uint64_t *codes, *sorted_codes; /* one per leaf: body, Morton code, place among the body's leaves */
  uint32_t *old_leaves;
  uint32_t code_bits; /* per axis */
  uint32_t leaf_bits; /* of a place */
} tree_fit_view;

/* ---------------------------------------------------------------------------------------------- configurations */

#define CONFIGURATION_NO_BODY UINT32_MAX

/* An object in a configuration, and its body. */
typedef struct configuration_part {
  uint32_t object, body;
} configuration_part;

/* A pair of bodies whose boxes meet. */
typedef struct configuration_candidate {
  uint32_t configuration, pair;
} configuration_candidate;

typedef struct configuration_state {
  uint64_t refused; /* complement of the lowest invalid pose, of all chunks; zero: all are valid */
  uint64_t candidate_count;
} configuration_state;

/* A resting body, and the number of its first block among the lowest blocks of all resting bodies. */
typedef struct configuration_resting {
  uint32_t body, first;
} configuration_resting;

/* A chunk of configurations. */
typedef struct configuration_view {
  scene_arrays scene;
  forest_view forest;
  const configuration_part *parts; /* moving parts first */
  const configuration_pair *pairs;
  const rigid_pose *poses;
  posed_space *posed; /* one per pose */
  uint8_t *free;      /* likewise: nonzero if far from all resting bodies */
  occupancy resting_cells;
  const configuration_resting *resting;
  uint32_t resting_count, mark_count; /* resting bodies, and their lowest blocks */
  uint32_t sum_step;
  configuration_candidate *candidates;
  configuration_state *state;
  uint64_t first_pose; /* of the chunk, among all */
  uint32_t moving_count, pair_count, column_count, count;
  const double *padding;         /* one per part; NULL: none */
  double limit, resting_padding; /* the limit without padding; the largest padding of a resting part */
  void *answers;                 /* of the chunk: counts, or bytes that are 1 or 0 */
  bool counts;
  graze_test test;
} configuration_view;

/* ---------------------------------------------------------------------------------------------- distances */

/* The distances of a chunk of configurations. */
typedef struct distance_view {
  configuration_view base; /* its poses, parts and pairs */
  double max_distance;
  bool any_contact;                /* a pair that touches ends the search */
  uint32_t task_count, task_pairs; /* searches: one per configuration, or per pair of it; and the pairs of each */
  double *bounds;               /* one per pair of each configuration: a lower bound of its distance; infinite: done */
  configuration_nearest *found; /* one per task */
} distance_view;

#endif
