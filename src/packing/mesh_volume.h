/* The volume that a closed mesh encloses: the sum over its triangles of the volume between each and the origin, exact
 * until the one rounding at its end. What it winds around twice counts twice, what it winds around backwards counts
 * negative. */
#ifndef GRAZE_PACKING_MESH_VOLUME_H
#define GRAZE_PACKING_MESH_VOLUME_H

#include <stddef.h>
#include <stdint.h>

/* Nine numbers a triangle, none above 4. Coordinates below 2^-300 count as zero. */
double mesh_volume(const double *corners, size_t triangle_count);

/* The same of those triangles alone. */
double mesh_part_volume(const double *corners, const uint32_t *triangles, size_t count);

#endif
