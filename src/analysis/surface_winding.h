/* The winding numbers of the surface of an object around many points: exact, by posed coordinates.
 *
 * Workload: a surface of up to 10^7 triangles and mostly one point, sometimes as many points as triangles. So the
 * points are sorted into cells and the triangles are visited once, without any structure. Nearly all triangles miss all
 * points, which one byte per vertex shows. */
#ifndef GRAZE_ANALYSIS_SURFACE_WINDING_H
#define GRAZE_ANALYSIS_SURFACE_WINDING_H

#include "base/stop_check.h"
#include "base/workers.h"
#include "broad/primitive_view.h"

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

/* The number of triangles of the source's primitives that are not erased, and the own vertex numbers of all of them:
 * three per triangle, by primitive. */
size_t surface_triangle_count(const object_source *source);
void surface_copy_triangles(const object_source *source, uint32_t *vertices_out);

/* The own number of the primitive with triangle number `triangle` of those. */
uint32_t surface_triangle_owner(const object_source *source, size_t triangle);

#endif
