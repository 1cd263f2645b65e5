/* Where a mesh that is to be packed crosses itself: found exactly, by a scene of its own, or by planes where many
 * triangles share a vertex (fan_crossings.h). */
#ifndef GRAZE_API_MESH_CROSSINGS_H
#define GRAZE_API_MESH_CROSSINGS_H

#include "base/workers.h"
#include "graze/graze.h"
#include "packing/closed_mesh.h"

typedef struct mesh_crossings {
  uint64_t count;    /* pairs of triangles that meet beyond what they share, as far as they were counted, */
  uint64_t more;     /* and 1 where there are more */
  uint32_t first[2]; /* the first pair */
  uint64_t work;     /* candidates of the scene, or the work of the planes */
} mesh_crossings;

/* Who asks: by whose memory and threads, and what may stop it. */
typedef struct crossings_host {
  memory *heap;
  workers *team;
  bool (*should_stop)(void *stop_context);
  void *stop_context;
} crossings_host;

/* Vertices are one where their coordinates are equal, whatever numbers the caller gave them. */
graze_result mesh_crossings_find(const closed_mesh *mesh, const crossings_host *host, mesh_crossings *crossings_out);

#endif
