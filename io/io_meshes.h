/* A list of meshes with its memory. */
#ifndef GRAZE_IO_MESHES_H
#define GRAZE_IO_MESHES_H

#include "io/io_memory.h"

#include "graze/io.h"

struct graze_io_meshes {
  io_memory memory; /* of the list, its meshes and itself */
  mesh *meshes;
  size_t count, capacity;
};

/* Creates an empty list; the memory is copied. On failure *meshes_out is NULL. */
graze_result io_meshes_start(const io_memory *memory, graze_io_meshes **meshes_out);

/* Releases a list of mesh_io that came from this memory. */
void io_meshes_release(io_memory *memory, mesh *meshes, size_t count);

#endif
