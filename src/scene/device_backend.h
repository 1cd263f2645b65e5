/* The backend cuda: what its files do for each other, and what changes of objects ask of it. */
#ifndef GRAZE_SCENE_DEVICE_BACKEND_H
#define GRAZE_SCENE_DEVICE_BACKEND_H

#include "cuda/device_state.h"
#include "graze/cuda.h"
#include "scene/backend.h"

/* The device's message, or that of the host where the host ran out. */
graze_result device_backend_fail(const graze_scene *scene, graze_result result);

device_query device_backend_query(const graze_query *query, stop_check *stop);

/* Contacts of pairs, on the device; a message where one is refused. */
graze_result device_backend_measure_pairs(const graze_scene *scene, const device_contact_query *query,
                                          device_contact_answer *answer_out);

/* For calls that run on the host: refuses where the host lacks positions. */
graze_result scene_device_check_host(const graze_scene *scene);

/* For calls that change part of an object's positions: refuses where they lie on the device. */
graze_result scene_device_check_positions(const graze_scene *scene, const scene_object *object, const char *label);

#endif
