/* Is the distance of two hulls below, at or above a sum of three doubles? In integers of any size (GMP), from the
 * definition.
 *
 * Two hulls that do not meet have nearest points inside a corner and a corner, an edge or a triangle, or inside two
 * edges: the way between the points is across both features, so that larger ones have a smaller pair as near. All pairs
 * of such features are solved by the normal equations, triangles being any three corners, and the squared distance of
 * each that has its solution inside is compared with the square of the sum. Whether they meet is a linear program
 * (hull_reference.h). No order, no search, no bound: slow, and right for hulls of a dozen corners. */
#ifndef REACH_REFERENCE_H
#define REACH_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct reach_reference reach_reference;

reach_reference *reach_reference_create(void);
void reach_reference_destroy(reach_reference *reference);

/* The pair that the questions are about. The corners are read here. */
void reach_reference_set(reach_reference *reference, const double *p, uint32_t p_count, const double *q,
                         uint32_t q_count);

/* The sign of the distance minus the sum of three finite doubles, which may be negative. */
int reach_reference_order(reach_reference *reference, double first, double second, double third);

#endif
