/* A caller's allocator, as mesh_io takes memory. */
#ifndef GRAZE_IO_MEMORY_H
#define GRAZE_IO_MEMORY_H

#include "graze/graze.h"

#include "mesh_io/mesh_file.h"

typedef struct io_memory {
  graze_allocator allocator; /* `allocate` is NULL: the C library's */
  bool failed;               /* since it was started, or cleared: tells GRAZE_OUT_OF_MEMORY from other failures */
} io_memory;

/* Checks and copies a caller's allocator; NULL means the C library's. */
graze_result io_memory_start(io_memory *memory, const graze_allocator *allocator_or_null);

/* For mesh_io, as long as `memory` stays where it is. */
mesh_memory io_memory_hook(io_memory *memory);

/* The code for a failure in mesh_io. */
graze_result io_memory_result(const io_memory *memory);

#endif
