/* Two convex cells, without a scene: stateless, thread-safe, no allocation.
 *
 * A cell is the convex hull of its corners: 3 * count doubles, x y z after x y z, all finite, in any order and any
 * position. Corners may repeat, lie inside, or make the cell flat, a segment or a point; a triangle is a cell of three
 * corners, a tetrahedron one of four. It is a closed set, so that touching counts. A cell of no corners is the empty
 * set, which meets nothing. There is no largest number of corners; cost grows linearly with it. The two counts may sum
 * to at most 2^32 - 1. */
#ifndef GRAZE_CONVEX_H
#define GRAZE_CONVEX_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the two have a point in common: the answer of rational arithmetic on the given coordinates. */
GRAZE_API bool graze_convex_intersect(const double *a, uint32_t a_count, const double *b, uint32_t b_count);

/* The distance between the two and a nearest point of each; 0 exactly when they intersect, and then both points are one
 * that they share, up to rounding. The distance is off by at most 1e-12 of the size of the pair. Infinite, and no
 * points written, where one of the two is empty; infinite also where the distance exceeds the largest double. */
GRAZE_API double graze_convex_distance(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                                       double point_a_out[3], double point_b_out[3]);

/* The least move that separates the two: b moved by depth along the unit normal touches a, moved further it is apart.
 * False, and nothing written, where they do not intersect; depth 0 exactly where they only touch. The move separates
 * them up to rounding, 1e-12 of the size of the pair, and is the least up to as much. For round cells of a hundred
 * corners and more the search may end early; the move then still separates them but may not be the least. */
GRAZE_API bool graze_convex_penetration(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                                        double normal_out[3], double *depth_out);

#ifdef __cplusplus
}
#endif

#endif
