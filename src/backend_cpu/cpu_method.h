/* The method by which the processor searches a scene: which one, and its state. */
#ifndef GRAZE_BACKEND_CPU_CPU_METHOD_H
#define GRAZE_BACKEND_CPU_CPU_METHOD_H

#include "scene/scene_data.h"

/* The scene's own method, or for "auto" the one that suits so many primitives, where up to brute_most are few. */
const method *cpu_method_for(const graze_scene *scene, size_t primitive_count, size_t brute_most);

/* To be called when an update begins: whether it only poses objects. */
void cpu_note_motion(graze_scene *scene);

/* Whether the method that the scene is searched by needs vertices that an update has rounded. */
bool cpu_method_rounds(const graze_scene *scene);

/* Opens the state of the method that an updated scene is searched by, where it is not open, rounds vertices
 * where it needs them and the update did not, and tells it what has changed since the last call. On failure there is a
 * message, and the next call tells it everything. */
graze_result cpu_prepare_method(graze_scene *scene);

/* See backend.change_method. */
graze_result cpu_change_method(graze_scene *scene);

/* The method that an updated scene is searched by, and why. */
const method *cpu_searched_by(const graze_scene *scene, const char **reason_out);

#endif
