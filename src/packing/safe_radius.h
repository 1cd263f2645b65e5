/* The radius of a sphere around a point with a measured distance from the nearest obstacle. It is reduced such that the
 * exact certificate holds for the stored sphere.
 *
 * Coordinates are scaled below 2 (binary_scale.h: below 4 for the largest doubles), where the last place is 2^-52. The
 * nearest point of a triangle is rounded to it, by at most sqrt(3) / 2 of a place. A center and a radius that become
 * subnormal when they are scaled back are rounded to the same place, by sqrt(3) / 2 and 1 / 2, for both spheres if an
 * obstacle is one. That is less than three places; four are reserved. All other errors are relative to the distance or
 * to the size of the mesh. */
#ifndef GRAZE_PACKING_SAFE_RADIUS_H
#define GRAZE_PACKING_SAFE_RADIUS_H

#include <math.h>

/* Bounds, with a reserve, of the error of measured distances: relative to the distance, to the mesh's diagonal, and
 * four last places. */
#define MARGIN_PART 0x1p-36
#define MARGIN_DIAGONAL 0x1p-46
#define MARGIN_COORDINATES 0x1p-50

/* The larger of the two covers both: near the origin that of the diagonal, far away that of the coordinates. */
static inline double distance_margin(double diagonal) {
  return fmax(MARGIN_DIAGONAL * diagonal, MARGIN_COORDINATES);
}

static inline double safe_radius(double clearance, double diagonal) {
  return clearance * (1.0 - MARGIN_PART) - distance_margin(diagonal);
}

#endif
