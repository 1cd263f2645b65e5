/* The exact distance of two convex hulls of up to three points each, in rational arithmetic (GMP), from the definition.
 *
 * The nearest points lie inside a face of each hull (corner, edge or the whole); there they are the nearest points of
 * the two affine hulls, with weights that are not negative. So all pairs of faces are solved and the least of those
 * that qualify is the distance. Slow: for thousands of pairs, not millions. */
#ifndef RATIONAL_DISTANCE_H
#define RATIONAL_DISTANCE_H

/* Rounded to double at the end only. */
double rational_distance(const double *p, int p_count, const double *q, int q_count);

#endif
