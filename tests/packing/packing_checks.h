/* Packings looked at without graze: rational arithmetic about pairs of spheres, loops over all triangles. */
#ifndef GRAZE_TESTS_PACKING_CHECKS_H
#define GRAZE_TESTS_PACKING_CHECKS_H

#include "graze/packing.h"

/* Every pair, in rational arithmetic where doubles leave a doubt; and that radii are positive. */
void assert_no_overlap(const graze_sphere *spheres, size_t count);

/* No triangle reaches into a sphere, as far as doubles can tell, and the triangles (nine numbers each) wind around
 * every centre, by the sum of their solid angles. */
void assert_inside(const graze_sphere *spheres, size_t count, const double *corners, size_t triangle_count);

#endif
