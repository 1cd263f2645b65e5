/* What one processor of many does when two packings of spheres are compared as published: counted, not timed.
 *
 * After Weller, Frese, Zachmann: "Parallel Collision Detection in Constant Time", 2013, sections 4.1 and 4.2: a grid of
 * cells a level, sizes doubling from level to level; a sphere is listed in every cell of its level that it reaches
 * into, and asks the cells of its level and of all above in the grid of the other packing. A processor has one sphere.
 * The least cell is as wide as the diameter of the least sphere, and a sphere's level is the lowest whose cells are as
 * wide as it: with the level as it is printed a sphere would reach into up to 93 cells (docs/theory/packing.md). No
 * hashing: a cell is found in one step.
 *
 * Why it is bounded: spheres of a level that reach into a cell of width w are wider than w / 2, do not overlap, and lie
 * in the cube of 3 w around it, so that there are fewer than 27 / (pi / 48) of them, 412. A sphere asks 8 cells a
 * level; levels are the logarithm of the ratio of the radii. */
#ifndef GRAZE_SPHERE_STEPS_H
#define GRAZE_SPHERE_STEPS_H

#include "graze/packing.h"

typedef struct sphere_steps {
  uint32_t levels;        /* of the grid that has more */
  uint32_t listings_most; /* cells that one sphere is listed in: 8 at most */
  uint32_t fullest_cell;  /* spheres in it */
  uint32_t cells_most;    /* that one sphere asks: 8 a level at most */
  uint32_t met_most;      /* spheres that one sphere meets in them */
  uint32_t steps_most;    /* cells asked and spheres met by one sphere */
  uint64_t steps;         /* of all */
  uint64_t pairs;         /* of spheres that overlap or touch, by double arithmetic; each once */
  uint32_t *each;         /* steps of each sphere, those of a first; owned */
  size_t count;           /* of both packings */
} sphere_steps;

/* False when memory runs out, or where a grid would have more than 2^31 cells along a side. */
bool sphere_steps_count(const graze_sphere *a, size_t a_count, const graze_sphere *b, size_t b_count,
                        sphere_steps *steps_out);
void sphere_steps_free(sphere_steps *counted);

/* The most that any of so many processors has to do, where they take turns at the spheres. */
uint64_t sphere_steps_busiest(const sphere_steps *counted, size_t processors);

#endif
