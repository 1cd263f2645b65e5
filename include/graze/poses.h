/* graze: collision tests for batches of poses, for motion planners. One moving object against another, or a robot of
 * many objects against itself and the rest of the scene. Each answer is exact.
 *
 *     graze_scene_test_poses(scene, obstacle, robot, poses, count, NULL, answers);
 *     graze_scene_test_configurations(scene, links, 30, poses, 30 * count, NULL, collides);
 *
 * The objects keep bounding volume hierarchies (method "tree", docs/theory/trees.md). With another method they are
 * built for the call. The scene does not change: the answers are those that graze_object_set_pose, graze_scene_update
 * and a query give, pose after pose.
 *
 * Surfaces are not filled: a link that lies inside a closed surface of triangles or polygons without touching it is
 * free. graze_scene_find_containments (graze/containment.h) finds such objects in the poses of the scene; obstacles of
 * tetrahedra, polyhedra and spheres are solid. docs/guide/configurations.md is the guide. */
#ifndef GRAZE_POSES_H
#define GRAZE_POSES_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_pose_options {
  size_t struct_bytes;
  graze_test test;  /* of solids, as in graze_query; default GRAZE_TEST_SAT */
  bool count_pairs; /* answers are numbers of pairs; default false: answers are 1 if the two intersect, else 0 */
  /* Cancels the call, as in graze_query: the result is GRAZE_STOPPED, and the answers are undefined. NULL: no
   * cancellation. */
  bool (*should_stop)(void *stop_context);
  void *stop_context;
} graze_pose_options;

GRAZE_API void graze_pose_options_init(void *options, size_t bytes);
static inline graze_pose_options graze_pose_options_default(void) {
  graze_pose_options options;
  graze_pose_options_init(&options, sizeof options);
  return options;
}

/* Tests `count` poses of `moving` against `still`: whether primitives of the two intersect, or how many pairs do. A
 * pose replaces the object's own; `still` keeps its pose in the scene, which must be updated. Categories, masks,
 * exclusions and neighbors are ignored. Both may be the same object, which is then tested against itself in another
 * pose. If a pose is invalid, the error message states its index, and the answers are undefined. NULL options mean the
 * defaults. */
GRAZE_API graze_result graze_scene_test_poses(const graze_scene *scene, graze_object still, graze_object moving,
                                              const graze_pose *poses, size_t count, const graze_pose_options *options,
                                              uint64_t *answers_out);

/* ------------------------------------------------------------------------------------------------ configurations */

/* The answer for each configuration. */
typedef enum graze_configuration_answer {
  GRAZE_CONFIGURATION_ANY = 0,         /* uint8_t: 1 if a pair of primitives intersects, else 0 */
  GRAZE_CONFIGURATION_COUNTS = 1,      /* uint64_t: the number of intersecting pairs of primitives */
  GRAZE_CONFIGURATION_OBJECT_PAIRS = 2 /* uint8_t for each object pair: 1 if the two objects intersect, else 0 */
} graze_configuration_answer;

/* Two different objects. */
typedef struct graze_configuration_pair {
  graze_object a, b;
} graze_configuration_pair;

typedef struct graze_configuration_options {
  size_t struct_bytes;
  graze_configuration_answer answer;     /* default GRAZE_CONFIGURATION_ANY */
  graze_test test;                       /* of solids, as in graze_query; default GRAZE_TEST_SAT */
  const graze_configuration_pair *pairs; /* the object pairs to test. Pairs that filters or exclusions reject never
                                            intersect. NULL: those of graze_scene_list_configuration_pairs */
  size_t pair_count;
  bool (*should_stop)(void *stop_context); /* as in graze_pose_options */
  void *stop_context;
  const void *device_poses; /* backend cuda: the poses lie here, in device memory, and `poses` is NULL. They must be
                               complete when the call begins */
  void *device_answers;     /* backend cuda: the answers are written here, and `answers_out` is NULL. They are complete
                               when the call returns */
} graze_configuration_options;

GRAZE_API void graze_configuration_options_init(void *options, size_t bytes);
static inline graze_configuration_options graze_configuration_options_default(void) {
  graze_configuration_options options;
  graze_configuration_options_init(&options, sizeof options);
  return options;
}

/* Tests configurations. Each gives `moving_count` different objects a pose in place of their own. Pose i of
 * configuration c, for moving[i], is poses[c * moving_count + i]; `pose_count` is a multiple of moving_count. The other
 * objects stay where they are. Pairs between two objects count, unless filters or exclusions reject them; pairs within
 * an object do not. `answers_out` is an array whose type depends on `answer`: one element for each configuration, or
 * for GRAZE_CONFIGURATION_OBJECT_PAIRS a row of one element for each object pair. If a pose is invalid, the error
 * message states the configuration and the object, and the answers are undefined. NULL options mean the defaults. The
 * scene must be updated. */
GRAZE_API graze_result graze_scene_test_configurations(const graze_scene *scene, const graze_object *moving,
                                                       size_t moving_count, const graze_pose *poses, size_t pose_count,
                                                       const graze_configuration_options *options, void *answers_out);

/* Lists the object pairs that configurations of these objects are tested for: each moving object, in the given order,
 * with every other object by ascending number, without those that filters or exclusions reject. Each pair of objects is
 * listed once. Writes the first `capacity` of them, and their total number. `pairs_out` may be NULL if the capacity is
 * 0. */
GRAZE_API graze_result graze_scene_list_configuration_pairs(const graze_scene *scene, const graze_object *moving,
                                                            size_t moving_count, graze_configuration_pair *pairs_out,
                                                            size_t capacity, size_t *count_out);

#ifdef __cplusplus
}
#endif

#endif
