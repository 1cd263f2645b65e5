/* A radius that no sphere exceeds which still fits into a packing: by branch and bound over cubes of space.
 *
 * Let g(p) be how far p is from the nearest obstacle, a triangle or a placed sphere; negative within a sphere. It
 * changes by no more than the way. Let c be the center of a cube, h half its diagonal, and p a free point in it.
 *   - Where the mesh winds around c: g(p) <= g(c) + h.
 *   - Where it does not: the way from c to p, no longer than h, meets the mesh at some s, with |s - c| >= d, the
 *     distance of c from the mesh. So g(p) <= |p - s| <= h - d.
 * A cube whose bound is below the largest gap that was found, or within a hundredth above, is done with; others are cut
 * into eight. It ends when none is left, or when so many cubes were looked at as the budget allows; the largest bound
 * of those that are left then is the answer. Either way it is proven (docs/theory/packing.md).
 *
 * Workload: a packing of 10^2 spheres needs some 10^4 cubes, and ten times as many spheres ten times as many; each
 * costs what a step of a prototype does. */
#ifndef GRAZE_PACKING_GAP_BOUND_H
#define GRAZE_PACKING_GAP_BOUND_H

#include "packing/packer.h"

typedef struct gap_cube {
  double center[3];
  double half;  /* of its side; a power of two, of which the center's coordinates are multiples: cutting is exact */
  double bound; /* no free point in it has a larger gap, but for roundings of distances */
  double gap;   /* of its center, where that was looked at and is free; else 0 */
} gap_cube;

/* Fills in bound and gap; a bound that is not above `enough` is not made better. */
void gap_cube_bound(const packing_space *space, double enough, gap_cube *at);

/* After packer_run. `largest` is the largest gap that is known; where cubes find a larger one it is raised. Both
 * scaled as the mesh is. GRAZE_OUT_OF_MEMORY without a message, GRAZE_STOPPED. The same for any number of workers. */
graze_result gap_bound_find(packer *work, double *largest, double *bound_out);

#endif
