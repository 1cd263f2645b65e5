/* The descent itself; see tree_descent.h. */
#include "broad/tree_descent.h"

#include "base/prefetch.h"

/* Some ten microseconds of work. */
enum { TESTS_BETWEEN_STOPS = 512 };

/* Each level leaves at most all children but one behind. */
enum { DESCENT_STACK = TREE_LEVELS * (DESCENT_CHILDREN - 1) + 1 };

/* Asks for what descent_meet will read: blocks of trees that do not fit into the caches come from afar. */
static void prefetch_blocks(const tree_descent *descent, block_pair pair) {
  const uint32_t s = tree_child_block(&descent->s, pair.level, pair.s);
  const uint32_t t = tree_child_block(&descent->t, pair.level, pair.t);
  prefetch(&descent->s_blocks[s]);
  prefetch(&descent->s_blocks[s].half[1]);
  prefetch(&descent->t_blocks[t]);
  prefetch(&descent->t_blocks[t].half[1]);
  if (descent->s_slabs != NULL) prefetch(&descent->s_slabs[s]);
  if (descent->t_slabs != NULL) prefetch(&descent->t_slabs[t]);
}

uint32_t tree_expand(tree_descent *descent, block_pair pair, block_pair *children_out) {
  uint32_t count = 0;
  for (uint32_t bits = descent_meet(descent, pair); bits != 0; bits &= bits - 1) {
    children_out[count] = descent_child(descent, pair, (uint32_t)__builtin_ctz(bits));
    prefetch_blocks(descent, children_out[count++]);
  }
  return count;
}

bool tree_descend(tree_descent *descent, block_pair from, descent_leaves *leaves, void *context) {
  block_pair stack[DESCENT_STACK];
  uint32_t count = 0;
  stack[count++] = from;
  while (count > 0) {
    const block_pair pair = stack[--count];
    if (descent->block_tests % TESTS_BETWEEN_STOPS == 0 && stop_is_asked_for(descent->stop)) return false;
    if (pair.level > 0) {
      count += tree_expand(descent, pair, stack + count);
      continue;
    }
    const uint32_t bits = descent_meet(descent, pair);
    if (bits != 0 && !leaves(context, TREE_FANOUT * pair.s, TREE_FANOUT * pair.t, bits)) return false;
  }
  return true;
}
