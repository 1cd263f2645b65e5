/* The methods of the backend cuda: the host's work before the device searches with a method. */
#ifndef GRAZE_BACKEND_CUDA_DEVICE_METHOD_H
#define GRAZE_BACKEND_CUDA_DEVICE_METHOD_H

#include "backend/backend.h"
#include "cuda/device_state.h"

/* Prepares the scene's method on a device that has the last update. */
graze_result device_prepare_method(graze_scene *scene);

/* See backend.change_method. */
graze_result device_change_method(graze_scene *scene);

/* Runs a query with the scene's method on the device; `request` is device_backend_query of it, possibly extended. */
graze_result device_find_by_method(const graze_scene *scene, const graze_query *query, const device_query *request,
                                   device_answer *found_out);

/* The method that searches an updated scene, and the reason. */
const method *device_searched_by(const graze_scene *scene, const char **reason_out);

/* The method's trees on the device; NULL: it has none. */
const device_forest *device_method_trees(const graze_scene *scene);

#endif
