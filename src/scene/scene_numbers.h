/* The numbers of a scene's vertices and primitives, and the location of each object's data. */
#ifndef GRAZE_SCENE_SCENE_NUMBERS_H
#define GRAZE_SCENE_SCENE_NUMBERS_H

#include "scene/scene_data.h"

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

#endif
