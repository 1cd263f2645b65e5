/* Trees on a device: what a scene's forest is there, and the list of pairs of blocks that a descent goes through. */
#ifndef GRAZE_CUDA_DEVICE_TREES_H
#define GRAZE_CUDA_DEVICE_TREES_H

#include "broad/tree_record.h"
#include "broad/tree_slab.h"

enum { TREE_NODE_PAIRS = TREE_FANOUT * TREE_FANOUT }; /* of two blocks */

/* Two blocks of two bodies, as numbers within their level. */
typedef struct tree_entry {
  uint32_t pair; /* of bodies */
  uint32_t s, t, level;
} tree_entry;

/* How the bodies of a pair lie to each other; made once a query, read at every step. */
typedef struct related_trees {
  tree_relation relation;
  tree_layout s_layout, t_layout;
  uint32_t s_block, t_block, s_leaf, t_leaf; /* where each begins */
  uint32_t itself, same_object;
  uint32_t with_slabs; /* both have them */
} related_trees;

/* A body whose tree is fitted; all but the task is zero at first. Bounds are as in device_extent. */
typedef struct tree_fitting {
  uint64_t low[3], high[3]; /* of its positions */
  uint64_t area;            /* of its boxes above the leaves, over that of the whole, in units of 2^-24 */
  uint32_t small;           /* leaves that are too small */
  uint32_t task;            /* TREE_DONE: it stays as it is */
} tree_fitting;

/* What an update changes of trees. */
typedef struct device_fitting {
  tree_fitting *bodies;           /* NULL: nothing is fitted */
  uint32_t *arrived;              /* a block each: its children that have been made */
  uint64_t *codes, *sorted_codes; /* a leaf each: body, Morton code, place among the body's leaves */
  uint32_t *old_leaves;
  uint32_t code_bits; /* an axis */
  uint32_t leaf_bits; /* of a place */
} device_fitting;

typedef struct device_trees {
  /* The forest. */
  tree_body *bodies;
  posed_space *posed;
  tree_block *blocks;
  const tree_slab *slabs;
  uint32_t *leaves; /* the scene's numbers of primitives */
  uint32_t body_count, leaf_count, block_count;
  uint32_t are_entries; /* not 0: leaves lie as entries already, since an earlier query */
  uint32_t top;         /* the highest level of all trees */
  /* A query. */
  const body_pair *pairs; /* the first element holds their number */
  uint32_t pair_room;
  related_trees *related;
  tree_entry *entries[2]; /* of this level, and of the next */
  uint64_t entry_room;
  uint32_t step; /* levels that have been descended */
  device_fitting fitting;
} device_trees;

/* Poses of one object against another. */
typedef struct device_poses {
  const double *rotations, *translations;
  uint32_t count;
  uint32_t still, moving; /* bodies */
  uint32_t still_object, moving_object;
  uint32_t counts; /* not 0: all pairs are counted */
  uint64_t *answers;
  uint64_t *refused; /* complement of the lowest pose that cannot be; zero: all can */
} device_poses;

#endif
