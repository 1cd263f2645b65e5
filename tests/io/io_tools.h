/* Common functions of the tests of libgraze_io: meshes of every kind, an allocator that counts and fails, and a folder.
 */
#ifndef GRAZE_IO_TOOLS_H
#define GRAZE_IO_TOOLS_H

#include "graze/io.h"
#include "owned.h"

DESTROY_OWNED(graze_io_meshes)

/* Counts calls and live bytes; the call number `fail_at`, counted from 1, gives NULL (0: none does). Blocks do not come
 * from the start of a block of malloc, so that `free` of one ends the program. */
typedef struct counting_allocator {
  size_t calls, fail_at, live_bytes;
  graze_allocator hooks;
} counting_allocator;

void counting_allocator_start(counting_allocator *memory, size_t fail_at);

/* A small mesh of each kind; the views last as long as the program. */
graze_mesh_def small_mesh(graze_kind kind);

/* An ending that holds the kind. */
const char *ending_of(graze_kind kind);

/* A folder of its own that becomes the current one; leaving removes it with the files in it. 0 on success. */
int enter_folder(void **state);
int leave_folder(void **state);

#endif
