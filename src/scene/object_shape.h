/* Shapes: positions and elements that objects of any number of scenes share. */
#ifndef GRAZE_SCENE_OBJECT_SHAPE_H
#define GRAZE_SCENE_OBJECT_SHAPE_H

#include "scene/scene_data.h"

#include <stdatomic.h>

struct tree_forest;

/* A shape never changes after it was made. Its data are those of the one object of a scene of its own. */
typedef struct graze_shape {
  atomic_size_t users; /* the maker's handle, and objects */
  uint64_t id;         /* never 0, never given twice */
  graze_scene *carrier;
  const struct tree_forest *forest; /* the carrier's; NULL: no tree was prepared */
  uint64_t repeated_index;          /* primitives that repeat a vertex */
  void (*destroy)(struct graze_shape *shape);
} graze_shape;

/* The object of the carrier. */
static inline const scene_object *shape_object(const graze_shape *shape) {
  return scene_objects(shape->carrier);
}

void shape_retain(graze_shape *shape);
void shape_release(graze_shape *shape);

/* An object takes a shape's data. */
void object_share(scene_object *object, graze_shape *shape);

/* Gives an object data of its own before they change. The scene answers as before; the next update takes the object for
 * new. On failure, GRAZE_OUT_OF_MEMORY with a message, the object stays as it is. */
graze_result object_unshare(graze_scene *scene, uint32_t index);

#endif
