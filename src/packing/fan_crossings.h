/* Crossings of a mesh with itself where many triangles share a vertex, as around the tip of a cone.
 *
 * The boxes of all triangles of such a fan meet, so that a search by boxes looks at the square of their number. Here
 * two parts of the mesh are told apart by planes as well: by one between them, or by one through a vertex that they
 * share and that alone of their corners lies on it. Then no triangle of one meets one of the other beyond that vertex.
 * Parts that no plane tells apart are cut in halves, and the triangles that are left are tested exactly. Triangles of a
 * fan are in the order of their angles around its middle, so that parts of it are sectors: the work is linear but for a
 * logarithm.
 *
 * GJK guesses planes, and signs of rounded distances that exceed their errors prove them.
 *
 * Workload: meshes of 10^3 to 10^6 triangles with a vertex that hundreds share; others are faster by boxes. */
#ifndef GRAZE_PACKING_FAN_CROSSINGS_H
#define GRAZE_PACKING_FAN_CROSSINGS_H

#include "base/stop_check.h"
#include "packing/closed_mesh.h"

/* A mesh, and of how many triangles each vertex is a corner. */
typedef struct fan_mesh {
  const closed_mesh *mesh;
  const uint32_t *valences;
} fan_mesh;

typedef struct fan_crossings {
  uint64_t count;    /* pairs of triangles that meet beyond what they share (triangle_neighbors.h) */
  uint32_t first[2]; /* the first of them */
  uint64_t work;     /* corners that were projected, and pairs of triangles that were tested */
} fan_crossings;

/* Whether triangles that share a vertex make more pairs than a search by boxes should look at. */
bool mesh_has_fans(const fan_mesh *fans);

/* All pairs. GRAZE_OUT_OF_MEMORY and GRAZE_STOPPED without a message. */
graze_result fan_crossings_find(const fan_mesh *fans, memory *heap, stop_check *stop, fan_crossings *crossings_out);

#endif
