/* Tree kernels, eight lanes: AVX2. Called only where the processor has it. */
#define SIMD_WIDTH 8
#include "broad/tree_kernels_body.h"

const tree_kernels tree_kernels_256 = {meet, near};
