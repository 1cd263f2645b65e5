/* The method that searches a scene on the processor: its choice and its state. */
#ifndef GRAZE_BACKEND_CPU_CPU_METHOD_H
#define GRAZE_BACKEND_CPU_CPU_METHOD_H

#include "scene/scene_data.h"

/* The scene's method, or for "auto" the one suited to this number of primitives; up to brute_most, brute force. */
const method *cpu_method_for(const graze_scene *scene, size_t primitive_count, size_t brute_most);

/* Called when an update begins: records whether it only poses objects. */
void cpu_note_motion(graze_scene *scene);

/* Whether the scene's method needs vertices rounded by an update. */
bool cpu_method_rounds(const graze_scene *scene);

/* Prepares the method of an updated scene: creates its state if needed, rounds vertices if it needs them, and updates
 * it with the changes since the last call. A failure sets a message, and the next call passes everything. */
graze_result cpu_prepare_method(graze_scene *scene);

/* See backend.change_method. */
graze_result cpu_change_method(graze_scene *scene);

/* The method that searches an updated scene, and the reason. */
const method *cpu_searched_by(const graze_scene *scene, const char **reason_out);

#endif
