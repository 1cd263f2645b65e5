/* How large a sphere may be around a point whose distance from the nearest obstacle was measured: so much smaller that
 * the exact certificate holds for the sphere as it is written.
 *
 * Coordinates are scaled below 2 (binary_scale.h: below 4 for the largest doubles), where the last place is 2^-52. The
 * nearest point of a triangle is rounded to it, by sqrt(3) / 2 of a place at most; a center and a radius that become
 * subnormal numbers when they are scaled back are rounded to the same place, by sqrt(3) / 2 and 1 / 2, of both spheres
 * where an obstacle is one. That is less than three places, and four are left. All other errors are parts of the
 * distance or of the size of the mesh. */
#ifndef GRAZE_PACKING_SAFE_RADIUS_H
#define GRAZE_PACKING_SAFE_RADIUS_H

#include <math.h>

/* What measured distances are off by, and some room: of the distance, of the mesh's diagonal, and four last places. */
#define MARGIN_PART 0x1p-36
#define MARGIN_DIAGONAL 0x1p-46
#define MARGIN_COORDINATES 0x1p-50

/* The larger of the two has room for both: near the origin the diagonal's, far away that of the coordinates. */
static inline double distance_margin(double diagonal) {
  return fmax(MARGIN_DIAGONAL * diagonal, MARGIN_COORDINATES);
}

static inline double safe_radius(double clearance, double diagonal) {
  return clearance * (1.0 - MARGIN_PART) - distance_margin(diagonal);
}

#endif
