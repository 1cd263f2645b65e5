/* Limits the expansion of compressed data, and of meshes that a file places many times. */
#ifndef GRAZE_EXPANSION_LIMIT_H
#define GRAZE_EXPANSION_LIMIT_H

#include "mesh_io/mesh_reading.h"

/* Returns the largest number of bytes that may come from the first `taken` bytes of a file, unless large files are
 * allowed: mesh_file.h states the limits. UINT64_MAX: no limit. */
uint64_t expansion_limit(const mesh_reading *reading, uint64_t taken);

/* Refuses too many triangles, counted with instances, in a file of `file_bytes` bytes: each counts by its memory. */
bool expansion_allows_triangles(const mesh_reading *reading, uint64_t triangles, uint64_t file_bytes);

#endif
