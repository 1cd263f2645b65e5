/* Checks packings independently of graze: pairs of spheres, and spheres and triangles, in rational arithmetic. */
#ifndef GRAZE_TESTS_PACKING_CHECKS_H
#define GRAZE_TESTS_PACKING_CHECKS_H

#include "graze/packing.h"

/* Every pair, in rational arithmetic where doubles leave a doubt; and that radii are positive. */
void assert_no_overlap(const graze_sphere *spheres, size_t count);

/* No triangle (nine numbers each) reaches into a sphere, in rational arithmetic where doubles leave a doubt, and the
 * triangles wind around every center, by the sum of their solid angles: a whole number, as each center is then as far
 * from them as its radius. */
void assert_inside(const graze_sphere *spheres, size_t count, const double *corners, size_t triangle_count);

#endif
