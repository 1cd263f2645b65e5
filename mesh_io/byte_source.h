/* Reads a whole file into memory. */
#ifndef GRAZE_BYTE_SOURCE_H
#define GRAZE_BYTE_SOURCE_H

#include "mesh_io/mesh_reading.h"

/* Reads the file named reading->file_name, decompressed if it begins like a gzip file, and sets reading->bytes (with
 * the padding) and reading->size. Refuses directories, empty files, with reading->only_regular pipes and devices, more
 * than `byte_limit` bytes and, unless reading->allow_large, compressed files that expand too much: mesh_file.h states
 * the limits. The caller releases the bytes through reading->memory. */
bool byte_source_read(mesh_reading *reading, uint64_t byte_limit);

/* The same without decompression, for binary data that may begin with any bytes. */
bool byte_source_read_as_is(mesh_reading *reading, uint64_t byte_limit);

/* The same for the bytes of a file in memory, which are copied. */
bool byte_source_copy(mesh_reading *reading, const void *bytes, size_t size, uint64_t byte_limit);

/* Reads up to `room` first bytes of a file, decompressed; returns their number, 0 if the file cannot be read. */
size_t byte_source_peek(const char *path, char *bytes, size_t room);

#endif
