/* Reads the two files of a TetGen mesh from memory; mesh_read_tetgen finds the second one. */
#ifndef GRAZE_TETGEN_READER_H
#define GRAZE_TETGEN_READER_H

#include "mesh_io/mesh_reading.h"

/* Messages name the file that they refer to; name, memory and limits of the mesh are those of `given`, which is one of
 * the two. */
bool mesh_read_tetgen_pair(const mesh_reading *nodes, const mesh_reading *elements, const mesh_reading *given,
                           mesh **meshes_out, size_t *mesh_count_out);

#endif
