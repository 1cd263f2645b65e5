/* Box kernels, four lanes: NEON or SSE2. */
#define SIMD_WIDTH 4
#include "broad/box_kernels_body.h"

const box_kernels box_kernels_128 = {meet, SIMD_WIDTH, cull, sweep, sweep_block, sweep_apart};
