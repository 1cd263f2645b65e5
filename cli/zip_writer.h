/* Writes a ZIP archive to a stream, entry by entry. */
#ifndef GRAZE_ZIP_WRITER_H
#define GRAZE_ZIP_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* The limit of the format without extensions; a larger archive is refused. */
enum { ZIP_ENTRIES = 65535 };

typedef struct zip_record {
  char *name; /* owned */
  uint32_t crc, packed_bytes, plain_bytes, offset;
  uint16_t method;
} zip_record;

typedef struct zip_writer {
  FILE *stream; /* borrowed; written from its start */
  zip_record *records;
  size_t count, capacity;
  uint64_t written; /* bytes of the stream */
  uint32_t stamp;   /* date and time of all entries, in the encoding of the format */
} zip_writer;

/* Starts an archive. All entries get this time, in UTC; years before 1980 become 1980. */
zip_writer zip_writer_start(FILE *stream, time_t time);

/* Appends a file: deflated if that is smaller, else stored. False when out of memory, if the stream fails, or if the
 * archive would exceed ZIP_ENTRIES files or 4 GiB. */
bool zip_writer_add(zip_writer *zip, const char *name, const void *bytes, size_t count);

/* Writes the directory. */
bool zip_writer_finish(zip_writer *zip);

/* Releases the memory, in any state. */
void zip_writer_release(zip_writer *zip);

#endif
