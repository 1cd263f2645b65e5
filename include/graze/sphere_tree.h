/* graze: inner sphere trees. Computes the shared volume or the distance of two rigid sets of spheres, such as packings
 * of two bodies, for any poses, without a scene and without rebuilding.
 *
 *     graze_sphere_tree_def def = graze_sphere_tree_def_default();
 *     def.centers = ..., def.radii = ...;
 *     graze_sphere_tree_create(&def, &tree);
 *     graze_sphere_trees_volume(a, &pose_a, b, &pose_b, NULL, &shared);
 *     graze_sphere_trees_distance(a, &pose_a, b, &pose_b, NULL, &nearest);
 *
 * A node has at most four children; its ball is the smallest that encloses its leaves, which are the spheres. Answers
 * depend on the spheres alone, not on how the tree was built. A query may have a budget; its bounds are valid wherever
 * it stops.
 *
 * Thread safety: trees never change, and any number of threads may query them. docs/theory/sphere_trees.md has proofs
 * and measurements. */
#ifndef GRAZE_SPHERE_TREE_H
#define GRAZE_SPHERE_TREE_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------ trees */

/* The division of the spheres of a node among its four children.
 *   neural_gas  batch neural gas, spheres weighted by their volumes: the best trees
 *   biggest     each sphere joins the nearest of the four biggest
 *   extremes    each sphere joins the nearest of the four outermost along the two widest axes */
#define GRAZE_SPHERE_BUILDER_LIST(X)                                                                                   \
  X(NEURAL_GAS, 0, "neural_gas")                                                                                       \
  X(BIGGEST, 1, "biggest")                                                                                             \
  X(EXTREMES, 2, "extremes")

typedef enum graze_sphere_builder {
#define GRAZE_SPHERE_BUILDER_ENUM(name, value, words) GRAZE_SPHERE_BUILDER_##name = value,
  GRAZE_SPHERE_BUILDER_LIST(GRAZE_SPHERE_BUILDER_ENUM)
#undef GRAZE_SPHERE_BUILDER_ENUM
} graze_sphere_builder;

/* Definition of a tree. Initialize it with graze_sphere_tree_def_default(). */
typedef struct graze_sphere_tree_def {
  size_t struct_bytes;
  graze_view centers; /* GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3, finite; at least one */
  graze_view radii;   /* GRAZE_FORMAT_FLOAT or GRAZE_FORMAT_DOUBLE, one for each center; finite, not negative */
  graze_sphere_builder builder; /* default neural_gas */
  /* For neural_gas; other builders accept only the defaults. */
  uint32_t iterations;    /* per level; 0: a default chosen by measurement */
  uint32_t magnification; /* the weight of a sphere is its radius to this power, 0 to 3. Default 3: its volume; 0: equal
                             weights */
  /* As in graze_scene_def: how the tree is built, and how queries with it as the first tree are run. */
  uint32_t worker_count;
  graze_threading threading;
  const graze_backend_def *backend; /* backend of neural gas, as for scenes; NULL: the processor */
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

/* Copies the spheres and builds the tree, which is the same for any number of workers. On failure *tree_out is NULL. */
GRAZE_API graze_result graze_sphere_tree_create(const graze_sphere_tree_def *def, graze_sphere_tree **tree_out);
GRAZE_API void graze_sphere_tree_destroy(graze_sphere_tree *tree); /* NULL is allowed */

/* Properties of a tree. Zero-initialize it. */
typedef struct graze_sphere_tree_info {
  size_t struct_bytes;
  uint64_t sphere_count;
  uint64_t node_count;   /* including one leaf per sphere */
  uint64_t depth;        /* nodes from the root to the deepest leaf, including both */
  uint64_t multiplicity; /* a proven upper bound, not the least, of the number of spheres that contain one point; 1: no
                            two overlap */
  uint64_t bytes;        /* memory that the tree holds */
} graze_sphere_tree_info;

GRAZE_API graze_result graze_sphere_tree_get_info(const graze_sphere_tree *tree, graze_sphere_tree_info *info);

/* ------------------------------------------------------------------------------------------------ queries */

typedef struct graze_sphere_options {
  size_t struct_bytes;
  uint64_t budget; /* maximum number of opened node pairs; 0: no limit. The time of a query is at most proportional to
                      it */
  /* For volumes, as in graze_contact_options. */
  graze_force force; /* default GRAZE_FORCE_ENERGY */
  double stiffness;  /* default 1 */
  double about[3];   /* default the origin */
} graze_sphere_options;

GRAZE_API void graze_sphere_options_init(void *options, size_t bytes);
static inline graze_sphere_options graze_sphere_options_default(void) {
  graze_sphere_options options;
  graze_sphere_options_init(&options, sizeof options);
  return options;
}

/* The intersection of two trees: sums over all intersecting pairs of a sphere of a and a sphere of b, in the order of
 * their numbers. The sums equal those of graze_scene_make_wrenches for two objects of these spheres, bit for bit. If
 * the spheres of each tree do not overlap among themselves, `volume` is the shared volume. Zero-initialize it. */
typedef struct graze_sphere_volume {
  size_t struct_bytes;
  bool complete; /* all pairs were found, and lower = volume = upper; false: the budget was exhausted */
  uint64_t pair_count;
  double volume;       /* of the pairs found, like the other sums */
  double centroid[3];  /* of the intersection */
  double force[3];     /* on b; on a it is the opposite */
  double torque[3];    /* on b, about the point in the options; on a it is the opposite */
  double lower, upper; /* bounds, inclusive, of `volume` without a budget */
  uint64_t node_pairs; /* number of opened node pairs */
} graze_sphere_volume;

/* Computes the intersection of two trees, which may be the same. A NULL pose is the identity without any rounding. NULL
 * options mean the defaults. */
GRAZE_API graze_result graze_sphere_trees_volume(const graze_sphere_tree *a, const graze_pose *pose_a,
                                                 const graze_sphere_tree *b, const graze_pose *pose_b,
                                                 const graze_sphere_options *options, graze_sphere_volume *volume);

/* The nearest spheres of two trees. Zero-initialize it. */
typedef struct graze_sphere_distance {
  size_t struct_bytes;
  bool complete;   /* lower = distance = upper; false: the budget was exhausted */
  double distance; /* of sphere_a and sphere_b, with a relative error of at most 2^-48; 0 exactly if they intersect */
  double witness_a[3], witness_b[3]; /* the nearest points of these spheres; in both spheres if they intersect */
  double lower, upper;               /* bounds, inclusive, of `distance` without a budget */
  uint32_t sphere_a, sphere_b;       /* of equal rounded distances the lowest pair; of intersecting spheres any */
  uint64_t node_pairs;               /* number of opened node pairs */
} graze_sphere_distance;

GRAZE_API graze_result graze_sphere_trees_distance(const graze_sphere_tree *a, const graze_pose *pose_a,
                                                   const graze_sphere_tree *b, const graze_pose *pose_b,
                                                   const graze_sphere_options *options,
                                                   graze_sphere_distance *distance);

#ifdef __cplusplus
}
#endif

#endif
