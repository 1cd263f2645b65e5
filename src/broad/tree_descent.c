/* The descent; see tree_descent.h. */
#include "broad/tree_descent.h"

#include "base/prefetch.h"

/* About ten microseconds of work. */
enum { TESTS_BETWEEN_STOPS = 512 };

/* Prefetches the data that descent_meet reads: trees are often larger than the caches. */
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
    if (descent->block_tests % TESTS_BETWEEN_STOPS == 0 && stop_is_requested(descent->stop)) return false;
    if (pair.level > 0) {
      count += tree_expand(descent, pair, stack + count);
      continue;
    }
    const uint32_t bits = descent_meet(descent, pair);
    if (bits != 0 && !leaves(context, TREE_FANOUT * pair.s, TREE_FANOUT * pair.t, bits)) return false;
  }
  return true;
}

/* The centers of the nodes of a block of S, or of T, in the coordinates of the tests. */
static void centers_of(const tree_relation *relation, const tree_block *block, bool of_s, float centers_out[3][4]) {
  const bool turned = of_s ? relation->in_scene && !relation->aligned : !relation->aligned;
  const tree_map *map = of_s ? &relation->to_t : &relation->to_s;
  const float unit = of_s ? relation->unit_s : relation->unit_t;
  for (int axis = 0; axis < 3; axis++)
    for (int lane = 0; lane < TREE_FANOUT; lane++) {
      const float *row = map->rows[axis];
      float at = block->center[axis][lane] * unit;
      if (turned)
        at = row[0] * block->center[0][lane] + row[1] * block->center[1][lane] + row[2] * block->center[2][lane];
      centers_out[axis][lane] = turned || !of_s ? at + map->shift[axis] : at;
    }
}

/* Pushes children so that the nearest are popped first. */
static void push_by_distance(tree_traversal *traversal, block_pair pair, uint32_t bits) {
  const tree_descent *descent = &traversal->descent;
  float s[3][4], t[3][4], distances[DESCENT_CHILDREN];
  centers_of(&descent->relation, descent->s_blocks + tree_child_block(&descent->s, pair.level, pair.s), true, s);
  centers_of(&descent->relation, descent->t_blocks + tree_child_block(&descent->t, pair.level, pair.t), false, t);
  block_pair *children = traversal->stack + traversal->count;
  uint32_t count = 0;
  for (; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits), i = bit / TREE_FANOUT, j = bit % TREE_FANOUT;
    const float x = s[0][i] - t[0][j], y = s[1][i] - t[1][j], z = s[2][i] - t[2][j];
    const float distance = x * x + y * y + z * z;
    uint32_t place = count++;
    for (; place > 0 && distances[place - 1] < distance; place--) {
      distances[place] = distances[place - 1];
      children[place] = children[place - 1];
    }
    distances[place] = distance;
    children[place] = descent_child(descent, pair, bit);
  }
  traversal->count += count;
}

void tree_traversal_begin(tree_traversal *traversal, block_pair from) {
  traversal->stack[0] = from;
  traversal->count = 1;
  traversal->bits = 0;
  prefetch_blocks(&traversal->descent, from);
}

void tree_traversal_step(tree_traversal *traversal) {
  tree_descent *descent = &traversal->descent;
  const block_pair pair = traversal->stack[--traversal->count];
  const uint32_t bits = descent_meet(descent, pair);
  traversal->bits = 0;
  if (pair.level == 0) {
    traversal->s = TREE_FANOUT * pair.s;
    traversal->t = TREE_FANOUT * pair.t;
    traversal->bits = bits;
  } else if (traversal->nearest_first && (bits & (bits - 1)) != 0) {
    push_by_distance(traversal, pair, bits);
  } else {
    for (uint32_t left = bits; left != 0; left &= left - 1)
      traversal->stack[traversal->count++] = descent_child(descent, pair, (uint32_t)__builtin_ctz(left));
  }
  if (traversal->count > 0) prefetch_blocks(descent, traversal->stack[traversal->count - 1]);
}
