/* The mesh to be filled: checked, scaled, measured.
 *
 * A mesh is closed if every edge is traversed equally often in both directions; vertices with equal coordinates count
 * as one. Then its winding number around every point is an integer (obstacle_tree.h). */
#ifndef GRAZE_PACKING_CLOSED_MESH_H
#define GRAZE_PACKING_CLOSED_MESH_H

#include "base/array.h"
#include "graze/graze.h"

#include <stddef.h>
#include <stdint.h>

typedef struct closed_mesh {
  double *corners; /* nine per triangle, scaled by 2^-exponent, see scaling_exponent */
  size_t triangle_count;
  size_t vertex_count; /* distinct positions */
  uint32_t *vertices;  /* three per triangle: numbers of positions */
  int exponent;
  double least[3], greatest[3], diagonal; /* scaled, too */
  double volume;                          /* the exact signed sum, rounded once; never negative, */
  bool inverted;                          /* as a mesh whose triangles face inward is inverted */
  uint64_t shells;                        /* parts that share no vertex */
  uint64_t outward_shells, inward_shells; /* by the sign of the volume of each, after inverting */
} closed_mesh;

/* Copies and checks; each failure sets a message. Call closed_mesh_release in either case. */
graze_result closed_mesh_read(closed_mesh *target, memory *heap, const graze_view *positions,
                              const graze_view *triangles);
void closed_mesh_release(closed_mesh *target, memory *heap);

/* The volume that a closed mesh encloses: the sum over its triangles of the volume between each and the origin, exact
 * until a single rounding at the end. Regions with winding number two count twice, those with a negative one count
 * negative. */

/* Nine numbers per triangle, at most 4. Coordinates below 2^-300 count as zero. */
double mesh_volume(const double *corners, size_t triangle_count);

/* The same for the given triangles only. */
double mesh_part_volume(const double *corners, const uint32_t *triangles, size_t count);

/* The edges that are not traversed equally often in both directions, and the first of them, by the first triangle that
 * has it. */
typedef struct mesh_hole {
  size_t edges;    /* number of such edges; 0: the mesh is closed */
  size_t open;     /* those of a single triangle */
  size_t reversed; /* those of an even number of triangles, some of which are oriented the wrong way */
  size_t crowded;  /* edges of three triangles or more, whatever their directions */
  size_t triangle;
  int corner;                 /* where the edge begins */
  uint32_t forward, backward; /* how often it is traversed to the higher number, and to the lower */
} mesh_hole;

/* Numbers points of three doubles each, in the order of their first occurrence; equal points get the same number.
 * Linear. False when out of memory. */
bool mesh_places_number(const double *points, size_t count, memory *heap, uint32_t *numbers_out,
                        size_t *place_count_out);

/* Searches triangles, each of three numbers below vertex_count, for holes; a triangle that repeats a number has no
 * edges. Linear. False when out of memory. */
bool mesh_holes_find(const uint32_t *vertices, size_t triangle_count, size_t vertex_count, memory *heap,
                     mesh_hole *hole_out);

/* Numbers the positions of vertices, fills vertices, vertex_count and the numbers of shells, and searches for holes.
 * Linear. False when out of memory. */
bool mesh_edges_check(closed_mesh *target, memory *heap, mesh_hole *hole_out);

/* Sets the message about a mesh that is not closed. */
graze_result mesh_hole_fail(const closed_mesh *target, const mesh_hole *hole);

#endif
