/* How far two primitives of one object are apart along its mesh, in rings: those that share a vertex with a primitive
 * are its first ring, those that share one with them its second, and so on.
 *
 * Made for one query; each worker asks with a lane of its own. What it reached from the last primitive is kept, as
 * candidates of one primitive mostly follow each other. */
#ifndef GRAZE_NARROW_MESH_RINGS_H
#define GRAZE_NARROW_MESH_RINGS_H

#include "base/memory.h"
#include "broad/primitive_view.h"

/* A worker's own. */
typedef struct ring_lane {
  _Alignas(MEMORY_ALIGNMENT) uint32_t *stamps; /* a vertex each: the round in which it was reached last */
  uint32_t *reached;                           /* vertices of the round, as they were reached; room for all */
  uint32_t round;                              /* 0: none yet */
  uint32_t primitive;                          /* that the round began at */
} ring_lane;

typedef struct mesh_rings {
  const primitive_view *view;
  uint32_t *first;      /* a vertex each and the end: where its primitives begin */
  uint32_t *primitives; /* that have the vertex */
  size_t corner_count;
  ring_lane *lanes;
  uint32_t lane_count;
  size_t ring_count;
} mesh_rings;

/* Of primitives that are there; false when out of memory. To be released in any case. */
bool mesh_rings_make(mesh_rings *rings, const primitive_view *view, size_t ring_count, uint32_t lane_count,
                     memory *heap);
void mesh_rings_release(mesh_rings *rings, memory *heap);

/* Whether b is in one of the first ring_count rings of a, a primitive of the same object. */
bool mesh_rings_reach(const mesh_rings *rings, uint32_t lane, uint32_t object, uint32_t a, uint32_t b);

#endif
