/* graze: two triangles, without a scene: stateless, exact, thread-safe.
 *
 * A triangle is nine finite doubles, corner after corner: x0 y0 z0 x1 y1 z1 x2 y2 z2. It is a closed set, so touching
 * counts as intersecting. It may be degenerate: a segment or a point. */
#ifndef GRAZE_TRIANGLE_H
#define GRAZE_TRIANGLE_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether the two intersect, as rational arithmetic on the given coordinates would decide. */
GRAZE_API bool graze_triangles_intersect(const double a[9], const double b[9]);

/* Computes the intersection, rounded to double. Returns the number of points: 0 (none), 1 (a point), 2 (a segment), 3
 * to 6 (a coplanar polygon). */
GRAZE_API uint32_t graze_triangles_intersection(const double a[9], const double b[9], double points_out[6][3]);

/* Returns the distance between the two triangles, and writes a nearest point of each; 0 exactly when they intersect.
 * The error of the distance is at most 1e-12 of the size of the pair. */
GRAZE_API double graze_triangles_distance(const double a[9], const double b[9], double point_a_out[3],
                                          double point_b_out[3]);

#ifdef __cplusplus
}
#endif

#endif
