/* A common descent of two trees, or of one and itself: from pairs of blocks to pairs of leaves whose boxes may meet.
 *
 * Workload: 10^2 to 10^3 pairs of blocks if two bodies touch, 10^6 if a large one is descended with itself. */
#ifndef GRAZE_BROAD_TREE_DESCENT_H
#define GRAZE_BROAD_TREE_DESCENT_H

#include "base/stop_check.h"
#include "broad/tree_kernels.h"

/* Two blocks of a level, numbered within it. */
typedef struct block_pair {
  uint32_t s, t, level;
} block_pair;

typedef struct tree_descent {
  tree_layout s, t;
  const tree_block *s_blocks, *t_blocks; /* of each tree, from its first on */
  const tree_slab *s_slabs, *t_slabs;    /* likewise; NULL: the tree has none */
  tree_relation relation;
  const tree_kernels *kernels;
  bool itself;               /* S and T are the same tree: each pair of different leaves is found once */
  const tree_limits *limits; /* pairs of nodes that may meet must also be within these; NULL: none */
  stop_check *stop;          /* NULL: cannot be stopped */
  uint64_t block_tests;      /* made so far */
} tree_descent;

enum { DESCENT_CHILDREN = TREE_FANOUT * TREE_FANOUT };

/* The start of the descent: the roots. */
static inline block_pair descent_root(const tree_descent *descent) {
  return (block_pair){0, 0, descent->s.top > descent->t.top ? descent->s.top : descent->t.top};
}

/* Bit 4 i + j: node i of a block of S and j of one of T may be within the limits. */
static inline uint32_t descent_near(const tree_descent *descent, uint32_t s, uint32_t t) {
  tree_gaps gaps;
  return descent->kernels->near(descent->limits, descent->s_blocks + s,
                                descent->s_slabs != NULL ? descent->s_slabs + s : NULL, descent->t_blocks + t,
                                descent->t_slabs != NULL ? descent->t_slabs + t : NULL, &gaps);
}

/* Bit 4 i + j: node i of the block of S and j of that of T may meet. For a block and itself, each pair once, and
 * above the leaves each node with itself. */
static inline uint32_t descent_meet(tree_descent *descent, block_pair pair) {
  enum { ABOVE_DIAGONAL = 0x08ce, DIAGONAL = 0x8421 };
  const uint32_t s = tree_child_block(&descent->s, pair.level, pair.s);
  const uint32_t t = tree_child_block(&descent->t, pair.level, pair.t);
  descent->block_tests++;
  const uint32_t bits = descent->kernels->meet(
      &descent->relation, descent->s_blocks + s, descent->s_slabs != NULL ? descent->s_slabs + s : NULL,
      descent->t_blocks + t, descent->t_slabs != NULL ? descent->t_slabs + t : NULL);
  const bool diagonal = descent->itself && pair.s == pair.t;
  if (diagonal) return bits & (pair.level > 0 ? ABOVE_DIAGONAL | DIAGONAL : ABOVE_DIAGONAL);
  return bits != 0 && descent->limits != NULL ? bits & descent_near(descent, s, t) : bits;
}

/* The blocks of the children of node i of S and j of T, for bit 4 i + j. */
static inline block_pair descent_child(const tree_descent *descent, block_pair pair, uint32_t bit) {
  return (block_pair){pair.level > descent->s.top ? 0 : TREE_FANOUT * pair.s + bit / TREE_FANOUT,
                      pair.level > descent->t.top ? 0 : TREE_FANOUT * pair.t + bit % TREE_FANOUT, pair.level - 1};
}

/* Processes leaves 4 s + i and 4 t + j for each bit 4 i + j. Returns whether the descent continues. */
typedef bool descent_leaves(void *context, uint32_t s, uint32_t t, uint32_t bits);

/* Depth first from a pair of blocks on. Returns false if it ended early: by `leaves`, or because a stop was
 * requested. */
bool tree_descend(tree_descent *descent, block_pair from, descent_leaves *leaves, void *context);

/* Each level pushes all children and pops one. */
enum { DESCENT_STACK = TREE_LEVELS * (DESCENT_CHILDREN - 1) + 1 };

/* A depth-first descent in single steps: several can be interleaved, so that each step finds prefetched data in the
 * caches. */
typedef struct tree_traversal {
  tree_descent descent;
  uint32_t s, t, bits; /* the result of the last step, as passed to descent_leaves; no bits: none */
  uint32_t count;      /* remaining pairs of blocks */
  bool nearest_first; /* visits pairs of nodes in order of the distance of their centers: used if the first hit ends the
                         descent */
  block_pair stack[DESCENT_STACK];
} tree_traversal;

/* For a traversal whose descent is set. */
void tree_traversal_begin(tree_traversal *traversal, block_pair from);

/* Processes one pair of blocks of a traversal that has some left. */
void tree_traversal_step(tree_traversal *traversal);

/* Writes the children's blocks of pairs of nodes that may meet, at most DESCENT_CHILDREN, and returns their number.
 * For pairs above the leaves. */
uint32_t tree_expand(tree_descent *descent, block_pair pair, block_pair *children_out);

#endif
