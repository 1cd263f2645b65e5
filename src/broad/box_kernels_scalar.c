/* Box kernels in plain C, the scalar twin with which the vector kernels are compared. */
#define SIMD_WIDTH 1
#include "broad/box_kernels_body.h"

const box_kernels box_kernels_scalar = {meet, SIMD_WIDTH, cull, sweep, sweep_block, sweep_apart};
