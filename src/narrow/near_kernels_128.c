/* Float filter of clearances, four lanes: NEON or SSE2. */
#define SIMD_WIDTH 4
#include "narrow/near_kernels_body.h"

const near_kernels near_kernels_128 = {decide};
