/* The builder of sphere trees by batch neural gas. */
#ifndef GRAZE_SPHERES_NEURAL_GAS_H
#define GRAZE_SPHERES_NEURAL_GAS_H

#include "spheres/sphere_level.h"

sphere_placer place_by_neural_gas;

#endif
