/* The tables of a scene's objects on its device: sources, rules and poses, of which only rows that differ are uploaded.
 */
#ifndef GRAZE_CUDA_DEVICE_TABLES_H
#define GRAZE_CUDA_DEVICE_TABLES_H

#include "cuda/device_scene.h"

/* Room for so many objects, here and on the device: all of it or none. What the tables hold is lost where the number
 * differs. */
graze_result size_tables(device_scene *state, size_t object_count);

void release_tables(device_scene *state);

/* What the scene tells of object number i, or of the i-th that it has news of; and how many those are. */
const object_news *scene_news(const scene_upload *scene, size_t i);
size_t scene_news_count(const scene_upload *scene);

/* Fills the tables in. Positions and elements have their places. */
graze_result upload_tables(device_scene *state, const scene_upload *scene);

#endif
