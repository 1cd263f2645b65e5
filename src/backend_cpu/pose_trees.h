/* The trees of a call that poses objects: those of the scene's method on the processor, or trees for the call only. */
#ifndef GRAZE_BACKEND_CPU_POSE_TREES_H
#define GRAZE_BACKEND_CPU_POSE_TREES_H

#include "broad/tree_forest.h"
#include "scene/scene_data.h"

typedef struct pose_trees {
  const tree_forest *forest; /* the scene's, or `own` */
  tree_forest own;           /* a body for each object of the call; empty if the scene has trees */
} pose_trees;

/* Must be closed, whatever the result. */
graze_result pose_trees_open(const graze_scene *scene, const uint32_t *objects, size_t count, pose_trees *trees_out);
void pose_trees_close(pose_trees *trees);

/* Builds trees for the call, whatever the scene's method, on any backend. The forest must be released, whatever the
 * result. */
graze_result pose_trees_build(const graze_scene *scene, const uint32_t *objects, size_t count, bool for_device,
                              tree_forest *forest_out);

/* The body of an object, given its index in the call. */
static inline uint32_t pose_trees_body(const pose_trees *trees, uint32_t object, size_t place) {
  return trees->forest->body_of[trees->forest == &trees->own ? place : object];
}

/* Atomic minimum. The order of writers does not matter. */
static inline void note_lowest(_Atomic(size_t) *lowest, size_t number) {
  size_t seen = atomic_load(lowest);
  while (number < seen && !atomic_compare_exchange_weak(lowest, &seen, number)) {
  }
}

#endif
