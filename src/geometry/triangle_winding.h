/* What a triangle adds to the winding number of its mesh around a point.
 *
 * The generalized winding number of a closed mesh is a whole number, which a line upward from the point counts: +1 for
 * each triangle that it leaves the mesh through, -1 for each that it enters through. All signs are exact, and the line
 * is moved by something infinitely small in x, and by its square in y, so that it meets no edge and no corner. No
 * rounding, no tolerance: needles, slivers and vertices above each other count as they should.
 *
 * Jacobson, Kavan, Sorkine-Hornung, "Robust inside-outside segmentation using generalized winding numbers", 2013;
 * Edelsbrunner, Muecke, "Simulation of Simplicity", 1990. */
#ifndef GRAZE_GEOMETRY_TRIANGLE_WINDING_H
#define GRAZE_GEOMETRY_TRIANGLE_WINDING_H

#include "geometry/orientation.h"

/* On which side of the edge the moved line passes, seen from above: 0 where the edge has no length from there. */
GEOMETRY_FUNCTION int line_side(const double *from, const double *to, const double *point, orientation_tally *tally) {
  const int sign = orientation_2d(from[0], from[1], to[0], to[1], point[0], point[1], tally);
  if (sign != 0) return sign;
  if (to[1] != from[1]) return to[1] > from[1] ? -1 : 1;
  return (to[0] > from[0]) - (to[0] < from[0]);
}

/* How the whole line, upward and downward, passes through the triangle: +1, -1, or 0 where it passes by. The sum over a
 * closed mesh is 0. */
GEOMETRY_FUNCTION int line_crossing(const double *corners, const double *point, orientation_tally *tally) {
  const int side = line_side(corners, corners + 3, point, tally);
  if (side == 0 || line_side(corners + 3, corners + 6, point, tally) != side) return 0;
  return line_side(corners + 6, corners, point, tally) == side ? side : 0;
}

/* Whether a triangle that the line crosses to this side lies above the point. A point on the triangle counts as above
 * it. */
GEOMETRY_FUNCTION bool crossing_is_above(const double *corners, const double *point, int side,
                                         orientation_tally *tally) {
  return orientation_3d(corners, corners + 3, corners + 6, point, tally) * side < 0;
}

/* +1, -1, or 0 where the line upward passes by. */
GEOMETRY_FUNCTION int triangle_winding(const double *corners, const double *point, orientation_tally *tally) {
  const int side = line_crossing(corners, point, tally);
  return side != 0 && crossing_is_above(corners, point, side, tally) ? side : 0;
}

#endif
