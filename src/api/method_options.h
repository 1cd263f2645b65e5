/* The backends and options of methods: the only check for invalid values, and for backends and options that a method
 * does not have. */
#ifndef GRAZE_API_METHOD_OPTIONS_H
#define GRAZE_API_METHOD_OPTIONS_H

#include "backend/backend.h"

/* Checks that the method, NULL for "auto", has an implementation for the backend. A failure's message contains both
 * names and the methods of the backend. */
graze_result method_backend_check(const graze_scene *scene, const backend *where, const method *chosen);

/* Checks the method's backend, and a definition that was read over the defaults. `chosen` is the row that it names,
 * NULL for "auto". An option that differs from its default must exist for the method on the backend; "auto" has the
 * options of all methods that it may choose there. A failure's message contains the option, its value, the method, and
 * the methods that have the option. */
graze_result method_options_check(const graze_scene *scene, const backend *where, const method *chosen,
                                  const graze_method_def *def);

#endif
