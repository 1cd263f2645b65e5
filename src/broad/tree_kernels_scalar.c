/* Tree kernels, one lane: plain C, the twin of the others. */
#define SIMD_WIDTH 1
#include "broad/tree_kernels_body.h"

const tree_kernels tree_kernels_scalar = {meet};
