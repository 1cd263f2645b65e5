/* ZIP archives for the tests of 3MF. */
#ifndef GRAZE_ZIP_FILES_H
#define GRAZE_ZIP_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct zip_file {
  unsigned char *bytes;
  size_t size;
  unsigned char directory[4096];
  size_t directory_size, entry_count;
} zip_file;

/* How an entry is written; zeroed: stored. */
typedef struct zip_manner {
  int level;         /* of deflate, from 1 on; -1: stored blocks; 0: not deflated */
  bool is_64;        /* sizes of 64 bits */
  unsigned flags;    /* as they are in the headers */
  uint32_t crc_flaw; /* added to the checksum */
} zip_manner;

void zip_add(zip_file *zip, const char *name, const void *bytes, size_t size, zip_manner manner);

/* The directory and the record at the end; with 64 bits where it is asked for. Release `bytes` by free. */
void zip_finish(zip_file *zip, bool is_64);

#endif
