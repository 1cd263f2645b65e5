/* The builders of sphere trees that choose spheres as prototypes. */
#ifndef GRAZE_SPHERES_SPHERE_SEEDS_H
#define GRAZE_SPHERES_SPHERE_SEEDS_H

#include "spheres/sphere_level.h"

sphere_placer place_at_biggest, place_at_extremes;

#endif
