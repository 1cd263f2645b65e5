/* Tree kernels, the plain C twin that the vector ones are compared with. */
#include "broad/tree_kernels.h"
#include "broad/tree_node_test.h"

static uint32_t meet(const tree_relation *relation, const tree_block *s, const tree_slab *s_slab, const tree_block *t,
                     const tree_slab *t_slab) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < TREE_FANOUT; i++)
    for (uint32_t j = 0; j < TREE_FANOUT; j++)
      if (tree_nodes_meet(relation, s, s_slab, t, t_slab, i, j)) bits |= 1u << (TREE_FANOUT * i + j);
  return bits;
}

const tree_kernels tree_kernels_scalar = {meet};
