/* Elements of an object, by kind. */
#ifndef GRAZE_SCENE_OBJECT_ELEMENTS_H
#define GRAZE_SCENE_OBJECT_ELEMENTS_H

#include "base/view.h"
#include "scene/scene_failure.h"

/* Initializes empty elements of a kind. Call it before anything that may fail; object_elements_release undoes it. */
void object_elements_init(object_elements *elements, graze_kind kind);

/* Checks the views of a definition that the kind reads. */
graze_result object_elements_check(const graze_mesh_def *def, graze_kind kind);

/* Checks and copies everything that the kind reads from a definition, after positions were copied. After a failure,
 * object_elements_release releases what was allocated. */
graze_result object_elements_fill(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                  scene_object *object);

/* Polygons or polyhedra in the layout of object_elements. Numbers need no alignment. */
typedef struct cut_elements {
  const unsigned char *corners, *corner_first, *triangulation, *triangulation_first, *repeats;
  size_t count, corner_count, triangle_count;
} cut_elements;

/* Copies polygons or polyhedra that are already triangulated; polyhedra are not checked. */
graze_result object_elements_take(graze_scene *scene, const object_label *label, const cut_elements *cut,
                                  scene_object *object);

void object_elements_release(object_elements *elements, memory *heap);

/* Copies elements of a kind with a fixed number of corners, whose indices must be below vertex_count. Numbers in the
 * message start at `first`. */
graze_result object_elements_copy(graze_scene *scene, const object_label *label, const graze_view *view,
                                  graze_kind kind, size_t first, size_t vertex_count, uint32_t *to);

/* Reports the first invalid radius. Numbers in the message start at `first`. */
graze_result scene_check_radii(graze_scene *scene, const object_label *label, const graze_view *view, size_t first);

/* Checks the radii and copies them to `to`, floats or doubles. */
graze_result scene_copy_radii(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                              bool to_double, void *to);

#endif
