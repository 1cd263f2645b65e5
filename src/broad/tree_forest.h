/* The trees of a scene: a body for each object that has primitives, kept from frame to frame.
 *
 * Bodies of objects that share a shape share a tree: that of the first of them.
 *
 * The cost of an update depends on the changes: a pose costs the pose, moved positions a refit, inserted or removed
 * primitives of an object a rebuild of its tree. The arrays of all trees are stored together, object after object. */
#ifndef GRAZE_BROAD_TREE_FOREST_H
#define GRAZE_BROAD_TREE_FOREST_H

#include "broad/tree_body.h"

/* How leaves are ordered: by splits for bodies with a long life, along a Morton curve for those that will soon be
 * rebuilt. */
typedef struct tree_options {
  graze_tree_builder builder;
  graze_tree_update update;
} tree_options;

typedef struct tree_forest {
  memory *heap;
  tree_options options;
  tree_body *bodies;
  posed_space *posed; /* one per body */
  exact_box
      *boxes; /* likewise: around it in the scene, rounded outward; infinite if its position or size exceeds double */
  size_t body_count;
  uint32_t *body_of; /* one per object: its body; UINT32_MAX: it has no primitives */
  size_t object_count;
  uint32_t *leaves; /* of all bodies: numbers of primitives within their objects, in the order of their trees */
  primitive_header *headers; /* likewise, with the object's own numbers of vertices; the object is 0 */
  size_t leaf_count;
  tree_block *blocks;
  tree_slab *slabs; /* one per block */
  size_t block_count;
  /* Of the last update. */
  uint64_t built_count, refitted_count;
  bool was_measured;   /* a device has measured bodies whose poses are not yet updated */
  bool shapes_are_new; /* blocks, slabs or leaves have changed; cleared by the code that copies them */
} tree_forest;

enum { NO_BODY = UINT32_MAX };

/* The header of a leaf with the scene's numbers. */
static inline primitive_header placed_header(const primitive_header *own, uint32_t object, uint32_t first_vertex) {
  return (primitive_header){
      {own->corner[0] + first_vertex, own->corner[1] + first_vertex, own->corner[2] + first_vertex}, object};
}

tree_options tree_options_of(const method_options *options);

void tree_forest_init(tree_forest *forest, memory *heap, const tree_options *options);
void tree_forest_release(tree_forest *forest);

/* Processes an update. On failure the forest is unchanged or empty: the next update must pass CHANGED_ALL for
 * everything. */
graze_result tree_forest_update(tree_forest *forest, const update_input *input);

/* Whether no body has such a large spread that floats of one unit cannot separate its small leaves. */
bool tree_forest_suits(const tree_forest *forest);

/* ---------------------------------------------------------------------------------------------- trees on a device */

/* Processes an update if a device refits moved bodies. These get a task for it: to fit the boxes of its trees, or
 * also to order leaves. A forest uses one of the two updates, never both. */
graze_result tree_forest_update_for_device(tree_forest *forest, const update_input *input);

/* The measures of a device: the box of the body's positions, the area of its boxes, and the number of small leaves;
 * see tree_fit.h. A body whose boxes have grown too large gets another task. */
typedef struct tree_measures {
  exact_box box;
  double area; /* relative to the whole */
  uint32_t small;
} tree_measures;

void tree_forest_take_measures(tree_forest *forest, uint32_t body, const tree_measures *measured,
                               const object_source *source);

/* Poses bodies whose coordinates a device has measured. */
void tree_forest_pose_measured(tree_forest *forest, const object_source *sources, workers *team);

#endif
