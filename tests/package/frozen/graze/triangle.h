/* Two triangles, without a scene: stateless, exact, thread-safe.
 *
 * A triangle is nine doubles, corner after corner: x0 y0 z0 x1 y1 z1 x2 y2 z2, all finite. It is a closed set, so that
 * touching counts; it may be degenerate to a segment or a point. */
#ifndef GRAZE_TRIANGLE_H
#define GRAZE_TRIANGLE_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the two have a point in common: the answer of rational arithmetic on the given coordinates. */
GRAZE_API bool graze_triangles_intersect(const double a[9], const double b[9]);

/* The common part, rounded to double: the number of points (0: none, 1: point, 2: segment, 3 to 6: coplanar polygon).
 */
GRAZE_API uint32_t graze_triangles_intersection(const double a[9], const double b[9], double points_out[6][3]);

/* The distance between the two and a nearest point of each; 0 exactly when they intersect. Relative error of the
 * distance at most 1e-12 times the size of the pair over the distance. */
GRAZE_API double graze_triangles_distance(const double a[9], const double b[9], double point_a_out[3],
                                          double point_b_out[3]);

#ifdef __cplusplus
}
#endif

#endif
