/* Tests whether the surface of an object is closed: triangles traverse every edge equally often in both directions;
 * and whether its shells face outward.
 *
 * Workload: some objects of up to 10^7 triangles, each once a call. */
#ifndef GRAZE_ANALYSIS_SURFACE_OPENINGS_H
#define GRAZE_ANALYSIS_SURFACE_OPENINGS_H

#include "base/memory.h"
#include "base/workers.h"
#include "broad/primitive_view.h"

/* Edges that are traversed more often in one direction than in the other. */
typedef struct surface_opening {
  uint64_t edge_count;        /* 0: the surface is closed */
  uint64_t open_count;        /* those of a single triangle */
  uint64_t reversed_count;    /* those of an even number of triangles: some of these are oriented the wrong way */
  uint64_t crowded_count;     /* edges of three triangles or more, whatever their directions */
  uint32_t element;           /* the first primitive with an edge of edge_count, by its own number; if there is none, */
  uint32_t forward, backward; /* how often the edge is traversed from `from` to `to`, and back; the rest is 0 */
  double from[3], to[3];
} surface_opening;

/* What is counted: everything, or only edge_count, which is faster for surfaces that are closed by vertex numbers. */
typedef enum opening_search { OPENING_ALL_COUNTS, OPENING_IS_CLOSED } opening_search;

/* The source has triangles or polygons and vertex_count vertices; vertices with equal posed coordinates count as one.
 * Linear. GRAZE_OUT_OF_MEMORY, or GRAZE_TOO_LARGE for more than UINT32_MAX / 3 triangles; sets no message. */
graze_result surface_openings_find(const object_source *source, size_t vertex_count, memory *heap,
                                   opening_search wanted, surface_opening *opening_out);

/* The shells of a closed surface that face inward and are no cavities. */
typedef struct surface_inversion {
  uint32_t shell_count;
  uint32_t element; /* the first primitive of such a shell, by its own number; 0 if there is none */
} surface_inversion;

/* As above; nearly linear. */
graze_result surface_inversion_find(const object_source *source, size_t vertex_count, workers *team, memory *heap,
                                    surface_inversion *inversion_out);

#endif
