/* Winding numbers in rational arithmetic (GMP), from the definition: signed crossings of a ray in general direction. A
 * direction that hits an edge, a corner or the plane of a triangle is discarded, and another is tried. */
#ifndef GRAZE_TESTS_WINDING_ORACLE_H
#define GRAZE_TESTS_WINDING_ORACLE_H

#include <stddef.h>
#include <stdint.h>

/* Triangles of three numbers each into positions of three doubles each. The point must not lie on one. */
int winding_oracle(const double *positions, const uint32_t *triangles, size_t count, const double point[3]);

#endif
