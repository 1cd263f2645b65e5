/* The test with only the separating planes of faces, without those along two edges: Mirzayousef Jadid, "Tetrahedral
 * kDet: Linear Time Collision Detection for Tetrahedral Meshes", 2023. It reports some pairs of tetrahedra that do not
 * intersect. */
#ifndef GRAZE_LAB_SAT_NO_EDGES_H
#define GRAZE_LAB_SAT_NO_EDGES_H

#include "bench/bench_call.h"
#include "lab/tetrahedron_faces.h"

/* Pairs of a scene on the processor: its candidates, and of two tetrahedra those that the test above leaves; other
 * primitives by the library's test. */
graze_result find_without_edges(const graze_scene *scene, const graze_query *query, graze_pairs *pairs);

extern const bench_variant lab_without_edges; /* of the grid */

#endif
