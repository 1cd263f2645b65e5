/* Finds self-intersections of a mesh to be packed, exactly: with a temporary scene, or with planes if many triangles
 * share a vertex (fan_crossings.h). */
#ifndef GRAZE_API_MESH_CROSSINGS_H
#define GRAZE_API_MESH_CROSSINGS_H

#include "base/workers.h"
#include "graze/graze.h"
#include "packing/closed_mesh.h"

typedef struct mesh_crossings {
  uint64_t count;    /* pairs of triangles that meet beyond common corners, up to a limit */
  uint64_t more;     /* 1 if there are more */
  uint32_t first[2]; /* the first pair */
  uint64_t work;     /* candidates of the scene, or steps with planes */
} mesh_crossings;

/* The caller's memory and threads, and a stop check. */
typedef struct crossings_host {
  memory *heap;
  workers *team;
  bool (*should_stop)(void *stop_context);
  void *stop_context;
} crossings_host;

/* Vertices with equal coordinates are identified, whatever their numbers. */
graze_result mesh_crossings_find(const closed_mesh *mesh, const crossings_host *host, mesh_crossings *crossings_out);

#endif
