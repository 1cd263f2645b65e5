/* An encoder of ZIP archives that is independent of the reader; zlib deflates. */
#include "zip_files.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static size_t put(unsigned char *to, uint64_t bits, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[i] = (unsigned char)(i < sizeof bits ? bits >> 8 * i : 0);
  return bytes;
}

static unsigned char *grow(zip_file *zip, size_t more) {
  zip->bytes = realloc(zip->bytes, zip->size + more);
  if (!zip->bytes) abort();
  return zip->bytes + zip->size;
}

static size_t deflate_raw(const void *bytes, size_t size, int level, unsigned char **packed_out) {
  z_stream stream = {0};
  if (deflateInit2(&stream, level < 0 ? 0 : level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
  const size_t room = deflateBound(&stream, (uLong)size);
  *packed_out = malloc(room);
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)size;
  stream.next_out = *packed_out;
  stream.avail_out = (uInt)room;
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
  const size_t packed = room - stream.avail_out;
  deflateEnd(&stream);
  return packed;
}

/* From the flags to the lengths of name and extra field, the same in both headers. */
static size_t put_common(unsigned char *to, zip_manner manner, uint32_t crc, size_t packed, size_t size,
                         size_t name_length, size_t extra_length) {
  size_t at = put(to, manner.flags, 2);
  at += put(to + at, manner.level != 0 ? 8 : 0, 2);
  at += put(to + at, 0, 4);
  at += put(to + at, crc, 4);
  at += put(to + at, manner.is_64 ? 0xFFFFFFFF : packed, 4);
  at += put(to + at, manner.is_64 ? 0xFFFFFFFF : size, 4);
  at += put(to + at, name_length, 2);
  return at + put(to + at, extra_length, 2);
}

void zip_add(zip_file *zip, const char *name, const void *bytes, size_t size, zip_manner manner) {
  const size_t name_length = strlen(name), offset = zip->size;
  const uint32_t crc = (uint32_t)crc32(crc32(0, NULL, 0), bytes, (uInt)size) + manner.crc_flaw;
  unsigned char *packed = NULL;
  const size_t packed_size = manner.level != 0 ? deflate_raw(bytes, size, manner.level, &packed) : size;
  unsigned char *to = grow(zip, 64 + name_length + packed_size);
  size_t at = put(to, 0x04034B50, 4);
  at += put(to + at, 20, 2);
  at += put_common(to + at, manner, crc, packed_size, size, name_length, 0);
  memcpy(to + at, name, name_length);
  at += name_length;
  if (packed_size > 0) memcpy(to + at, packed ? packed : bytes, packed_size);
  zip->size += at + packed_size;
  free(packed);
  to = zip->directory + zip->directory_size;
  at = put(to, 0x02014B50, 4);
  at += put(to + at, 20, 2);
  at += put(to + at, 20, 2);
  at += put_common(to + at, manner, crc, packed_size, size, name_length, manner.is_64 ? 32 : 0);
  at += put(to + at, 0, 2);
  at += put(to + at, manner.is_64 ? 0xFFFF : 0, 2);
  at += put(to + at, 0, 6);
  at += put(to + at, manner.is_64 ? 0xFFFFFFFF : offset, 4);
  memcpy(to + at, name, name_length);
  at += name_length;
  if (manner.is_64) {
    at += put(to + at, 1, 2);
    at += put(to + at, 28, 2);
    at += put(to + at, size, 8);
    at += put(to + at, packed_size, 8);
    at += put(to + at, offset, 8);
    at += put(to + at, 0, 4);
  }
  zip->directory_size += at;
  zip->entry_count++;
}

void zip_finish(zip_file *zip, bool is_64) {
  const size_t offset = zip->size;
  unsigned char *const to = grow(zip, zip->directory_size + 128);
  memcpy(to, zip->directory, zip->directory_size);
  size_t at = zip->directory_size;
  if (is_64) {
    const size_t record = offset + at;
    at += put(to + at, 0x06064B50, 4);
    at += put(to + at, 44, 8);
    at += put(to + at, 0, 12);
    at += put(to + at, zip->entry_count, 8);
    at += put(to + at, zip->entry_count, 8);
    at += put(to + at, zip->directory_size, 8);
    at += put(to + at, offset, 8);
    at += put(to + at, 0x07064B50, 4);
    at += put(to + at, 0, 4);
    at += put(to + at, record, 8);
    at += put(to + at, 1, 4);
  }
  at += put(to + at, 0x06054B50, 4);
  at += put(to + at, is_64 ? 0xFFFFFFFF : 0, 4);
  at += put(to + at, is_64 ? 0xFFFF : zip->entry_count, 2);
  at += put(to + at, is_64 ? 0xFFFF : zip->entry_count, 2);
  at += put(to + at, is_64 ? 0xFFFFFFFF : zip->directory_size, 4);
  at += put(to + at, is_64 ? 0xFFFFFFFF : offset, 4);
  at += put(to + at, 0, 2);
  zip->size += at;
}
