/* graze: batches, for motion planners: many placements of some objects, tested or measured in one call. Each answer is
 * exact.
 *
 *     graze_batch_def batch = graze_batch_def_default();
 *     batch.moving = links, batch.moving_count = 30;
 *     batch.poses = poses, batch.pose_count = 30 * count;
 *     batch.hits_out = collides;
 *     graze_scene_run_batch(scene, &batch);
 *
 * A configuration gives each moving object a pose in place of its own. The other objects stay where they are, and the
 * scene does not change: the answers are those that graze_object_set_pose, graze_scene_update and a query give,
 * configuration after configuration. One object in many poses is a batch with one moving object, and usually one pair.
 *
 * The objects keep bounding volume hierarchies (method "tree", docs/theory/trees.md). With another method they are
 * built for the call.
 *
 * Surfaces are not filled: a link that lies inside a closed surface of triangles or polygons without touching it is
 * free. graze_scene_find_containments (graze/containment.h) finds such objects in the poses of the scene; obstacles of
 * tetrahedra, polyhedra and spheres are solid. docs/guide/configurations.md is the guide. */
#ifndef GRAZE_BATCH_H
#define GRAZE_BATCH_H

#include "graze/nearest.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The padding of an object: its distance from others counts as smaller by this length. */
typedef struct graze_batch_padding {
  graze_object object;
  double padding; /* finite and not negative */
} graze_batch_padding;

typedef struct graze_batch_def {
  size_t struct_bytes;
  /* Pose i of configuration c, for moving[i], is poses[c * moving_count + i]; `pose_count` is a multiple of
   * moving_count. The moving objects are different. */
  const graze_object *moving;
  size_t moving_count;
  const graze_pose *poses;
  size_t pose_count;
  /* The object pairs: two different objects; or a moving object twice, in its pose of the configuration and in its pose
   * of the scene. NULL: those of graze_scene_list_batch_pairs. */
  const graze_id_pair *pairs;
  size_t pair_count;
  const graze_batch_padding *paddings; /* each object at most once; default: no object is padded */
  size_t padding_count;
  double clearance;       /* tests: pairs of primitives within this distance, plus the padding of both objects, count.
                             Exact; finite and not negative. Default 0: those that intersect */
  double max_distance;    /* distances: object pairs farther apart than this, plus the padding of both objects, get an
                             empty row; exact. Default infinite */
  uint64_t visit_limit;   /* distances: as in graze_nearest_options. With a limit, the call runs on the host */
  graze_test test;        /* of solids, as in graze_query; default GRAZE_TEST_SAT */
  bool each_pair;         /* one answer for each object pair; default false: one for each configuration */
  bool ignore_filters;    /* the given pairs are tested even if filters or exclusions reject them. Default false: those
                             are never hit, have count 0, and get empty rows */
  bool any_contact;       /* distances: an object pair that touches ends the search. Its row has distance 0 and names no
                             pair: the rest is 0, except `complete`. Much faster for objects that touch in
                             many pairs. Default false: the row has the first pair */
  bool poses_on_device;   /* backend cuda: `poses` is in device memory, and complete when the call begins */
  bool answers_on_device; /* backend cuda: the answers are in device memory, and complete when the call returns */
  /* Cancels the call, as in graze_query: the result is GRAZE_STOPPED, and the answers are undefined. NULL: no
   * cancellation. */
  bool (*should_stop)(void *stop_context);
  void *stop_context;
  /* Exactly one of these is given. An array has an element for each configuration, or with `each_pair` a row of one
   * element for each object pair. */
  uint8_t *hits_out;          /* 1 if a pair of primitives counts, else 0 */
  uint64_t *counts_out;       /* the number of pairs of primitives that count */
  graze_nearest *nearest_out; /* the nearest pair; see graze_scene_run_batch */
} graze_batch_def;

GRAZE_API void graze_batch_def_init(void *def, size_t bytes);
static inline graze_batch_def graze_batch_def_default(void) {
  graze_batch_def def;
  graze_batch_def_init(&def, sizeof def);
  return def;
}

/* Answers a batch. The scene must be updated. Pairs between two objects count; pairs within an object do not. The
 * answers are the same for every method, thread count and backend, unless a visit limit was reached. If a pose is
 * invalid, the error message states the configuration and the object, and the answers are undefined.
 *
 * A row of `nearest_out` equals the row that graze_scene_find_nearest returns for the two objects after
 * graze_object_set_pose and graze_scene_update. A row of a configuration is that of the object pair with the least
 * distance, less the padding of both objects; its interval contains that least distance. Rows state distances without
 * padding. A row is empty if the objects are farther apart than requested, or if one has no primitives. In an empty
 * row, distance and upper are infinite, lower is max_distance or infinite, `complete` is 1, and the rest is 0. Returns
 * GRAZE_UNSUPPORTED for distances if positions are only on a device. */
GRAZE_API graze_result graze_scene_run_batch(const graze_scene *scene, const graze_batch_def *def);

/* Lists the object pairs that a batch of these objects tests by default: each moving object, in the given order, with
 * every other object by ascending number, without those that filters or exclusions reject. Each pair of objects is
 * listed once. Writes the first `capacity` of them, and their total number. `pairs_out` may be NULL if the capacity is
 * 0. */
GRAZE_API graze_result graze_scene_list_batch_pairs(const graze_scene *scene, const graze_object *moving,
                                                    size_t moving_count, graze_id_pair *pairs_out, size_t capacity,
                                                    size_t *count_out);

#ifdef __cplusplus
}
#endif

#endif
