/* Reads arbitrary bytes as 3MF: as an archive, and as the model part of an archive with one stored entry, because
 * checksums reject nearly every mutation of an archive. */
#include "fuzz/fuzz_reader.h"

#include <zlib.h>

static size_t put(uint8_t *to, uint64_t bits, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[i] = (uint8_t)(bits >> 8 * i);
  return bytes;
}

static const char part_name[] = "3D/3dmodel.model";
enum { NAME_BYTES = sizeof part_name - 1, LOCAL_BYTES = 30, CENTRAL_BYTES = 46, END_BYTES = 22 };

/* The common part of the local header and the directory: flags, method, time, checksum, sizes, lengths. */
static size_t put_common(uint8_t *to, const uint8_t *text, size_t size) {
  size_t at = put(to, 0, 4);
  at += put(to + at, 0, 4);
  at += put(to + at, crc32(crc32(0, NULL, 0), text, (uInt)size), 4);
  at += put(to + at, size, 4);
  at += put(to + at, size, 4);
  at += put(to + at, NAME_BYTES, 2);
  return at + put(to + at, 0, 2);
}

static void read_as_part(const uint8_t *text, size_t size) {
  uint8_t *const file = calloc(1, LOCAL_BYTES + CENTRAL_BYTES + END_BYTES + 2 * NAME_BYTES + size);
  if (!file) return;
  size_t at = put(file, 0x04034B50, 4);
  at += put(file + at, 20, 2);
  at += put_common(file + at, text, size);
  memcpy(file + at, part_name, NAME_BYTES);
  at += NAME_BYTES;
  if (size > 0) memcpy(file + at, text, size);
  at += size;
  const size_t directory = at;
  at += put(file + at, 0x02014B50, 4);
  at += put(file + at, 20, 2);
  at += put(file + at, 20, 2);
  at += put_common(file + at, text, size);
  at = directory + CENTRAL_BYTES;
  memcpy(file + at, part_name, NAME_BYTES);
  at += NAME_BYTES;
  const size_t end = at;
  at += put(file + at, 0x06054B50, 4);
  at += put(file + at, 0, 4);
  at += put(file + at, 1, 2);
  at += put(file + at, 1, 2);
  at += put(file + at, end - directory, 4);
  at += put(file + at, directory, 4);
  fuzz_read(mesh_read_3mf, file, end + END_BYTES);
  free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(mesh_read_3mf, bytes, size);
  read_as_part(bytes, size);
  return 0;
}
