/* Float filter of clearances, eight lanes: AVX2. */
#define SIMD_WIDTH 8
#include "narrow/near_kernels_body.h"

const near_kernels near_kernels_256 = {decide};
