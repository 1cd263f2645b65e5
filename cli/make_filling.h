/* `graze make filled`: a surface read from a file and filled with tetrahedra. */
#ifndef GRAZE_MAKE_FILLING_H
#define GRAZE_MAKE_FILLING_H

#include "mesh_io/mesh.h"

/* A compressed file may expand as far as it likes when `allow_large`. One mesh of about `target` tetrahedra from all
 * polygons of the file. On success the caller owns *meshes_out (release it with mesh_list_free); on failure the outputs
 * are NULL and 0 and `error` holds one message that names the file. */
bool make_filling(const char *path, bool allow_large, uint64_t target, mesh **meshes_out, size_t *mesh_count_out,
                  char *error, size_t error_bytes);

#endif
