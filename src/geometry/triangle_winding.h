/* The contribution of a triangle to the winding number of its mesh around a point.
 *
 * The generalized winding number of a closed mesh is an integer, which a line upward from the point counts: +1 for each
 * triangle through which it leaves the mesh, -1 for each through which it enters. All signs are exact, and the line is
 * moved by an infinitesimal amount in x, and by its square in y, so that it meets no edge and no corner. There is no
 * rounding and no tolerance: needles, slivers and vertices above each other are counted correctly.
 *
 * Jacobson, Kavan, Sorkine-Hornung, "Robust inside-outside segmentation using generalized winding numbers", 2013;
 * Edelsbrunner, Muecke, "Simulation of Simplicity", 1990. */
#ifndef GRAZE_GEOMETRY_TRIANGLE_WINDING_H
#define GRAZE_GEOMETRY_TRIANGLE_WINDING_H

#include "geometry/orientation.h"

/* The side of the edge on which the moved line passes, seen from above: 0 if the edge has no length in that view. */
GEOMETRY_FUNCTION int line_side(const double *from, const double *to, const double *point, orientation_tally *tally) {
  const int sign = orientation_2d(from[0], from[1], to[0], to[1], point[0], point[1], tally);
  if (sign != 0) return sign;
  if (to[1] != from[1]) return to[1] > from[1] ? -1 : 1;
  return (to[0] > from[0]) - (to[0] < from[0]);
}

/* How the whole line, upward and downward, passes through the triangle: +1, -1, or 0 if it misses it. The sum over a
 * closed mesh is 0. */
GEOMETRY_FUNCTION int line_crossing(const double *corners, const double *point, orientation_tally *tally) {
  const int side = line_side(corners, corners + 3, point, tally);
  if (side == 0 || line_side(corners + 3, corners + 6, point, tally) != side) return 0;
  return line_side(corners + 6, corners, point, tally) == side ? side : 0;
}

/* Whether a triangle that the line crosses to this side is above the point. A point on the triangle counts as above the
 * triangle. */
GEOMETRY_FUNCTION bool crossing_is_above(const double *corners, const double *point, int side,
                                         orientation_tally *tally) {
  return orientation_3d(corners, corners + 3, corners + 6, point, tally) * side < 0;
}

/* +1, -1, or 0 if the upward line misses it. */
GEOMETRY_FUNCTION int triangle_winding(const double *corners, const double *point, orientation_tally *tally) {
  const int side = line_crossing(corners, point, tally);
  return side != 0 && crossing_is_above(corners, point, side, tally) ? side : 0;
}

#endif
