/* The volume that a closed mesh encloses: the sum over its triangles of the volume between each and the origin, exact
 * until a single rounding at the end. Regions with winding number two count twice, those with a negative one count
 * negative. */
#ifndef GRAZE_PACKING_MESH_VOLUME_H
#define GRAZE_PACKING_MESH_VOLUME_H

#include <stddef.h>
#include <stdint.h>

/* Nine numbers per triangle, at most 4. Coordinates below 2^-300 count as zero. */
double mesh_volume(const double *corners, size_t triangle_count);

/* The same for the given triangles only. */
double mesh_part_volume(const double *corners, const uint32_t *triangles, size_t count);

#endif
