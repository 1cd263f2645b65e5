/* The trees of a scene: a body for each object that has primitives, kept from frame to frame.
 *
 * Bodies of objects that share a shape share a tree: that of the first of them.
 *
 * The cost of an update depends on the changes: a pose costs the pose, moved positions a refit, inserted or erased
 * primitives of an object a rebuild of its tree. The arrays of all trees are stored together, object after object. */
#ifndef GRAZE_BROAD_TREE_FOREST_H
#define GRAZE_BROAD_TREE_FOREST_H

#include "broad/tree_body.h"

/* How an order is made: by splits where the body will be used for long, along a Morton curve where it will be made anew
 * soon. */
typedef struct tree_options {
  graze_tree_builder builder;
  graze_tree_update update;
} tree_options;

typedef struct tree_forest {
  memory *heap;
  tree_options options;
  tree_body *bodies;
  posed_space *posed; /* a body each */
  exact_box *boxes;   /* likewise: around it in the scene, rounded outward; infinite where its place or size is beyond
                         double */
  size_t body_count;
  uint32_t *body_of; /* an object each: its body; UINT32_MAX: it has no primitives */
  size_t object_count;
  uint32_t *leaves;          /* all bodies': numbers of primitives within their objects, in the order of their trees */
  primitive_header *headers; /* likewise, with the object's own numbers of vertices; the object is 0 */
  size_t leaf_count;
  tree_block *blocks;
  tree_slab *slabs; /* as many */
  size_t block_count;
  /* Of the last update. */
  uint64_t built_count, refitted_count;
  bool was_measured;   /* a device has told of bodies whose poses do not know it yet */
  bool shapes_are_new; /* blocks, slabs or leaves have changed; for one who copies them, and clears it */
} tree_forest;

enum { NO_BODY = UINT32_MAX };

/* The header of a leaf as the scene numbers it. */
static inline primitive_header placed_header(const primitive_header *own, uint32_t object, uint32_t first_vertex) {
  return (primitive_header){
      {own->corner[0] + first_vertex, own->corner[1] + first_vertex, own->corner[2] + first_vertex}, object};
}

tree_options tree_options_of(const method_options *options);

void tree_forest_init(tree_forest *forest, memory *heap, const tree_options *options);
void tree_forest_release(tree_forest *forest);

/* Takes in an update. On failure the forest stays as it was, or is empty: the next update must tell that everything has
 * changed. */
graze_result tree_forest_update(tree_forest *forest, const method_news *news);

/* Whether no body is so spread that floats of one unit cannot tell its small leaves apart. */
bool tree_forest_suits(const tree_forest *forest);

/* ---------------------------------------------------------------------------------------------- trees on a device */

/* Takes in an update where a device fits what has moved. Bodies get a task for it: to fit the boxes of trees that it
 * has, or to order leaves as well. A forest is kept by either update, never by both in turn. */
graze_result tree_forest_update_for_device(tree_forest *forest, const method_news *news);

/* What the device has measured then: the box of the body's positions, the area of its boxes, and how many leaves are
 * small; see tree_fit.h. A body whose boxes have grown too large has a task again. */
typedef struct tree_measures {
  exact_box box;
  double area; /* over that of the whole */
  uint32_t small;
} tree_measures;

void tree_forest_take_measures(tree_forest *forest, uint32_t body, const tree_measures *measured,
                               const object_source *source);

/* Poses bodies whose coordinates a device has measured. */
void tree_forest_pose_measured(tree_forest *forest, const object_source *sources, workers *team);

#endif
