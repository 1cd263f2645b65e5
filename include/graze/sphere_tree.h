/* graze: inner sphere trees. Two rigid sets of spheres, such as packings of two bodies, and how much they share or how
 * far they are apart, for any poses, without a scene and without building anything again.
 *
 *     graze_sphere_tree_def def = graze_sphere_tree_def_default();
 *     def.centers = ..., def.radii = ...;
 *     graze_sphere_tree_create(&def, &tree);
 *     graze_sphere_trees_volume(a, &pose_a, b, &pose_b, NULL, &shared);
 *     graze_sphere_trees_distance(a, &pose_a, b, &pose_b, NULL, &nearest);
 *
 * A tree has up to four children a node; each node's ball is the smallest that encloses its leaves, which are the
 * spheres. Answers are those of the spheres alone: they do not depend on how the tree was built. Both questions can be
 * given a budget, and then have bounds that are true wherever they stop.
 *
 * Thread-safety: trees do not change once they are made; any number of threads may ask at once.
 * docs/theory/sphere_trees.md has the proofs and measurements. */
#ifndef GRAZE_SPHERE_TREE_H
#define GRAZE_SPHERE_TREE_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------ trees */

/* How the spheres of a node are parted into four.
 *   neural_gas  batch neural gas, spheres weighted by their volumes: the best trees
 *   biggest     each to the nearest of the four biggest
 *   extremes    each to the nearest of the four that lie outermost along the two widest axes */
#define GRAZE_SPHERE_BUILDER_LIST(X)                                                                                   \
  X(NEURAL_GAS, 0, "neural_gas")                                                                                       \
  X(BIGGEST, 1, "biggest")                                                                                             \
  X(EXTREMES, 2, "extremes")

typedef enum graze_sphere_builder {
#define GRAZE_SPHERE_BUILDER_ENUM(name, value, words) GRAZE_SPHERE_BUILDER_##name = value,
  GRAZE_SPHERE_BUILDER_LIST(GRAZE_SPHERE_BUILDER_ENUM)
#undef GRAZE_SPHERE_BUILDER_ENUM
} graze_sphere_builder;

/* What a tree is made of. Take graze_sphere_tree_def_default() and change what you want. */
typedef struct graze_sphere_tree_def {
  size_t struct_bytes;
  graze_view centers; /* GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3, finite; at least one */
  graze_view radii;   /* GRAZE_FORMAT_FLOAT or GRAZE_FORMAT_DOUBLE, one for each center; finite, not negative */
  graze_sphere_builder builder; /* default neural_gas */
  /* Of neural gas; with other builders only the defaults are accepted. */
  uint32_t iterations;    /* a level; 0: the number that measurements gave */
  uint32_t magnification; /* a sphere weighs as much as this power of its radius, 0 to 3. Default 3, its volume; 0: all
                             weigh the same */
  /* As in graze_scene_def: who builds the tree, and who works on questions in which it is the first. */
  uint32_t worker_count;
  graze_threading threading;
  const graze_backend_def *backend; /* where the steps of neural gas run, as for scenes; NULL: the processor */
  const graze_allocator *allocator;
  const graze_task_system *tasks;
  graze_workers *workers;
} graze_sphere_tree_def;

GRAZE_API void graze_sphere_tree_def_init(void *def, size_t bytes);
static inline graze_sphere_tree_def graze_sphere_tree_def_default(void) {
  graze_sphere_tree_def def;
  graze_sphere_tree_def_init(&def, sizeof def);
  return def;
}

typedef struct graze_sphere_tree graze_sphere_tree;

/* Copies the spheres and builds the tree: the same one for any number of workers. On failure *tree_out is NULL. */
GRAZE_API graze_result graze_sphere_tree_create(const graze_sphere_tree_def *def, graze_sphere_tree **tree_out);
GRAZE_API void graze_sphere_tree_destroy(graze_sphere_tree *tree); /* NULL is allowed */

/* What a tree is. Zero-initialise it. */
typedef struct graze_sphere_tree_info {
  size_t struct_bytes;
  uint64_t sphere_count;
  uint64_t node_count;   /* with one for each sphere, the leaves */
  uint64_t depth;        /* nodes from the root to the lowest leaf, both counted */
  uint64_t multiplicity; /* no point lies inside more spheres than this: 1 where no two overlap. Proven, not least */
  uint64_t bytes;        /* of memory that the tree holds */
} graze_sphere_tree_info;

GRAZE_API graze_result graze_sphere_tree_get_info(const graze_sphere_tree *tree, graze_sphere_tree_info *info);

/* ------------------------------------------------------------------------------------------------ questions */

typedef struct graze_sphere_options {
  size_t struct_bytes;
  uint64_t budget; /* node pairs that are opened at most; 0: as many as it takes. The time of a question is bounded by a
                      multiple of it */
  /* Of volumes, as in graze_wrench_options. */
  graze_force force; /* default GRAZE_FORCE_VOLUME */
  double stiffness;  /* default 1 */
  double about[3];   /* default the origin */
} graze_sphere_options;

GRAZE_API void graze_sphere_options_init(void *options, size_t bytes);
static inline graze_sphere_options graze_sphere_options_default(void) {
  graze_sphere_options options;
  graze_sphere_options_init(&options, sizeof options);
  return options;
}

/* What two trees share: the sums over all pairs of a sphere of a and a sphere of b that meet, in the order of their
 * numbers. To the bit what graze_scene_sum_wrenches gives for two objects of these spheres. Where the spheres of each
 * do not overlap among themselves, `volume` is that of the common part. Zero-initialise it. */
typedef struct graze_sphere_volume {
  size_t struct_bytes;
  uint64_t complete; /* 1: all pairs were found, and lower = volume = upper. 0: the budget was spent before */
  uint64_t pair_count;
  double volume;       /* of the pairs found, as is the rest */
  double centroid[3];  /* of the common part */
  double force[3];     /* on b; a has the opposite */
  double torque[3];    /* on b, about the point of the options; a has the opposite */
  double lower, upper; /* what `volume` would be without a budget lies between these, both included */
  uint64_t node_pairs; /* that were opened */
} graze_sphere_volume;

/* NULL for a pose: x as it was given. NULL for the options: the default ones. a and b may be the same tree. */
GRAZE_API graze_result graze_sphere_trees_volume(const graze_sphere_tree *a, const graze_pose *pose_a,
                                                 const graze_sphere_tree *b, const graze_pose *pose_b,
                                                 const graze_sphere_options *options, graze_sphere_volume *volume);

/* The two spheres that are nearest to each other. Zero-initialise it. */
typedef struct graze_sphere_distance {
  size_t struct_bytes;
  uint64_t complete; /* 1: lower = distance = upper. 0: the budget was spent before */
  double distance;   /* of the two spheres named here, within 2^-48 of itself; 0 exactly where they meet */
  double witness_a[3], witness_b[3]; /* the points of these spheres that are nearest to each other; in both where they
                                        meet */
  double lower, upper;               /* what `distance` would be without a budget lies between these, both included */
  uint32_t sphere_a, sphere_b; /* of several as near the lowest (sphere_a, sphere_b); where they meet, any that do */
  uint64_t node_pairs;         /* that were opened */
} graze_sphere_distance;

GRAZE_API graze_result graze_sphere_trees_distance(const graze_sphere_tree *a, const graze_pose *pose_a,
                                                   const graze_sphere_tree *b, const graze_pose *pose_b,
                                                   const graze_sphere_options *options,
                                                   graze_sphere_distance *distance);

#ifdef __cplusplus
}
#endif

#endif
