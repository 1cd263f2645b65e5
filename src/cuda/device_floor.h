/* The floor of the grid on a device: the level up to which smaller primitives are lifted, so that few levels are
 * occupied.
 *
 * Each level that has primitives costs every smaller one a look at its lines. Where many primitives are about as large
 * as those of the next level, as in a soup, lifting them spares the look and adds few boxes to compare. The processor's
 * floor (broad/grid_floor.h) looks at how crowded cells are; here a primitive is lifted by two levels at most, which
 * bounds the crowd: smaller ones stay where they are, and cost nobody but themselves. */
#ifndef GRAZE_CUDA_DEVICE_FLOOR_H
#define GRAZE_CUDA_DEVICE_FLOOR_H

#include "cuda/device_scene.h"

/* From the sides of sampled primitives that came with the last update, and the floor before it; 0: none. */
uint32_t device_floor_level(const device_scene *scene, uint32_t floor_before);

#endif
