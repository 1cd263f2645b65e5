/* A scene whose updates, queries and contacts run on a device. */
#ifndef GRAZE_SCENE_SCENE_DEVICE_H
#define GRAZE_SCENE_SCENE_DEVICE_H

#include "analysis/crowding.h"
#include "graze/cuda.h"
#include "scene/scene_internal.h"

/* A scene's state on the device of that number, or a message. It is the scene's from when the scene says so. */
graze_result scene_device_open(graze_scene *scene, int device, struct device_state **state_out);

/* NULL is allowed; so is a device that is lost. */
void scene_device_close(graze_scene *scene, struct device_state *state);

/* Refuses methods that devices do not have; NULL stands for "auto". */
graze_result scene_device_check_method(graze_scene *scene, const method *chosen);

/* What it holds there; 0 where there is none. */
size_t scene_device_bytes(const graze_scene *scene);

/* What comes after the numbers: the device's copy of the scene, posed, measured, rounded. */
graze_result scene_device_update(graze_scene *scene);

/* For calls that run on the host: refuses where the host lacks positions. */
graze_result scene_device_check_host(graze_scene *scene);

/* For calls that change part of an object's positions: refuses where they lie on the device. */
graze_result scene_device_check_positions(graze_scene *scene, const scene_object *object, const char *label);

/* Copies the positions of an object that the device alone has, as they are after the work on the object's stream. */
graze_result scene_device_fetch_positions(graze_scene *scene, const scene_object *object, const char *label,
                                          void *positions_out);

/* The query on the device, where its pairs stay. */
graze_result scene_device_find_there(graze_scene *scene, const graze_query *query, graze_device_pairs *pairs_out);

/* The query on the device, its pairs in the scene's list. */
graze_result scene_device_find(graze_scene *scene, const graze_query *query, graze_pairs *pairs_out);

/* Contacts of the host's pairs, made on the device, in the scene's lists. */
graze_result scene_device_make_contacts(graze_scene *scene, const graze_pair *pairs, size_t count);

/* The volumes that solids of different objects share, a contact for each pair of the scene's list; those of other pairs
 * are zero, and have no kind. */
graze_result scene_device_make_pushes(graze_scene *scene, graze_contact *pushes_out);

/* The k-free measure of an object on the device, its counts in arrays of the host. */
graze_result scene_device_measure(graze_scene *scene, uint32_t index, const crowding_counts *counts,
                                  crowding_outcome *outcome_out);

#endif
