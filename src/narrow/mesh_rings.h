/* The distance of two primitives of one object along its mesh, in rings. The first ring of a primitive is the
 * primitives that share a vertex with it, the second those that share a vertex with the first, and so on.
 *
 * Made for one query; each worker has a lane. A lane keeps what the last primitive reached, as candidates of one
 * primitive mostly come in sequence. */
#ifndef GRAZE_NARROW_MESH_RINGS_H
#define GRAZE_NARROW_MESH_RINGS_H

#include "base/memory.h"
#include "broad/primitive_view.h"

/* State of one worker. */
typedef struct ring_lane {
  _Alignas(MEMORY_ALIGNMENT) uint32_t *stamps; /* per vertex: the round that reached it last */
  uint32_t *reached;                           /* vertices reached in the round, in order; capacity for all */
  uint32_t round;                              /* 0: none yet */
  uint32_t primitive;                          /* where the round began */
} ring_lane;

typedef struct mesh_rings {
  const primitive_view *view;
  uint32_t *first;      /* per vertex, and an end: where its primitives begin */
  uint32_t *primitives; /* those with the vertex */
  size_t corner_count;
  ring_lane *lanes;
  uint32_t lane_count;
  size_t ring_count;
} mesh_rings;

/* Builds the tables from the primitives that are not removed. False when out of memory; release it in either case. */
bool mesh_rings_make(mesh_rings *rings, const primitive_view *view, size_t ring_count, uint32_t lane_count,
                     memory *heap);
void mesh_rings_release(mesh_rings *rings, memory *heap);

/* Whether b is in one of the first ring_count rings of a, a primitive of the same object. */
bool mesh_rings_reach(const mesh_rings *rings, uint32_t lane, uint32_t object, uint32_t a, uint32_t b);

#endif
