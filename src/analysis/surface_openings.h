/* Whether the surface of an object is closed: every edge is passed as often one way as the other.
 *
 * Workload: some objects of up to 10^7 triangles, each once a call. */
#ifndef GRAZE_ANALYSIS_SURFACE_OPENINGS_H
#define GRAZE_ANALYSIS_SURFACE_OPENINGS_H

#include "base/memory.h"
#include "broad/primitive_view.h"

/* Edges that are passed more often one way than the other. */
typedef struct surface_opening {
  uint64_t edge_count;        /* 0: the surface is closed, and the rest is 0 */
  uint32_t element;           /* the first primitive that has such an edge, by its own number */
  uint32_t forward, backward; /* how often the edge is passed from `from` to `to`, and back */
  double from[3], to[3];
} surface_opening;

/* The source has triangles or polygons and vertex_count vertices, which count as one where their posed coordinates are
 * equal. Linear. GRAZE_OUT_OF_MEMORY, or GRAZE_TOO_LARGE where there are more than UINT32_MAX / 3 triangles; no
 * message. */
graze_result surface_openings_find(const object_source *source, size_t vertex_count, memory *heap,
                                   surface_opening *opening_out);

#endif
