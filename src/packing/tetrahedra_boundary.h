/* The surface of a body of tetrahedra: the faces that belong to one of them only, facing outward.
 *
 * Workload: once per body, 10^3 to 10^7 tetrahedra; linear. */
#ifndef GRAZE_PACKING_TETRAHEDRA_BOUNDARY_H
#define GRAZE_PACKING_TETRAHEDRA_BOUNDARY_H

#include "base/array.h"
#include "graze/graze.h"

/* Reorients inverted tetrahedra (corners a, b, c, d with d below a, b, c) by swapping two of their corners, and appends
 * the faces of the surface to `triangles`, of uint32_t[3]. Positions are three doubles each. GRAZE_INVALID_ARGUMENT for
 * a tetrahedron that is exactly flat, and for a face shared by more than two; GRAZE_OUT_OF_MEMORY. */
graze_result tetrahedra_boundary_find(memory *heap, const double *positions, uint32_t (*tetrahedra)[4], size_t count,
                                      array *triangles);

#endif
