/* Byte-order marks, as in "The Unicode Standard", section 23.8. Workload: once per file. Editors on some systems write
 * one before UTF-8 text. UTF-16 and UTF-32 would require decoding every number, and no known writer of meshes uses
 * them. */
#include "mesh_io/text_encoding.h"

#include <string.h>

typedef struct byte_order_mark {
  const char *bytes;
  size_t length;
  const char *encoding;
} byte_order_mark;

/* UTF-32 before UTF-16: the little-endian mark of UTF-32 begins with that of UTF-16. */
static const byte_order_mark refused_marks[] = {
    {"\xFF\xFE\0\0", 4, "UTF-32, little endian"},
    {"\0\0\xFE\xFF", 4, "UTF-32, big endian"},
    {"\xFF\xFE", 2, "UTF-16, little endian"},
    {"\xFE\xFF", 2, "UTF-16, big endian"},
};

static bool begins_with(const char *bytes, size_t size, const char *mark, size_t length) {
  return size >= length && memcmp(bytes, mark, length) == 0;
}

size_t byte_order_mark_bytes(const char *bytes, size_t size) {
  return begins_with(bytes, size, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

bool text_encoding_start(const mesh_reading *file, mesh_reading *text_out) {
  for (size_t i = 0; i < sizeof refused_marks / sizeof *refused_marks; i++) {
    const byte_order_mark *mark = &refused_marks[i];
    if (!begins_with(file->bytes, file->size, mark->bytes, mark->length)) continue;
    return mesh_fail(file, "the byte-order mark is that of %s; only ASCII and UTF-8 are supported", mark->encoding);
  }
  const size_t mark_bytes = byte_order_mark_bytes(file->bytes, file->size);
  *text_out = *file;
  text_out->bytes += mark_bytes;
  text_out->size -= mark_bytes;
  return true;
}
