/* Sets of spheres and poses for the tests of sphere trees: packings, overlapping spheres, and degenerate sets. */
#ifndef SPHERE_SETS_H
#define SPHERE_SETS_H

#include "graze/sphere_tree.h"
#include "models/seeded_random.h"
#include "models/sphere_packing.h"
#include "owned.h"

DESTROY_OWNED(graze_sphere_tree)

/* All are about as large as the ball of radius 1. */
typedef enum sphere_set {
  SET_PACKING,     /* none overlap, many touch */
  SET_OVERLAPPING, /* of many sizes, several deep */
  SET_TINY_TO_BIG, /* radii over twelve orders, and some points */
  SET_POINTS,      /* radius 0, on a lattice, so that many are equally far apart */
  SET_ONE_PLACE,   /* one center for all */
  SET_LINE,        /* centers on a line, ever closer */
  SET_ONE,         /* a single sphere */
  SET_FIVE,        /* one more than a node has children */
  SPHERE_SETS
} sphere_set;

const char *sphere_set_name(sphere_set set);

/* At most `count` spheres; ends the test when out of memory. */
sphere_packing sphere_set_make(sphere_set set, size_t count, uint64_t seed);

graze_sphere_tree_def sphere_set_def(const sphere_packing *spheres, graze_sphere_builder builder, uint32_t workers);
graze_sphere_tree *sphere_set_tree(const sphere_packing *spheres, graze_sphere_builder builder, uint32_t workers);

/* A rotation and a translation of length up to `far`; every fourth is off a rotation by nearly 1e-6, every eleventh is
 * the identity. */
graze_pose random_pose(random_stream *random, double far);

#endif
