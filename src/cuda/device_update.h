/* The update of a scene on a device: the results up to rounded vertices, and the floor of the grid. */
#ifndef GRAZE_CUDA_DEVICE_UPDATE_H
#define GRAZE_CUDA_DEVICE_UPDATE_H

#include "cuda/device_scene.h"

/* Uploads changes and computes everything up to the rounded vertices. *finite_out is false if a posed coordinate, or
 * one given on the device, is not finite; then no query may follow. */
graze_result device_scene_update(device_scene *scene, const scene_upload *input, cleared_memory cleared,
                                 bool *finite_out, double *milliseconds_out);

/* Copies a caller's positions on the device, after the current work of its stream. */
graze_result device_scene_fetch_positions(device_scene *scene, const void *device_positions, void *stream, size_t bytes,
                                          void *positions_out);

/* Chooses the floor from the sides of sampled primitives of the last update, and the previous floor; 0: none. It is the
 * level to which smaller primitives are raised, so that few levels are occupied.
 *
 * Each occupied level costs every smaller primitive a lookup of its lines. If many primitives are nearly as large as
 * those of the next level, as in a soup, raising them saves the lookup and adds few boxes to compare. The processor's
 * floor (broad/grid_floor.h) considers how crowded cells are. Here a primitive is raised by at most two levels, which
 * bounds the number per cell; smaller ones keep their level and only affect their own searches. */
uint32_t device_floor_level(const device_scene *scene, uint32_t floor_before);

#endif
