/* Float filter of tetrahedra, four lanes: NEON or SSE2. */
#define SIMD_WIDTH 4
#include "narrow/solid_kernels_body.h"

const solid_kernels solid_kernels_128 = {filter_tetrahedra, decide_by_edges};
