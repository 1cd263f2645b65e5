/* An exact reference of pairs of convex hulls in integers of any size (GMP), written from the definition.
 *
 * Two hulls share a point exactly when there are weights l, m >= 0, each summing to one, with sum l_i p_i = sum m_j
 * q_j. That is a linear program, and the reference solves it: phase one of the simplex method, in integers. It knows no
 * planes, sides or cases; a triangle or tetrahedron degenerate to a segment or a point is nothing special to it. */
#ifndef RATIONAL_ORACLE_H
#define RATIONAL_ORACLE_H

#include "owned.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rational_oracle rational_oracle;

rational_oracle *rational_oracle_create(void);
void rational_oracle_destroy(rational_oracle *oracle);
DESTROY_OWNED(rational_oracle)

enum { RATIONAL_ORACLE_MOST_POINTS = 32 };

/* Whether the convex hulls of some points and some others share a point: 1 to RATIONAL_ORACLE_MOST_POINTS each. */
bool rational_oracle_hulls_intersect(rational_oracle *oracle, const double *p, int p_count, const double *q,
                                     int q_count);

/* Whether the convex hulls of three and three points share a point. */
bool rational_oracle_intersects(rational_oracle *oracle, const double p[9], const double q[9]);

/* The rule for triangles with common vertices: one, the edge opposite to it in one meets the other; two, the normals of
 * (edge, third corner) are parallel and point the same way; three, never. */
bool rational_oracle_intersects_beyond(rational_oracle *oracle, const double p[9], const double q[9],
                                       uint32_t shared_count, const uint32_t *p_corners, const uint32_t *q_corners);

/* The sign of det [b - a; c - a; d - a], and of (b - a) x (c - a). */
int rational_oracle_orientation_3d(rational_oracle *oracle, const double *a, const double *b, const double *c,
                                   const double *d);
int rational_oracle_orientation_2d(rational_oracle *oracle, const double *a, const double *b, const double *c);

#endif
