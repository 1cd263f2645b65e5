/* The numbers of a scene's vertices and primitives, and the location of each object's data. */
#ifndef GRAZE_SCENE_SCENE_NUMBERS_H
#define GRAZE_SCENE_SCENE_NUMBERS_H

#include "scene/scene_data.h"
#include "scene/scene_failure.h"

#include <stdatomic.h>

/* Finds the objects that are parts, after scene_choose_numbers, and refuses parts of different kinds. */
graze_result scene_find_parts(graze_scene *scene);

/* Called by every update of a scene with parts: refuses parts of one object with different filters, and collects the
 * exclusions of whole objects. */
graze_result scene_check_parts(graze_scene *scene);

void scene_release_parts(graze_scene *scene);

/* Renumbers all vertices and primitives and points the sources, after a change of topology. */
graze_result scene_number(graze_scene *scene);

/* Points the last update's view at the current positions and elements of the object. For calls that move them and may
 * still fail: the scene stays usable. */
void scene_point_source(graze_scene *scene, uint32_t index);

/* Points the source of one object at its current data. */
object_source scene_source_of(const graze_scene *scene, size_t index);

/* Sets the sources and rules of all objects from their current data. */
void scene_point_sources(graze_scene *scene);

/* Creates the headers of all primitives if the scene has none: for all methods except trees, and for devices. */
graze_result scene_make_headers(graze_scene *scene);

/* Counts tetrahedra that are inverted or have no volume: both are legal, and reported. */
void scene_count_volumes(graze_scene *scene);

/* Releases everything that updates created. */
void scene_release_arrays(graze_scene *scene);

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
