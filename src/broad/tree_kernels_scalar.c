/* Tree kernels in plain C, the scalar twin with which the vector kernels are compared. */
#include "broad/tree_kernels.h"
#include "broad/tree_near_test.h"

const tree_kernels tree_kernels_scalar = {tree_blocks_meet, tree_blocks_near};
