/* Positions of objects: checked, copied, widened, appended. Every call succeeds completely or changes nothing. */
#ifndef GRAZE_SCENE_OBJECT_POSITIONS_H
#define GRAZE_SCENE_OBJECT_POSITIONS_H

#include "base/view.h"
#include "scene/scene_failure.h"

/* Copies positions to `to` (floats or doubles) with all workers. Checks all before it writes the first. Vertex numbers
 * in the message start at `first`. */
graze_result scene_set_positions(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                                 bool to_double, void *to);

/* Sets the first positions of a new object. */
graze_result object_fill_positions(graze_scene *scene, const object_label *label, const graze_view *view,
                                   scene_object *object);

/* Turns floats into doubles; the values stay the same. False when out of memory. */
bool object_widen_positions(graze_scene *scene, uint32_t index);

void *object_position_at(const scene_object *object, size_t vertex);

/* Appends vertices. */
graze_result scene_append_positions(graze_scene *scene, uint32_t index, const graze_view *positions);

/* GRAZE_UNSUPPORTED and a message if the positions are on a device: of one object, of any object. */
graze_result object_check_on_host(const scene_object *object, const char *label);
graze_result scene_check_on_host(const graze_scene *scene);

/* The first object whose positions are on a device; NULL if there is none. */
const scene_object *scene_object_without_host(const graze_scene *scene);

#endif
