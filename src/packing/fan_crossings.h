/* Crossings of a mesh with itself where many triangles share a vertex, as around the tip of a cone.
 *
 * The boxes of all triangles of such a fan meet, so a search by boxes tests the square of their number. Here two parts
 * of the mesh are also separated by planes: by one between them, or by one that contains a common vertex and no other
 * corner of them. Then no triangle of one meets one of the other except at that vertex. Parts that no plane separates
 * are halved, and the remaining triangles are tested exactly. Triangles of a fan are sorted by angle around its axis,
 * so parts of it are sectors: the work is linear up to a logarithm.
 *
 * GJK proposes planes; signs of rounded distances that exceed their errors prove them.
 *
 * Workload: meshes of 10^3 to 10^6 triangles with a vertex shared by hundreds; for others boxes are faster. */
#ifndef GRAZE_PACKING_FAN_CROSSINGS_H
#define GRAZE_PACKING_FAN_CROSSINGS_H

#include "base/stop_check.h"
#include "packing/closed_mesh.h"

/* A mesh, and the number of triangles at each vertex. */
typedef struct fan_mesh {
  const closed_mesh *mesh;
  const uint32_t *valences;
} fan_mesh;

typedef struct fan_crossings {
  uint64_t count;    /* pairs of triangles that meet beyond their common corners (triangle_neighbors.h) */
  uint32_t first[2]; /* the first of them */
  uint64_t work;     /* projected corners, and tested pairs of triangles */
} fan_crossings;

/* Whether triangles that share a vertex form too many pairs for a search by boxes. */
bool mesh_has_fans(const fan_mesh *fans);

/* Finds all pairs. GRAZE_OUT_OF_MEMORY and GRAZE_STOPPED without a message. */
graze_result fan_crossings_find(const fan_mesh *fans, memory *heap, stop_check *stop, fan_crossings *crossings_out);

#endif
