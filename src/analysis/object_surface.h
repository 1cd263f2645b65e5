/* The surface of an object: its winding numbers around points, whether it is closed (triangles traverse every edge
 * equally often in both directions), and whether its shells face outward.
 *
 * Workload: some objects of up to 10^7 triangles, each once a call. */
#ifndef GRAZE_ANALYSIS_SURFACE_OPENINGS_H
#define GRAZE_ANALYSIS_SURFACE_OPENINGS_H

#include "base/memory.h"
#include "base/stop_check.h"
#include "base/workers.h"
#include "broad/primitive_view.h"

/* The winding numbers of the surface of an object around many points: exact, by posed coordinates.
 *
 * Workload: a surface of up to 10^7 triangles and mostly one point, sometimes as many points as triangles. So the
 * points are sorted into cells and the triangles are visited once, without any structure. Nearly all triangles miss all
 * points, which one byte per vertex shows. */

typedef struct wound_point {
  double place[3];
  _Atomic(int32_t) winding; /* the winding number, if the surface is closed; integer sums do not depend on the order */
  _Atomic(int32_t) crossings; /* of the whole vertical line; not 0: the surface is not closed */
} wound_point;

/* Adds to both numbers of each point; at least one and at most UINT32_MAX points. The source has triangles or polygons,
 * and vertex_count vertices. Linear in its triangles, plus the points in the vertical shadow of each. Ends early on a
 * request to stop. False when out of memory. */
bool surface_winding_count(const object_source *source, size_t vertex_count, workers *team, memory *heap,
                           stop_check *stop_or_null, wound_point *points, size_t count);

/* The number of triangles of the source's primitives that are not removed, and the own vertex numbers of all of them:
 * three per triangle, by primitive. */
size_t surface_triangle_count(const object_source *source);
void surface_copy_triangles(const object_source *source, uint32_t *vertices_out);

/* The own number of the primitive with triangle number `triangle` of those. */
uint32_t surface_triangle_owner(const object_source *source, size_t triangle);

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
