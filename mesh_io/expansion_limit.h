/* How much may come out of few bytes: compressed data, and meshes that a file places many times. */
#ifndef GRAZE_EXPANSION_LIMIT_H
#define GRAZE_EXPANSION_LIMIT_H

#include "mesh_io/mesh_reading.h"

/* How many bytes may come from the first `taken` bytes of a file, unless large ones are allowed: mesh_file.h has the
 * limits. UINT64_MAX: any number. */
uint64_t expansion_limit(const mesh_reading *reading, uint64_t taken);

/* Refuses to place so many triangles, counted with instances, of a file of `file_bytes` bytes where they are too many:
 * each counts as much as it takes in memory. */
bool expansion_allows_triangles(const mesh_reading *reading, uint64_t triangles, uint64_t file_bytes);

#endif
