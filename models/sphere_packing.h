/* Packings of spheres of many sizes in simple bodies: no two overlap, none leaves the body. Seeded, bit-identical on
 * every machine. */
#ifndef GRAZE_SPHERE_PACKING_H
#define GRAZE_SPHERE_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bodies of about the size of the unit ball. */
typedef enum packed_body { PACKED_BALL, PACKED_RING, PACKED_DUMBBELL, PACKED_BODIES } packed_body;

typedef struct sphere_packing {
  double (*centers)[3];
  double *radii;
  size_t count;
} sphere_packing;

const char *packed_body_name(packed_body body);

/* Makes `count` spheres, the largest first; false when out of memory, with nothing to free. */
bool sphere_packing_make(packed_body body, size_t count, uint64_t seed, sphere_packing *packing_out);
void sphere_packing_free(sphere_packing *packing);

#endif
