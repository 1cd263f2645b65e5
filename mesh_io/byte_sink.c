/* Writes files. Workload: tens of megabytes in pieces of a few dozen bytes, collected in one buffer before they go to
 * zlib or to the file. A failure is recorded and makes all later calls do nothing, so that writers need not test each
 * piece. */
#include "mesh_io/byte_sink.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { BUFFER_BYTES = 1 << 16 };

struct byte_sink {
  mesh_reading place;
  mesh_memory memory; /* a copy that zlib may point to */
  FILE *file;
  bool compressed, failed;
  z_stream stream;
  size_t used;
  char buffer[BUFFER_BYTES];
  unsigned char packed[BUFFER_BYTES];
};

static voidpf zlib_allocate(voidpf opaque, uInt items, uInt item_bytes) {
  void *block = NULL;
  return mesh_resize(opaque, &block, items, item_bytes) ? block : NULL;
}

static void zlib_release(voidpf opaque, voidpf block) {
  mesh_release(opaque, block);
}

static void fail_errno(byte_sink *sink, const char *what, int code) {
  char words[128];
  if (strerror_r(code, words, sizeof words) != 0) snprintf(words, sizeof words, "error %d", code);
  if (!sink->failed) mesh_fail(&sink->place, "%s: %s", what, words);
  sink->failed = true;
}

static void write_to_file(byte_sink *sink, const void *bytes, size_t count) {
  if (!sink->failed && count > 0 && fwrite(bytes, 1, count, sink->file) != count) {
    fail_errno(sink, "cannot be written", errno);
  }
}

/* Empties the buffer. */
static void flush(byte_sink *sink, bool last) {
  if (!sink->compressed) {
    write_to_file(sink, sink->buffer, sink->used);
  } else if (!sink->failed) {
    sink->stream.next_in = (Bytef *)sink->buffer;
    sink->stream.avail_in = (uInt)sink->used;
    do {
      sink->stream.next_out = sink->packed;
      sink->stream.avail_out = BUFFER_BYTES;
      deflate(&sink->stream, last ? Z_FINISH : Z_NO_FLUSH);
      write_to_file(sink, sink->packed, BUFFER_BYTES - sink->stream.avail_out);
    } while (sink->stream.avail_out == 0);
  }
  sink->used = 0;
}

byte_sink *byte_sink_open(const mesh_reading *place, bool compressed) {
  enum { WINDOW_OF_GZIP = 15 + 16, MEMORY_LEVEL = 8 };
  void *block = NULL;
  if (!mesh_resize(&place->memory, &block, 1, sizeof(byte_sink))) {
    mesh_fail(place, "out of memory for a buffer");
    return NULL;
  }
  byte_sink *sink = block;
  memset(sink, 0, sizeof *sink);
  sink->place = *place;
  sink->memory = place->memory;
  sink->compressed = compressed;
  sink->stream = (z_stream){.zalloc = zlib_allocate, .zfree = zlib_release, .opaque = &sink->memory};
  if (compressed && deflateInit2(&sink->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_OF_GZIP, MEMORY_LEVEL,
                                 Z_DEFAULT_STRATEGY) != Z_OK) {
    mesh_fail(place, "out of memory for compression");
    mesh_release(&place->memory, sink);
    return NULL;
  }
  sink->file = fopen(place->file_name, "wb");
  if (!sink->file) {
    fail_errno(sink, "cannot be opened for writing", errno);
    if (compressed) deflateEnd(&sink->stream);
    mesh_release(&place->memory, sink);
    return NULL;
  }
  setvbuf(sink->file, NULL, _IONBF, 0);
  return sink;
}

char *byte_sink_reserve(byte_sink *sink) {
  if (sink->used + BYTE_SINK_ROOM > BUFFER_BYTES) flush(sink, false);
  return sink->buffer + sink->used;
}

void byte_sink_advance(byte_sink *sink, size_t count) {
  sink->used += count;
}

void byte_sink_write(byte_sink *sink, const void *bytes, size_t count) {
  const char *p = bytes;
  while (count > 0) {
    const size_t piece = count < BYTE_SINK_ROOM ? count : BYTE_SINK_ROOM;
    memcpy(byte_sink_reserve(sink), p, piece);
    byte_sink_advance(sink, piece);
    p += piece;
    count -= piece;
  }
}

bool byte_sink_close(byte_sink *sink) {
  flush(sink, true);
  if (fclose(sink->file) != 0) fail_errno(sink, "cannot be written", errno);
  if (sink->compressed) deflateEnd(&sink->stream);
  const bool done = !sink->failed;
  const mesh_memory memory = sink->memory;
  mesh_release(&memory, sink);
  return done;
}
