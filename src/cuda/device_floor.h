/* The floor of the grid on a device: the level to which smaller primitives are raised, so that few levels are occupied.
 *
 * Each occupied level costs every smaller primitive a lookup of its lines. If many primitives are nearly as large as
 * those of the next level, as in a soup, raising them saves the lookup and adds few boxes to compare. The processor's
 * floor (broad/grid_floor.h) considers how crowded cells are. Here a primitive is raised by at most two levels, which
 * bounds the number per cell; smaller ones keep their level and only affect their own searches. */
#ifndef GRAZE_CUDA_DEVICE_FLOOR_H
#define GRAZE_CUDA_DEVICE_FLOOR_H

#include "cuda/device_scene.h"

/* Chooses the floor from the sides of sampled primitives of the last update, and the previous floor; 0: none. */
uint32_t device_floor_level(const device_scene *scene, uint32_t floor_before);

#endif
