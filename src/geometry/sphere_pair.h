/* Decides whether a closed ball shares a point with another, a triangle or a solid. The answers are those of rational
 * arithmetic on the given doubles: touching counts, a radius of zero is a point, degenerate pieces are legal.
 *
 * Every test is the sign of a distance minus a radius, which also distinguishes touching (0) from overlapping (-1).
 * Doubles decide it with a certificate (sphere_filter.h), otherwise integers do (sphere_exact.h). A solid needs no
 * separate sign: if the center is not in it, its nearest point is on the boundary. The boundary of a tetrahedron is
 * four triangles; that of a hull is contained in the triangles of three of its corners, and these are in the hull.
 *
 * Radii must be finite and not negative, coordinates finite.
 *
 * Workload: every candidate of a scene with balls, millions a frame. */
#ifndef GRAZE_GEOMETRY_SPHERE_PAIR_H
#define GRAZE_GEOMETRY_SPHERE_PAIR_H

#include "geometry/convex_pair.h"
#include "geometry/sphere_exact.h"
#include "geometry/sphere_filter.h"
#include "geometry/sphere_nearest.h"
#include "geometry/tetrahedron_planes.h"

/* ---------------------------------------------------------------------------------------------- two balls */

/* The sign of |c - d|^2 - (r + s)^2, after the filter has failed. */
GEOMETRY_SLOW_FUNCTION int sphere_pair_decide(const double *c, double r, const double *d, double s,
                                              orientation_tally *tally) {
  const int sign = sphere_pair_filtered_scaled(c, r, d, s);
  return sign == SIGN_UNDECIDED ? sphere_pair_exact(c, r, d, s, tally) : sign;
}

/* The sign of |c - d|^2 - (r + s)^2. */
GEOMETRY_FUNCTION int sphere_pair_order(const double *c, double r, const double *d, double s,
                                        orientation_tally *tally) {
  const int sign = sphere_pair_filtered(c, r, d, s);
  if (GEOMETRY_UNLIKELY(sign == SIGN_UNDECIDED)) return sphere_pair_decide(c, r, d, s, tally);
  return sign;
}

/* Whether the closed balls share a point. */
GEOMETRY_FUNCTION bool sphere_pair_intersects(const double *c, double r, const double *d, double s,
                                              orientation_tally *tally) {
  return sphere_pair_order(c, r, d, s, tally) <= 0;
}

/* Whether the distance of the centers is less than the sum of the radii: for positive radii, whether the interiors
 * meet. */
GEOMETRY_FUNCTION bool spheres_overlap(const double *c, double r, const double *d, double s, orientation_tally *tally) {
  return sphere_pair_order(c, r, d, s, tally) < 0;
}

/* ---------------------------------------------------------------------------------------------- triangles */

/* The filter's answer for sphere_triangle_order, or SIGN_UNDECIDED. */
GEOMETRY_FUNCTION int sphere_triangle_filtered(const double *c, double r, const double *triangle) {
  const double *const corner[3] = {triangle, triangle + 3, triangle + 6};
  const sphere_guess guess = sphere_guess_triangle(c, corner);
  return sphere_guess_sign(c, r, &guess, triangle, 3);
}

/* The sign of the distance from c to the closed triangle minus r. */
GEOMETRY_FUNCTION int sphere_triangle_order(const double *c, double r, const double *triangle,
                                            orientation_tally *tally) {
  const int sign = sphere_triangle_filtered(c, r, triangle);
  if (GEOMETRY_UNLIKELY(sign == SIGN_UNDECIDED)) return sphere_triangle_exact(c, r, triangle, tally);
  return sign;
}

/* Whether the closed ball and the closed triangle share a point. */
GEOMETRY_FUNCTION bool sphere_triangle_intersects(const double *c, double r, const double *triangle,
                                                  orientation_tally *tally) {
  return sphere_triangle_order(c, r, triangle, tally) <= 0;
}

/* Whether the triangle has a point in the interior of the ball, not only on its surface. */
GEOMETRY_FUNCTION bool sphere_crosses_triangle(const double *c, double r, const double *triangle,
                                               orientation_tally *tally) {
  return sphere_triangle_order(c, r, triangle, tally) < 0;
}

/* ---------------------------------------------------------------------------------------------- tetrahedra */

/* The filter's answer for sphere_tetrahedron_intersects: 1, 0, or SIGN_UNDECIDED, as for a ball inside. */
GEOMETRY_FUNCTION int sphere_tetrahedron_filtered(const double *c, double r, const double *corners) {
  for (int face = 0; face < TETRAHEDRON_FACES; face++) {
    const double *corner[3];
    tetrahedron_face(corners, face, corner);
    const sphere_guess guess = sphere_guess_triangle(c, corner);
    const int sign = sphere_guess_sign(c, r, &guess, corners, 4);
    if (sign != SIGN_UNDECIDED) return sign < 0;
  }
  return SIGN_UNDECIDED;
}

GEOMETRY_SLOW_FUNCTION bool sphere_tetrahedron_decide(const double *c, double r, const double *corners,
                                                      orientation_tally *tally) {
  const int volume = tetrahedron_volume_sign(corners, tally);
  if (volume != 0 && tetrahedron_contains(corners, volume, c, tally)) return true;
  for (int face = 0; face < TETRAHEDRON_FACES; face++) {
    double triangle[9];
    tetrahedron_face_triangle(corners, face, triangle);
    if (sphere_triangle_intersects(c, r, triangle, tally)) return true;
  }
  return false;
}

/* Whether the closed ball and the closed tetrahedron share a point. */
GEOMETRY_FUNCTION bool sphere_tetrahedron_intersects(const double *c, double r, const double *corners,
                                                     orientation_tally *tally) {
  const int answer = sphere_tetrahedron_filtered(c, r, corners);
  if (answer == SIGN_UNDECIDED) return sphere_tetrahedron_decide(c, r, corners, tally);
  return answer != 0;
}

/* ---------------------------------------------------------------------------------------------- hulls */

GEOMETRY_FUNCTION bool sphere_meets_corners(const double *c, double r, const double *a, const double *b,
                                            const double *d, orientation_tally *tally) {
  double triangle[9];
  for (int axis = 0; axis < 3; axis++) {
    triangle[axis] = a[axis];
    triangle[3 + axis] = b[axis];
    triangle[6 + axis] = d[axis];
  }
  return sphere_triangle_intersects(c, r, triangle, tally);
}

/* The final corners of GJK, 1 to 3 of them, as a triangle. */
GEOMETRY_FUNCTION void sphere_guess_corners(const sphere_guess *guess, double triangle_out[9]) {
  for (int i = 0; i < 9; i++) {
    const uint32_t corner = (uint32_t)(i / 3);
    triangle_out[i] = guess->corner[corner < guess->count ? corner : guess->count - 1][i % 3];
  }
}

/* For a center outside the hull: whether any triangle of three corners meets the ball. A triangle whose corners are all
 * certainly beyond the guessed direction cannot, so only the triangles of the other corners are tried: nearly always a
 * few corners, and the filter decides nearly all their triangles. Reached if the guess was not the nearest point. */
GEOMETRY_SLOW_FUNCTION bool sphere_meets_any_triangle(const double *c, double r, const double *direction,
                                                      const double *points, uint32_t count, orientation_tally *tally) {
  if (count < 3) return sphere_meets_corners(c, r, points, points + 3 * (size_t)(count - 1), points, tally);
  for (uint32_t i = 0; i < count; i++) {
    const double *near = points + 3 * (size_t)i;
    if (sphere_certainly_apart(c, r, direction, near, 1)) continue;
    for (uint32_t j = 1; j < count; j++) {
      for (uint32_t k = 0; k < j; k++) {
        if (sphere_meets_corners(c, r, near, points + 3 * (size_t)j, points + 3 * (size_t)k, tally)) return true;
      }
    }
  }
  return false;
}

/* Decides after the certificates have failed: the ball and the hull touch or nearly do, or the center is inside. Four
 * corners of GJK indicate the latter. Three or fewer nearly always contain the nearest point, and then both answers are
 * proven. */
GEOMETRY_SLOW_FUNCTION bool sphere_convex_decide(const double *c, double r, const sphere_guess *guess,
                                                 const double *points, uint32_t count, orientation_tally *tally) {
  if (guess->count <= 3) {
    double triangle[9];
    sphere_guess_corners(guess, triangle);
    if (sphere_triangle_intersects(c, r, triangle, tally)) return true;
    if (sphere_feature_is_nearest(c, triangle, guess->count, points, count, tally)) return false;
  }
  if (convex_pair_intersects(c, 1, points, count, tally)) return true;
  return r > 0.0 && sphere_meets_any_triangle(c, r, guess->direction, points, count, tally);
}

/* Whether the closed ball and the hull of count points, at least one, share a point. */
GEOMETRY_FUNCTION bool sphere_convex_intersects(const double *c, double r, const double *points, uint32_t count,
                                                orientation_tally *tally) {
  gjk_result nearest;
  sphere_guess guess;
  gjk_distance(c, 1, points, count, &nearest);
  guess.count = nearest.corner_count;
  for (uint32_t i = 0; i < guess.count; i++) {
    guess.corner[i] = points + 3 * (size_t)nearest.q_corner[i];
    guess.weight[i] = nearest.weight[i];
  }
  for (int axis = 0; axis < 3; axis++) guess.direction[axis] = nearest.direction[axis];
  const int sign = sphere_guess_sign(c, r, &guess, points, count);
  if (sign == SIGN_UNDECIDED) return sphere_convex_decide(c, r, &guess, points, count, tally);
  return sign < 0;
}

#endif
