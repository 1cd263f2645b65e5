/* Tests whether the surface of an object is closed: triangles traverse every edge equally often in both directions.
 *
 * Workload: some objects of up to 10^7 triangles, each once a call. */
#ifndef GRAZE_ANALYSIS_SURFACE_OPENINGS_H
#define GRAZE_ANALYSIS_SURFACE_OPENINGS_H

#include "base/memory.h"
#include "broad/primitive_view.h"

/* Edges that are traversed more often in one direction than in the other. */
typedef struct surface_opening {
  uint64_t edge_count;        /* 0: the surface is closed, and the rest is 0 */
  uint32_t element;           /* the first primitive with such an edge, by its own number */
  uint32_t forward, backward; /* how often the edge is traversed from `from` to `to`, and back */
  double from[3], to[3];
} surface_opening;

/* The source has triangles or polygons and vertex_count vertices; vertices with equal posed coordinates count as one.
 * Linear. GRAZE_OUT_OF_MEMORY, or GRAZE_TOO_LARGE for more than UINT32_MAX / 3 triangles; sets no message. */
graze_result surface_openings_find(const object_source *source, size_t vertex_count, memory *heap,
                                   surface_opening *opening_out);

#endif
