/* Box kernels, eight lanes: AVX2. */
#define SIMD_WIDTH 8
#include "broad/box_kernels_body.h"

const box_kernels box_kernels_256 = {meet, SIMD_WIDTH, cull, sweep, sweep_block, sweep_apart};
