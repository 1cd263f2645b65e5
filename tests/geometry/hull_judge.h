/* An exact judge of the hulls of two sets of points, written from the definition.
 *
 * The hulls share a point exactly when there are weights l, m >= 0, each summing to one, with sum l_i p_i = sum m_j
 * q_j: a linear program, solved by phase one of the simplex method in integers, as rational_oracle.h does it for
 * triangles. It knows no planes, sides or cases. Once in integers of any size (GMP), and once in machine integers for
 * points of a small lattice, which is thirty times faster; the two are compared with each other. */
#ifndef HULL_JUDGE_H
#define HULL_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

enum { HULL_JUDGE_POINTS = 64 }; /* the most a set may have */

typedef struct hull_judge hull_judge;

hull_judge *hull_judge_create(void);
void hull_judge_destroy(hull_judge *judge);

/* Whether the hulls share a point, for any finite coordinates. */
bool hull_judge_intersects(hull_judge *judge, const double *p, uint32_t p_count, const double *q, uint32_t q_count);

/* The same for coordinates that are integers of magnitude at most 500. */
bool lattice_hulls_intersect(const double *p, uint32_t p_count, const double *q, uint32_t q_count);

#endif
