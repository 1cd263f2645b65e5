/* The methods of the backend cuda: what the host does for each before the device searches by it. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_METHOD_H
#define GRAZE_BACKEND_CUDA_DEVICE_METHOD_H

#include "backend/backend.h"
#include "cuda/device_state.h"

/* Makes the scene's method ready on a device that has taken in the last update. */
graze_result device_prepare_method(graze_scene *scene);

/* See backend.change_method. */
graze_result device_change_method(graze_scene *scene);

/* What a query asks for, by the scene's method, on the device; `asked` is device_backend_query of it, and more. */
graze_result device_find_by_method(const graze_scene *scene, const graze_query *query, const device_query *asked,
                                   device_answer *found_out);

/* The method that an updated scene is searched by, and why. */
const method *device_searched_by(const graze_scene *scene, const char **reason_out);

/* The trees that the method has on the device; NULL: it has none. */
const device_forest *device_method_trees(const graze_scene *scene);

#endif
