/* The descent itself; see tree_descent.h. */
#include "broad/tree_descent.h"

/* Each level leaves at most all children but one behind. */
enum { DESCENT_STACK = TREE_LEVELS * (DESCENT_CHILDREN - 1) + 1 };

uint32_t tree_expand(tree_descent *descent, block_pair pair, block_pair *children_out) {
  uint32_t count = 0;
  for (uint32_t bits = descent_meet(descent, pair); bits != 0; bits &= bits - 1)
    children_out[count++] = descent_child(descent, pair, (uint32_t)__builtin_ctz(bits));
  return count;
}

bool tree_descend(tree_descent *descent, block_pair from, descent_leaves *leaves, void *context) {
  block_pair stack[DESCENT_STACK];
  uint32_t count = 0;
  stack[count++] = from;
  while (count > 0) {
    const block_pair pair = stack[--count];
    if (pair.level > 0) {
      count += tree_expand(descent, pair, stack + count);
      continue;
    }
    const uint32_t bits = descent_meet(descent, pair);
    if (bits != 0 && !leaves(context, TREE_FANOUT * pair.s, TREE_FANOUT * pair.t, bits)) return false;
  }
  return true;
}
