/* Float filter, eight lanes: AVX2. */
#define SIMD_WIDTH 8
#include "narrow/plane_kernels_body.h"

const plane_kernels plane_kernels_256 = {filter, filter_upright, decide_by_edges, filter_vertex_adjacent,
                                         filter_edge_adjacent};
