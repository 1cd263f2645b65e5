/* Float filter of clearances, the plain C twin that the vector ones are compared with. */
#define SIMD_WIDTH 1
#include "narrow/near_kernels_body.h"

const near_kernels near_kernels_scalar = {decide};
