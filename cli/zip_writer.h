/* Writes a ZIP archive to a stream, an entry at a time. */
#ifndef GRAZE_ZIP_WRITER_H
#define GRAZE_ZIP_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* What the plain format counts; an archive that needs more is refused. */
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
  uint32_t stamp;   /* date and time of all entries, as the format has them */
} zip_writer;

/* All entries get the time, in UTC; years before 1980 become 1980. */
zip_writer zip_writer_start(FILE *stream, time_t time);

/* Appends a file: deflated where that is smaller, else as it is. False when memory is out, the stream fails, or the
 * archive would have more than ZIP_ENTRIES files or 4 GiB. */
bool zip_writer_add(zip_writer *zip, const char *name, const void *bytes, size_t count);

/* Writes the directory. */
bool zip_writer_finish(zip_writer *zip);

/* Releases the memory, whether it was finished or not. */
void zip_writer_release(zip_writer *zip);

#endif
