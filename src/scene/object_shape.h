/* Shapes: positions and elements that objects of any number of scenes share. */
#ifndef GRAZE_SCENE_OBJECT_SHAPE_H
#define GRAZE_SCENE_OBJECT_SHAPE_H

#include "scene/scene_data.h"

#include <stdatomic.h>

struct tree_forest;

/* A shape is immutable. Its data belong to the one object of a private scene, the carrier. */
typedef struct graze_shape {
  atomic_size_t users; /* the creator's handle, and objects */
  uint64_t id;         /* never 0, never reused */
  graze_scene *carrier;
  const struct tree_forest *forest; /* that of the carrier; NULL: no tree was prepared */
  uint64_t repeated_index;          /* primitives that repeat a vertex */
  void (*destroy)(struct graze_shape *shape);
} graze_shape;

/* The object of the carrier. */
static inline const scene_object *shape_object(const graze_shape *shape) {
  return scene_objects(shape->carrier);
}

void shape_retain(graze_shape *shape);
void shape_release(graze_shape *shape);

/* Makes an object use a shape's data. */
void object_share(scene_object *object, graze_shape *shape);

/* Gives an object its own copy of the data before a change. Queries are unaffected; the next update treats the object
 * as new. On failure, GRAZE_OUT_OF_MEMORY with a message, and the object is unchanged. */
graze_result object_unshare(graze_scene *scene, uint32_t index);

#endif
