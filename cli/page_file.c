/* Writes pages.
 *
 * Workload: records of kilobytes to hundreds of megabytes, once per run. They are compressed by zlib (RFC 1952) and
 * encoded in base64 (RFC 4648) as a stream, without a second copy in memory. */
#include "page_file.h"

#include "complaint.h"

#include "viewer/viewer_page.h"

#include <stdlib.h>
#include <zlib.h>

enum { CHUNK_BYTES = 3 << 14, GZIP_WINDOW = 15 + 16, LEVEL = 6, MEMORY_LEVEL = 8, LINE_LETTERS = 76 };

typedef struct packing_stream {
  z_stream zip;
  FILE *stream;
  unsigned char packed[CHUNK_BYTES];
} packing_stream;

bool page_exists(const char *wanted_by) {
  if (viewer_page_text() != NULL) return true;
  return decline("%s: built without the viewer, which requires node and npm at build time", wanted_by);
}

/* Whole groups of three bytes, except the last. */
static void write_base64(const unsigned char *bytes, size_t count, FILE *stream) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char line[LINE_LETTERS + 1];
  size_t filled = 0;
  for (size_t i = 0; i < count; i += 3) {
    const size_t left = count - i;
    const unsigned long group = (unsigned long)bytes[i] << 16 | (left > 1 ? (unsigned long)bytes[i + 1] << 8 : 0) |
                                (left > 2 ? (unsigned long)bytes[i + 2] : 0);
    line[filled++] = letters[group >> 18 & 63];
    line[filled++] = letters[group >> 12 & 63];
    line[filled++] = left > 1 ? letters[group >> 6 & 63] : '=';
    line[filled++] = left > 2 ? letters[group & 63] : '=';
    if (filled < LINE_LETTERS && left > 3) continue;
    line[filled++] = '\n';
    fwrite(line, 1, filled, stream);
    filled = 0;
  }
}

static void write_packed(packing_stream *out, bool last) {
  const size_t made = CHUNK_BYTES - out->zip.avail_out;
  if (!last && out->zip.avail_out > 0) return;
  write_base64(out->packed, made, out->stream);
  out->zip.next_out = out->packed;
  out->zip.avail_out = CHUNK_BYTES;
}

/* zlib counts bytes in 32 bits. */
static void pack_bytes(packing_stream *out, const void *bytes, size_t count) {
  enum { PIECE = 1 << 30 };
  const unsigned char *next = bytes;
  while (count > 0) {
    const size_t piece = count < PIECE ? count : PIECE;
    out->zip.next_in = (unsigned char *)(uintptr_t)next;
    out->zip.avail_in = (uInt)piece;
    while (out->zip.avail_in > 0) {
      deflate(&out->zip, Z_NO_FLUSH);
      write_packed(out, false);
    }
    next += piece;
    count -= piece;
  }
}

static void finish_packing(packing_stream *out) {
  while (deflate(&out->zip, Z_FINISH) != Z_STREAM_END) write_packed(out, false);
  write_packed(out, true);
  deflateEnd(&out->zip);
}

static void pack_record(packing_stream *out, const page_record *record) {
  unsigned char head[16] = "GRAZEPG1";
  static const unsigned char zeros[8] = {0};
  for (size_t i = 0; i < 8; i++) head[8 + i] = (unsigned char)((uint64_t)record->text_bytes >> (8 * i));
  pack_bytes(out, head, sizeof head);
  pack_bytes(out, record->text, record->text_bytes);
  pack_bytes(out, zeros, (8 - record->text_bytes % 8) % 8);
  pack_bytes(out, record->bytes, record->byte_count);
}

bool page_file_write(const page_record *record, FILE *stream) {
  const viewer_page *page = viewer_page_text();
  packing_stream *out = calloc(1, sizeof *out);
  if (out == NULL ||
      deflateInit2(&out->zip, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
    free(out);
    return decline("out of memory");
  }
  out->stream = stream;
  out->zip.next_out = out->packed;
  out->zip.avail_out = CHUNK_BYTES;
  fwrite(page->before, 1, page->before_bytes, stream);
  pack_record(out, record);
  finish_packing(out);
  free(out);
  fwrite(page->after, 1, page->after_bytes, stream);
  return true;
}

bool page_file_write_frame(const page_heading *heading, const page_frame *frame_or_null, FILE *stream) {
  page_record record;
  bool written = page_record_begin(&record, heading, PAGE_EXACT) &&
                 (frame_or_null == NULL || page_record_add(&record, frame_or_null)) && page_record_end(&record);
  if (!written) complain("out of memory");
  written = written && page_file_write(&record, stream);
  page_record_release(&record);
  return written;
}
