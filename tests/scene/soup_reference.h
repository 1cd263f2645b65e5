/* A reference for whole scenes without boxes, cells or filters: rational arithmetic on every pair.
 *
 * It is quadratic and slow: for scenes of about sixty triangles, or for the candidates of a larger one. */
#ifndef GRAZE_TESTS_SOUP_REFERENCE_H
#define GRAZE_TESTS_SOUP_REFERENCE_H

#include "geometry/rational_oracle.h"
#include "graze/graze.h"
#include "mesh_io/mesh.h"

void soup_reference_corners(const mesh *m, uint32_t triangle, double corners_out[9]);

/* Whether the pair is one by the definition of graze/graze.h. */
bool soup_reference_pair(rational_oracle *oracle, const mesh *meshes, const graze_pair *pair,
                         graze_neighbors neighbors);

/* Whether the boxes meet, by comparisons of the given coordinates, and the neighbor rule lets the pair be one. */
bool soup_reference_boxes(const mesh *meshes, const graze_pair *pair, graze_neighbors neighbors);

#endif
