/* Tree kernels, four lanes: NEON or SSE2. */
#define SIMD_WIDTH 4
#include "broad/tree_kernels_body.h"

const tree_kernels tree_kernels_128 = {meet, near};
