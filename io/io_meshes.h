/* A list of meshes with its memory. */
#ifndef GRAZE_IO_MESHES_H
#define GRAZE_IO_MESHES_H

#include "base/definition.h"
#include "graze/io.h"

#include "mesh_io/mesh_file.h"

extern const definition_kind io_read_options_definition;
extern const definition_kind io_write_options_definition;
extern const definition_kind io_info_definition;
extern const definition_kind io_mesh_def_definition;
extern const definition_kind io_allocator_definition;

/* An allocator of the caller as the memory of mesh_io. */
typedef struct io_memory {
  graze_allocator allocator; /* `allocate` is NULL: the C library */
  bool failed;               /* since the start, or cleared: distinguishes GRAZE_OUT_OF_MEMORY from other failures */
} io_memory;

/* Checks and copies an allocator of the caller; NULL means the C library. */
graze_result io_memory_start(io_memory *memory, const graze_allocator *allocator_or_null);

/* Returns the memory for mesh_io, valid while `memory` stays in place. */
mesh_memory io_memory_hook(io_memory *memory);

/* Returns the code for a failure in mesh_io. */
graze_result io_memory_result(const io_memory *memory);

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
