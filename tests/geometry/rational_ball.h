/* The smallest enclosing ball in rational numbers (GMP), from the definition: of all balls that have two, three or four
 * of the points on their boundary and the center in the affine hull of these, the smallest that encloses all points. */
#ifndef RATIONAL_BALL_H
#define RATIONAL_BALL_H

/* The radius, rounded at the very end. Tries every set of up to four points: meant for a dozen points at most. */
double rational_ball_radius(const double *points, int count);

#endif
