/* Methods outside the table, for programs that link the internals of the library. */
#ifndef GRAZE_API_METHOD_CALLS_H
#define GRAZE_API_METHOD_CALLS_H

#include "scene/scene_data.h"

/* Sets a method that is not in the table, with the options that it reads. The caller owns
 * the row, which must outlive the scene. */
graze_result scene_set_method_row(graze_scene *scene, const method *row, const graze_method_def *def);

#endif
