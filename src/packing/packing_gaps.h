/* The free space of a packing: the largest pore, and the distances of free points from the nearest obstacle. */
#ifndef GRAZE_PACKING_PACKING_GAPS_H
#define GRAZE_PACKING_PACKING_GAPS_H

#include "packing/packer.h"

/* An upper bound of the radius of any sphere that still fits into a packing, by branch and bound over cubes of space.
 *
 * Let g(p) be the distance of p from the nearest obstacle, a triangle or a placed sphere; negative within a sphere. It
 * changes by at most the distance moved. Let c be the center of a cube, h half its diagonal, and p a free point in it.
 *
 * - If the mesh winds around c: g(p) <= g(c) + h.
 * - If it does not: the segment from c to p, no longer than h, meets the mesh at some s, with |s - c| >= d, the
 *   distance of c from the mesh. So g(p) <= |p - s| <= h - d.
 *
 * A cube is done if its bound is below the largest gap found, or less than a hundredth above it; others are split into
 * eight. The search ends when no cube is left or the budget of cubes is spent; the largest remaining bound is the
 * answer. It is proven in either case (docs/theory/packing.md).
 *
 * Workload: a packing of 10^2 spheres needs about 10^4 cubes, ten times as many spheres ten times as many cubes; each
 * costs about as much as a step of a prototype. */

typedef struct gap_cube {
  double center[3];
  double half;  /* of its side; a power of two; the center's coordinates are multiples of it, so splitting is exact */
  double bound; /* no free point in it has a larger gap, up to the rounding of distances */
  double gap;   /* of its center, if that was computed and is free; else 0 */
} gap_cube;

/* Fills in bound and gap; a bound of at most `enough` is not improved further. */
void gap_cube_bound(const packing_space *space, double enough, gap_cube *at);

/* Call after packer_run. `largest` is the largest known gap; it is raised if a cube has a larger one. Both are scaled
 * as the mesh is. GRAZE_OUT_OF_MEMORY without a message, GRAZE_STOPPED. The result does not depend on the number of
 * workers. */
graze_result gap_bound_find(packer *work, double *largest, double *bound_out);

typedef struct packing_gaps {
  double largest, p95; /* scaled as the mesh is */
  double bound;        /* proven: no gap is larger */
} packing_gaps;

/* Call after packer_run; changes its heap of pores. */
graze_result packing_gaps_measure(packer *work, packing_gaps *gaps_out);

#endif
