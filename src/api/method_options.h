/* The options of methods: the one place that refuses values which do not exist and options that a method lacks. */
#ifndef GRAZE_API_METHOD_OPTIONS_H
#define GRAZE_API_METHOD_OPTIONS_H

#include "backend/backend.h"

/* The definition is read over the defaults; `chosen` is the row that it names, NULL for "auto". An option that differs
 * from its default must be one that the method has on the backend: "auto" has those of all methods that it may choose
 * there. On failure there is a message with the option, its value, the method, and the methods that have the option. */
graze_result method_options_check(const graze_scene *scene, const backend *where, const method *chosen,
                                  const graze_method_def *def);

#endif
