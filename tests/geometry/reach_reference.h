/* Decides exactly whether the distance of two hulls is below, at or above a sum of three doubles, in integers of any
 * size (GMP), from the definition.
 *
 * Two hulls that do not intersect have nearest points inside a corner and a corner, an edge or a triangle, or inside
 * two edges: the segment between the points is perpendicular to both features, so larger features have a smaller pair
 * that is as near. All pairs of such features are solved by the normal equations, with any three corners as a triangle,
 * and the squared distance of each solution inside its features is compared with the square of the sum. A linear
 * program decides whether the hulls intersect (hull_reference.h). Without order, search or bounds, this is slow, but
 * correct for hulls of a dozen corners. */
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
