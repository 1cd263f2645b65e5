/* The trees of a call that poses objects: those that the scene's method keeps, or else trees for the call alone. */
#ifndef GRAZE_BACKEND_CPU_POSE_TREES_H
#define GRAZE_BACKEND_CPU_POSE_TREES_H

#include "broad/tree_forest.h"
#include "scene/scene_data.h"

typedef struct pose_trees {
  const tree_forest *forest; /* the scene's, or `own` */
  tree_forest own;           /* a body for each object of the call; empty where the scene keeps trees */
} pose_trees;

/* Close them, whatever the result. */
graze_result pose_trees_open(const graze_scene *scene, const uint32_t *objects, size_t count, pose_trees *trees_out);
void pose_trees_close(pose_trees *trees);

/* Trees for the call, whatever method the scene has, of a scene on any backend. Release the forest, whatever the
 * result. */
graze_result pose_trees_build(const graze_scene *scene, const uint32_t *objects, size_t count, bool for_device,
                              tree_forest *forest_out);

/* The body of an object, which has this place among those of the call. */
static inline uint32_t pose_trees_body(const pose_trees *trees, uint32_t object, size_t place) {
  return trees->forest->body_of[trees->forest == &trees->own ? place : object];
}

/* Notes a number that is lower than the one there. The order of those who note does not matter. */
static inline void note_lowest(_Atomic(size_t) *lowest, size_t number) {
  size_t seen = atomic_load(lowest);
  while (number < seen && !atomic_compare_exchange_weak(lowest, &seen, number)) {
  }
}

#endif
