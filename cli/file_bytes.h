/* Reads a file into memory. */
#ifndef GRAZE_FILE_BYTES_H
#define GRAZE_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* Returns all bytes with a terminating zero; release with free. NULL after a complaint: the file cannot be read, is a
 * pipe or a device with `only_regular` (for names that come from a file), or has more than `most` bytes, which is too
 * large for what `words` names. */
char *file_bytes_read(const char *path, bool only_regular, size_t most, const char *words, size_t *size_out);

#endif
