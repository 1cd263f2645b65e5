/* An exact reference for the intersection of the hulls of two sets of points, from the definition.
 *
 * The hulls share a point if and only if there are weights l, m >= 0, each summing to one, with sum l_i p_i = sum m_j
 * q_j: a linear program, solved by phase one of the simplex method in integers, as in rational_oracle.h for triangles.
 * It uses no planes, sides or cases. One version uses integers of any size (GMP); another uses machine integers for
 * points of a small lattice, which is thirty times faster. A test compares the two. */
#ifndef HULL_REFERENCE_H
#define HULL_REFERENCE_H

#include "owned.h"

#include <stdbool.h>
#include <stdint.h>

enum { HULL_REFERENCE_POINTS = 64 }; /* the most a set may have */

typedef struct hull_reference hull_reference;

hull_reference *hull_reference_create(void);
void hull_reference_destroy(hull_reference *reference);
DESTROY_OWNED(hull_reference)

/* Whether the hulls share a point, for any finite coordinates. */
bool hull_reference_intersects(hull_reference *reference, const double *p, uint32_t p_count, const double *q,
                               uint32_t q_count);

/* The same for coordinates that are integers of magnitude at most 500. */
bool lattice_hulls_intersect(const double *p, uint32_t p_count, const double *q, uint32_t q_count);

#endif
