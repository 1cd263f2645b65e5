/* Float filter of tetrahedra, eight lanes: AVX2. */
#define SIMD_WIDTH 8
#include "narrow/solid_kernels_body.h"

const solid_kernels solid_kernels_256 = {filter_tetrahedra, decide_by_edges};
