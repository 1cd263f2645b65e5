/* Distances to balls in integers of any size (GMP), from the definition.
 *
 * The point of a triangle nearest to a center is a corner, or the foot of the center on an edge that has it, or on the
 * plane where it lies inside. All seven are compared with the radius, by squares of cross products and determinants,
 * and the nearest counts. A solid meets the ball where it holds the center, by a linear program, or where a triangle of
 * three corners does. */
#ifndef RATIONAL_SPHERE_H
#define RATIONAL_SPHERE_H

#include "owned.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rational_sphere rational_sphere;

rational_sphere *rational_sphere_create(void);
void rational_sphere_destroy(rational_sphere *reference);
DESTROY_OWNED(rational_sphere)

/* The sign of |c - d| - (r + s). */
int rational_sphere_pair_order(rational_sphere *reference, const double *c, double r, const double *d, double s);

/* The sign of the distance from c to the hull of three points minus r. */
int rational_sphere_triangle_order(rational_sphere *reference, const double *c, double r,
                                   const double *const corner[3]);

/* Whether the closed ball meets the hull of 1 to 64 points. */
bool rational_sphere_hull_intersects(rational_sphere *reference, const double *c, double r, const double *points,
                                     uint32_t count);

#endif
