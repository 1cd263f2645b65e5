/* Float filter, the plain C twin that the vector ones are compared with. */
#define SIMD_WIDTH 1
#include "narrow/plane_kernels_body.h"

const plane_kernels plane_kernels_scalar = {filter, filter_upright, decide_by_edges, filter_vertex_adjacent,
                                            filter_edge_adjacent};
