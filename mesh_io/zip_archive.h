/* The entries of a ZIP archive in memory, and their contents. */
#ifndef GRAZE_ZIP_ARCHIVE_H
#define GRAZE_ZIP_ARCHIVE_H

#include "mesh_io/mesh_reading.h"

typedef struct zip_entry {
  const char *name; /* not terminated by a zero */
  size_t name_length;
  uint64_t offset; /* of its local header */
  uint64_t packed_size, plain_size;
  uint32_t crc;
  unsigned method, flags;
  size_t user; /* 0 at first; for the caller */
} zip_entry;

typedef struct zip_archive {
  const mesh_reading *reading;
  zip_entry *entries; /* by name, ignoring case */
  size_t entry_count;
  uint64_t extracted_bytes;
} zip_archive;

/* Reads the directory of the archive in `reading`. Refuses multi-file archives, and two entries with the same name or
 * overlapping bytes. Release it also after a failure. */
bool zip_archive_open(const mesh_reading *reading, zip_archive *archive_out);
void zip_archive_free(zip_archive *archive);

/* Finds an entry by name, ignoring case; NULL if there is none. Logarithmic in the number of entries. */
zip_entry *zip_archive_find(const zip_archive *archive, const char *name, size_t name_length);

/* Returns the bytes of an entry, with the padding of a mesh_reading; stored or deflated, checked by its CRC-32. Release
 * them through the memory of the reading. Refuses encrypted entries, other methods, and entries that, with all
 * extracted so far, expand beyond the limits of mesh_file.h. */
bool zip_archive_extract(zip_archive *archive, const zip_entry *entry, char **bytes_out, size_t *size_out);

#endif
