/* Methods outside the table, for programs that link the inside of the library. */
#ifndef GRAZE_API_METHOD_CALLS_H
#define GRAZE_API_METHOD_CALLS_H

#include "scene/scene_data.h"

/* Sets a scene on the processor to a method that is not in the table, with the options that it reads. The row belongs
 * to the caller and must outlive the scene. */
graze_result scene_set_method_row(graze_scene *scene, const method *row, const graze_method_def *def);

#endif
