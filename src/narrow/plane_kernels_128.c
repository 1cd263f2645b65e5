/* Float filter, four lanes: NEON or SSE2. */
#define SIMD_WIDTH 4
#include "narrow/plane_kernels_body.h"

const plane_kernels plane_kernels_128 = {filter, filter_upright, decide_by_edges, filter_vertex_adjacent,
                                         filter_edge_adjacent};
