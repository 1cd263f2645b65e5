/* Common functions of the mesh_io tests: reading from memory, a temporary folder, and an allocator that counts and
 * fails. */
#ifndef GRAZE_READING_TOOLS_H
#define GRAZE_READING_TOOLS_H

#include "mesh_io/mesh_reading.h"

/* Counts calls and live blocks; the call number `fail_at`, counted from 1, gives NULL (0: none does). */
typedef struct counted_memory {
  size_t calls, fail_at;
  size_t largest; /* bytes of the largest block that was asked for */
  long live;
} counted_memory;

mesh_memory counted_memory_hook(counted_memory *memory);

typedef struct reading_result {
  bool done;
  mesh *meshes;
  size_t mesh_count;
  char error[256];
} reading_result;

/* Reads `size` bytes as a file of the name "file", from a block of exactly that size and the padding. */
reading_result read_bytes(mesh_reader *reader, const char *bytes, size_t size, bool separate);
reading_result read_limited(mesh_reader *reader, const char *bytes, size_t size, size_t element_limit);
void free_result(reading_result *result);

/* A folder of its own, below that of temporary files, that becomes the current one; leaving removes it with the files
 * in it. 0 on success. */
int enter_scratch_folder(void **state);
int leave_scratch_folder(void **state);
void write_bytes(const char *path, const void *bytes, size_t size);

/* splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
uint64_t next_random(uint64_t *state);

#endif
