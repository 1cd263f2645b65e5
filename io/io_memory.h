/* An allocator of the caller as the memory of mesh_io. */
#ifndef GRAZE_IO_MEMORY_H
#define GRAZE_IO_MEMORY_H

#include "graze/graze.h"

#include "mesh_io/mesh_file.h"

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

#endif
