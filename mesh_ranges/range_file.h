/* A file that is read block by block. A mapping would raise a signal if the file became shorter; a read reports it. */
#ifndef GRAZE_RANGE_FILE_H
#define GRAZE_RANGE_FILE_H

#include "graze/graze.h"

/* A block is read by one call, and fits in a cache of the second level. */
enum { RANGE_BLOCK_BYTES = 1 << 18, RANGE_TROUBLE_BYTES = 160 };

typedef struct range_file {
  bool is_open;
  int descriptor;
  uint64_t size;
  int64_t modified_seconds, modified_nanoseconds;
} range_file;

/* False if it is not a regular file, is empty, or cannot be opened. */
bool range_file_open(range_file *file, const char *path);
void range_file_close(range_file *file); /* also for a closed one */

/* Reads `size` bytes from byte `first` on. GRAZE_FILE_FAILED, with a message, if the file ends before. */
graze_result range_file_read(const range_file *file, uint64_t first, size_t size, void *bytes_out,
                             char trouble_out[RANGE_TROUBLE_BYTES]);

/* GRAZE_FILE_FAILED, with a message, if the file was modified after it was opened. */
graze_result range_file_check(const range_file *file, char trouble_out[RANGE_TROUBLE_BYTES]);

#endif
