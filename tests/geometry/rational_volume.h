/* The exact volume of the common part of two tetrahedra (GMP), by another way than the library's: the divergence
 * theorem over the boundary of the common part. */
#ifndef RATIONAL_VOLUME_H
#define RATIONAL_VOLUME_H

/* The volume and the first moment (volume times centroid, seen from the first corner of q), rounded at the very end;
 * the numbers must lie within the range of doubles. Any order of corners; zero where one tetrahedron is flat. */
double rational_volume(const double p[12], const double q[12], double moment_out[3]);

/* The exact area of the common part of a triangle and a tetrahedron that is not flat. */
double rational_area(const double t[9], const double q[12]);

/* How far a point lies outside of the half-space that the farthest of the four faces bounds; not positive inside. The
 * tetrahedron is not flat. */
double rational_beyond_faces(const double q[12], const double point[3]);

#endif
