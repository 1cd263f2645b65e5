/* `graze make filled`: a surface read from a file and filled with tetrahedra. */
#ifndef GRAZE_MAKE_FILLING_H
#define GRAZE_MAKE_FILLING_H

#include "mesh_io/mesh.h"

/* Reads a surface and fills it with about `target` tetrahedra, as one mesh of all polygons of the file. With
 * `allow_large`, a compressed file may expand without limit. On success the caller owns *meshes_out (release with
 * mesh_list_free); on failure the outputs are NULL and 0, and `error` contains a message that names the file. */
bool make_filling(const char *path, bool allow_large, uint64_t target, mesh **meshes_out, size_t *mesh_count_out,
                  char *error, size_t error_bytes);

#endif
