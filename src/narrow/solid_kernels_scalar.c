/* Float filter of tetrahedra, the plain C twin that the vector ones are compared with. */
#define SIMD_WIDTH 1
#include "narrow/solid_kernels_body.h"

const solid_kernels solid_kernels_scalar = {filter_tetrahedra, decide_by_edges};
