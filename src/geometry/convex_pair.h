/* Decides exactly whether two convex cells share a point.
 *
 * A cell is the hull of its corners, one or more, in any position: flat cells, needles, segments and points are legal,
 * and corners may repeat or be interior. Touching counts. Triangles and tetrahedra are cells of 3 and 4 corners.
 *
 * GJK computes a guess in double precision, which is then proven. Either its direction has all of p above all of q,
 * with a margin above the rounding error; or its four pairs of corners have differences whose tetrahedron contains the
 * origin, by exact signs of 3x3 determinants. hull_separation.h decides the remaining cells, which touch or nearly
 * touch, without help from GJK. So a poor guess costs time but never changes the answer.
 *
 * Workload: every candidate pair of a scene of polyhedra. Nearly all are decided by a direction after 2 to 4 steps. */
#ifndef GRAZE_GEOMETRY_CONVEX_PAIR_H
#define GRAZE_GEOMETRY_CONVEX_PAIR_H

#include "geometry/gjk.h"
#include "geometry/hull_separation.h"

/* The test that decided. */
typedef enum convex_certificate {
  CONVEX_APART_BY_DIRECTION, /* a direction separates them, by a bound on rounding */
  CONVEX_APART_BY_PLANES,    /* hull_separation.h */
  CONVEX_MEET_BY_CORNER,     /* a common corner */
  CONVEX_MEET_BY_SIMPLEX,    /* four pairs of corners, by signs */
  CONVEX_MEET_BY_PLANES,     /* hull_separation.h */
  CONVEX_CERTIFICATE_COUNT
} convex_certificate;

/* The extent of a set along a direction, relative to an origin. */
typedef struct direction_reach {
  double least, greatest, bound;
} direction_reach;

/* Differences have one rounding, products and sums three more: 4 e M with M the sum of the magnitudes of the products,
 * e = 2^-53, and M itself has as many; products may lose 2^-1075 each. False if a value overflows. */
GEOMETRY_FUNCTION bool direction_reach_find(const double *direction, const double *origin, const double *corners,
                                            uint32_t count, direction_reach *reach_out) {
  direction_reach reach = {HUGE_VAL, -HUGE_VAL, 0.0};
  for (uint32_t i = 0; i < count; i++) {
    const double *corner = corners + 3 * (size_t)i;
    const double x = direction[0] * (corner[0] - origin[0]), y = direction[1] * (corner[1] - origin[1]);
    const double z = direction[2] * (corner[2] - origin[2]);
    const double value = (x + y) + z, bound = 4.125 * 0x1p-53 * ((fabs(x) + fabs(y)) + fabs(z)) + 0x1p-1070;
    if (!(bound < HUGE_VAL)) return false;
    reach.least = value < reach.least ? value : reach.least;
    reach.greatest = value > reach.greatest ? value : reach.greatest;
    reach.bound = bound > reach.bound ? bound : reach.bound;
  }
  *reach_out = reach;
  return true;
}

/* Whether the direction certainly has all of p above all of q. The compared difference and sum have one rounding each,
 * which the constant above covers. */
GEOMETRY_FUNCTION bool direction_separates(const double *direction, const double *p, uint32_t p_count, const double *q,
                                           uint32_t q_count) {
  direction_reach p_reach, q_reach;
  if (!direction_reach_find(direction, p, p, p_count, &p_reach)) return false;
  if (!direction_reach_find(direction, p, q, q_count, &q_reach)) return false;
  return p_reach.least - q_reach.greatest > p_reach.bound + q_reach.bound;
}

/* The sign of det [a; b; c] for three differences of corners, each p - q; SIGN_UNDECIDED only for coordinates that
 * expansions do not accept. The filter is that of orientation.h, whose bound counts one rounded difference a factor. */
GEOMETRY_FUNCTION int difference_determinant_sign(const double *const p[3], const double *const q[3],
                                                  orientation_tally *tally) {
  const double zero[3] = {0.0, 0.0, 0.0};
  double difference[3][3];
  for (int i = 0; i < 9; i++) difference[i / 3][i % 3] = p[i / 3][i % 3] - q[i / 3][i % 3];
  const plane_filter plane = plane_filter_make(zero, difference[0], difference[1]);
  int sign = plane_filter_sign(&plane, difference[2]);
  if (sign != SIGN_UNDECIDED) return sign;
  difference_rows rows;
  rows.is_short = true;
  for (int i = 0; i < 3; i++) {
    if (!expansion_accepts_all(p[i], 3) || !expansion_accepts_all(q[i], 3)) return SIGN_UNDECIDED;
    for (int axis = 0; axis < 3; axis++) {
      rows.entry[i][axis] = two_difference(p[i][axis], q[i][axis]);
      rows.is_short = rows.is_short && rows.entry[i][axis].tail == 0.0;
    }
  }
  orientation_tally_raise(tally, TIER_EXPANSION);
  if (rows.is_short && orientation_3d_small_integer(&rows, &sign)) return sign;
  if (orientation_3d_double_double(&rows, &sign)) return sign;
  return orientation_3d_expansion(&rows);
}

/* Whether the tetrahedron of four differences contains the origin: the four determinants that are proportional to its
 * weights have one sign or are zero, and are not all zero. */
GEOMETRY_FUNCTION bool simplex_proves_intersection(const gjk_result *guess, const double *p, const double *q,
                                                   orientation_tally *tally) {
  if (guess->corner_count != 4) return false;
  int side = 0;
  for (int i = 0; i < 4; i++) {
    const double *p_corner[3], *q_corner[3];
    for (int j = 0; j < 3; j++) {
      p_corner[j] = p + 3 * (size_t)guess->p_corner[(i + 1 + j) % 4];
      q_corner[j] = q + 3 * (size_t)guess->q_corner[(i + 1 + j) % 4];
    }
    const int found = difference_determinant_sign(p_corner, q_corner, tally);
    if (found == SIGN_UNDECIDED) return false;
    const int sign = i % 2 == 0 ? found : -found;
    if (sign != 0 && side != 0 && sign != side) return false;
    if (sign != 0) side = sign;
  }
  return side != 0;
}

/* Finds a common corner among the final ones of GJK: cells of a mesh touch in such places. */
GEOMETRY_FUNCTION bool guess_shares_corner(const gjk_result *guess, const double *p, const double *q) {
  for (uint32_t i = 0; i < guess->corner_count; i++) {
    for (uint32_t j = 0; j < guess->corner_count; j++) {
      if (points_equal(p + 3 * (size_t)guess->p_corner[i], q + 3 * (size_t)guess->q_corner[j])) return true;
    }
  }
  return false;
}

/* The answer and the test that decided it. */
GEOMETRY_FUNCTION convex_certificate convex_pair_decide(const double *p, uint32_t p_count, const double *q,
                                                        uint32_t q_count, orientation_tally *tally) {
  gjk_result guess;
  gjk_guess(p, p_count, q, q_count, &guess);
  if (guess.distance > 0.0 && direction_separates(guess.direction, p, p_count, q, q_count))
    return CONVEX_APART_BY_DIRECTION;
  if (guess_shares_corner(&guess, p, q)) return CONVEX_MEET_BY_CORNER;
  if (simplex_proves_intersection(&guess, p, q, tally)) return CONVEX_MEET_BY_SIMPLEX;
  const hull_separation separation = hull_separation_find(p, p_count, q, q_count, tally);
  return separation.meets ? CONVEX_MEET_BY_PLANES : CONVEX_APART_BY_PLANES;
}

/* Whether the hulls of p_count and q_count points share a point. Counts are at least one, coordinates finite. */
GEOMETRY_LARGE_FUNCTION bool convex_pair_intersects(const double *p, uint32_t p_count, const double *q,
                                                    uint32_t q_count, orientation_tally *tally) {
  const convex_certificate certificate = convex_pair_decide(p, p_count, q, q_count, tally);
  return certificate >= CONVEX_MEET_BY_CORNER;
}

#endif
