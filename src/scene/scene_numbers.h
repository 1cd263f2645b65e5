/* The numbers of a scene's vertices and primitives, and where each object's lie. */
#ifndef GRAZE_SCENE_SCENE_NUMBERS_H
#define GRAZE_SCENE_SCENE_NUMBERS_H

#include "scene/scene_data.h"

/* Numbers all vertices and primitives anew and points the sources; after a change of topology. */
graze_result scene_number(graze_scene *scene);

/* Points the last update's view at where the object's positions and elements lie now. For calls that move them and may
 * yet fail: the scene stays usable. */
void scene_point_source(graze_scene *scene, uint32_t index);

/* Where the data of one object lies now. */
object_source scene_source_of(const graze_scene *scene, size_t index);

/* Where everything lies now: sources and rules of all objects. */
void scene_point_sources(graze_scene *scene);

/* Makes the headers of all primitives, where the scene has none: for all methods but trees, and for devices. */
graze_result scene_make_headers(graze_scene *scene);

/* Counts tetrahedra that are turned inside out or have no volume: legal, and worth knowing. */
void scene_count_volumes(graze_scene *scene);

/* Gives back all that an update made. */
void scene_release_arrays(graze_scene *scene);

#endif
