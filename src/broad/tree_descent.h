/* Two trees, or one and itself, descended together: from pairs of blocks to pairs of leaves whose boxes may meet.
 *
 * Workload: 10^2 to 10^3 pairs of blocks where two bodies graze, 10^6 where a large one is descended with itself. */
#ifndef GRAZE_BROAD_TREE_DESCENT_H
#define GRAZE_BROAD_TREE_DESCENT_H

#include "base/stop_check.h"
#include "broad/tree_kernels.h"

/* Two blocks of a level, as numbers within it. */
typedef struct block_pair {
  uint32_t s, t, level;
} block_pair;

typedef struct tree_descent {
  tree_layout s, t;
  const tree_block *s_blocks, *t_blocks; /* of each tree, from its first on */
  const tree_slab *s_slabs, *t_slabs;    /* likewise; NULL: the tree has none */
  tree_relation relation;
  const tree_kernels *kernels;
  bool itself;          /* S and T are one: each pair of different leaves is met once */
  stop_check *stop;     /* NULL: nobody stops it */
  uint64_t block_tests; /* made so far */
} tree_descent;

enum { DESCENT_CHILDREN = TREE_FANOUT * TREE_FANOUT };

/* Where the descent begins: the roots. */
static inline block_pair descent_root(const tree_descent *descent) {
  return (block_pair){0, 0, descent->s.top > descent->t.top ? descent->s.top : descent->t.top};
}

/* Bit 4 i + j: node i of the block of S and j of that of T may meet. Of a block and itself each pair once, and above
 * the leaves each node with itself. */
static inline uint32_t descent_meet(tree_descent *descent, block_pair pair) {
  enum { ABOVE_DIAGONAL = 0x08ce, DIAGONAL = 0x8421 };
  const uint32_t s = tree_child_block(&descent->s, pair.level, pair.s);
  const uint32_t t = tree_child_block(&descent->t, pair.level, pair.t);
  descent->block_tests++;
  const uint32_t bits = descent->kernels->meet(
      &descent->relation, descent->s_blocks + s, descent->s_slabs != NULL ? descent->s_slabs + s : NULL,
      descent->t_blocks + t, descent->t_slabs != NULL ? descent->t_slabs + t : NULL);
  const bool diagonal = descent->itself && pair.s == pair.t;
  return !diagonal ? bits : bits & (pair.level > 0 ? ABOVE_DIAGONAL | DIAGONAL : ABOVE_DIAGONAL);
}

/* The blocks of the children of node i of S and j of T, for bit 4 i + j. */
static inline block_pair descent_child(const tree_descent *descent, block_pair pair, uint32_t bit) {
  return (block_pair){pair.level > descent->s.top ? 0 : TREE_FANOUT * pair.s + bit / TREE_FANOUT,
                      pair.level > descent->t.top ? 0 : TREE_FANOUT * pair.t + bit % TREE_FANOUT, pair.level - 1};
}

/* Takes leaves 4 s + i and 4 t + j for each bit 4 i + j. Whether the descent goes on. */
typedef bool descent_leaves(void *context, uint32_t s, uint32_t t, uint32_t bits);

/* Depth first from a pair of blocks on. Whether it was not left early: by `leaves`, or because a stop was asked for. */
bool tree_descend(tree_descent *descent, block_pair from, descent_leaves *leaves, void *context);

/* Each level leaves at most all children but one behind. */
enum { DESCENT_STACK = TREE_LEVELS * (DESCENT_CHILDREN - 1) + 1 };

/* A descent, depth first, that goes on step by step: so several can take turns, and each step finds in the caches what
 * the one before it has asked for. */
typedef struct tree_course {
  tree_descent descent;
  uint32_t s, t, bits; /* what the last step has found, as descent_leaves takes it; no bits: nothing */
  uint32_t count;      /* pairs of blocks that are left */
  bool nearest_first;  /* of pairs of nodes, those come first whose centers are nearest: where the first hit ends it */
  block_pair stack[DESCENT_STACK];
} tree_course;

/* For a course whose descent is set. */
void tree_course_begin(tree_course *course, block_pair from);

/* One pair of blocks, of a course that has some left. */
void tree_course_step(tree_course *course);

/* Writes the children's blocks of pairs of nodes that may meet, and returns how many; there is room for
 * DESCENT_CHILDREN. For pairs above the leaves. */
uint32_t tree_expand(tree_descent *descent, block_pair pair, block_pair *children_out);

#endif
