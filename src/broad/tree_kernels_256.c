/* Tree kernels, eight lanes: AVX2. Called only if the processor supports it. */
#define SIMD_WIDTH 8
#include "broad/tree_kernels_body.h"

const tree_kernels tree_kernels_256 = {meet, near};
