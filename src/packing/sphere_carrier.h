/* Spheres carried by a body of tetrahedra from frame to frame.
 *
 * A sphere's new radius is the least of three: the radius that its tetrahedron's map leaves (deforming_body.h), the
 * distance of its center from the moved surface, and, for each sphere that it would overlap, its radius times the ratio
 * of the centers' distance to the sum of both radii. The last needs one round: each of two overlapping spheres shrinks
 * by the ratio of this pair or more, so that the sum of the radii fits, and no other pair begins to overlap. All values
 * are rounded down.
 *
 * Coordinates are scaled by a power of two per frame, as in the packer.
 *
 * Workload: 10^3 to 10^5 spheres and 10^3 to 10^6 tetrahedra, for many frames; memory is kept between frames. */
#ifndef GRAZE_PACKING_SPHERE_CARRIER_H
#define GRAZE_PACKING_SPHERE_CARRIER_H

#include "graze/packing.h"
#include "packing/deforming_body.h"
#include "packing/obstacle_tree_build.h"

typedef struct sphere_carrier {
  memory *heap;
  graze_workers *team;
  size_t vertex_count, tetrahedron_count, sphere_count;
  double *positions; /* of the frame, scaled */
  uint32_t (*tetrahedra)[4];
  array triangles; /* uint32_t[3]: of the surface */
  double *corners; /* nine a triangle of the surface, scaled */
  carried_sphere *spheres;
  double *factors; /* of the radii, one per sphere */
  obstacle_tree_memory room;
  obstacle_tree surface_tree;
  double scale, diagonal;
} sphere_carrier;

/* Allocates, with factors of 0. The counts, the memory and the workers are set. False when out of memory; release it in
 * either case. */
bool sphere_carrier_reserve(sphere_carrier *carrier);
void sphere_carrier_release(sphere_carrier *carrier);

/* Binds each sphere to the tetrahedron that contains its center, and finds the surface. GRAZE_INVALID_ARGUMENT for a
 * center in no tetrahedron (UINT32_MAX) and for bodies without a surface; GRAZE_OUT_OF_MEMORY. */
graze_result sphere_carrier_bind(sphere_carrier *carrier, const graze_carrier_def *def, const uint32_t *tetrahedron_of);

/* Reads the positions of a frame and writes each sphere at its new place, with the largest radius that other spheres
 * allow for. False when out of memory. */
bool sphere_carrier_place(sphere_carrier *carrier, const graze_view *positions, graze_sphere *spheres_out);

/* Shrinks spheres so that those of the pairs no longer overlap. */
void sphere_carrier_keep_apart(sphere_carrier *carrier, const graze_pair *pairs, size_t count, graze_sphere *spheres);

#endif
