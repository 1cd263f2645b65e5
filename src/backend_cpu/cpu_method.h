/* The method by which a scene is searched on the processor: which one, its state, and the view that it is shown. */
#ifndef GRAZE_BACKEND_CPU_CPU_METHOD_H
#define GRAZE_BACKEND_CPU_CPU_METHOD_H

#include "scene/scene_data.h"

/* What the scene is, as no query in particular sees it. */
primitive_view scene_view(const graze_scene *scene);

/* The scene's own method, or for "auto" the one that suits so many primitives, where up to brute_most are few. */
const method *scene_method_for(const graze_scene *scene, size_t primitive_count, size_t brute_most);

/* To be called when an update begins: whether it only poses objects. */
void scene_note_motion(graze_scene *scene);

/* Whether the method that the scene is searched by needs vertices that an update has rounded. */
bool scene_method_rounds(const graze_scene *scene);

/* Whether the scene's method has been found not to suit what the scene is made of: it is searched by the grid. */
bool scene_method_is_unsuited(const graze_scene *scene);

/* Opens the state of the method that an updated scene is searched by, where it is not open, rounds vertices
 * where it needs them and the update did not, and tells it what has changed since the last call. On failure there is a
 * message, and the next call tells it everything. */
graze_result scene_prepare_method(graze_scene *scene);

/* The same for a method that a device searches by: what has moved is fitted there. */
graze_result scene_prepare_for_device(graze_scene *scene);

/* Where the method says that it does not suit what the scene is made of, the scene goes over to the grid. */
graze_result scene_leave_unsuited(graze_scene *scene);

/* For a scene that is given another method or other options, and for one at its end. */
void scene_close_method(graze_scene *scene);

/* The method that an updated scene is searched by on the processor, and why; and the reason for any method. */
const method *cpu_searched_by(const graze_scene *scene, const char **reason_out);
const char *scene_method_reason(const graze_scene *scene, const method *searched);

#endif
