/* The tables of a scene's objects on its device: sources, rules and poses. Only rows that differ are uploaded. */
#ifndef GRAZE_CUDA_DEVICE_TABLES_H
#define GRAZE_CUDA_DEVICE_TABLES_H

#include "cuda/device_scene.h"

/* Allocates rows for this number of objects, on host and device: all or none. The content is lost if the number
 * changes. */
graze_result size_tables(device_scene *state, size_t object_count);

void release_tables(device_scene *state);

/* The data of object i, or of the i-th updated object, and the number of those. */
const object_update *scene_object_update(const scene_upload *scene, size_t i);
size_t scene_update_count(const scene_upload *scene);

/* Fills the tables, after positions and elements were placed. */
graze_result upload_tables(device_scene *state, const scene_upload *scene);

#endif
