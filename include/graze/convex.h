/* graze: two convex cells, without a scene: stateless, thread-safe, no allocation.
 *
 * A cell is the convex hull of `count` corners, given as 3 * count finite doubles, x y z for each corner, in any order.
 * Corners may repeat or lie inside, and the hull may be flat, a segment or a point: a triangle is a cell of three
 * corners, a tetrahedron one of four. A cell is a closed set, so touching counts as intersecting. A cell without
 * corners is empty and intersects nothing. The number of corners is not limited, but the two counts must not sum to
 * more than 2^32 - 1. The cost is linear in the number of corners. */
#ifndef GRAZE_CONVEX_H
#define GRAZE_CONVEX_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether the two intersect, as rational arithmetic on the given coordinates would decide. */
GRAZE_API bool graze_convex_intersect(const double *a, uint32_t a_count, const double *b, uint32_t b_count);

/* Returns the distance between the two cells, and writes a nearest point of each. The distance is 0 exactly when they
 * intersect; both points are then one common point, up to rounding. The error is at most 1e-12 of the size of the pair.
 * If a cell is empty, the distance is infinite and no points are written. It is also infinite if it exceeds the largest
 * double. */
GRAZE_API double graze_convex_distance(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                                       double point_a_out[3], double point_b_out[3]);

/* Finds the least translation that separates the two cells: moving b by depth along the unit normal makes them touch.
 * Returns false, and writes nothing, if they do not intersect. The depth is 0 exactly when they only touch. The
 * translation separates them, and is the least, up to 1e-12 of the size of the pair. For round cells of a hundred or
 * more corners the search may end early: the translation still separates them but may not be the least. */
GRAZE_API bool graze_convex_penetration(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                                        double normal_out[3], double *depth_out);

#ifdef __cplusplus
}
#endif

#endif
