/* Smooth seeded noise over space, which shapes blobs and cloth. */
#ifndef GRAZE_SMOOTH_NOISE_H
#define GRAZE_SMOOTH_NOISE_H

#include "models/portable_math.h"

#include <stdint.h>

/* A twice differentiable function of space, about in [-1, 1], zero on the integer lattice, wavelength about 2.
 * Coordinates must lie within +-2^30. */
double smooth_noise(point3 p, uint64_t seed);

/* A sum of `octaves` noises, each of twice the frequency and half the amplitude of the previous one. */
double fractal_noise(point3 p, uint64_t seed, int octaves);

#endif
