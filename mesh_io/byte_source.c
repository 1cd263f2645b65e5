/* Reads files into memory, plain or compressed. Workload: one file of kilobytes to gigabytes, read once in order. It is
 * read, not mapped: if another process truncated a mapped file, this process would crash, and a mapping has no space
 * for the padding. If the size is known, one allocation suffices; for pipes and decompression the buffer doubles. */
#include "mesh_io/byte_source.h"

#include "mesh_io/expansion_limit.h"
#include "mesh_io/number_printer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { FIRST_BYTES = 1 << 16, PIECE_BYTES = 1 << 30, WAIT_MILLISECONDS = 100 };

typedef struct byte_buffer {
  char *bytes;
  size_t size, capacity; /* the capacity without padding */
} byte_buffer;

static bool fail_errno(const mesh_reading *reading, const char *what, int code) {
  char words[128];
  if (strerror_r(code, words, sizeof words) != 0) snprintf(words, sizeof words, "error %d", code);
  return mesh_fail(reading, "%s: %s", what, words);
}

static bool set_capacity(const mesh_reading *reading, byte_buffer *buffer, size_t capacity) {
  void *block = buffer->bytes;
  if (capacity > SIZE_MAX - MESH_PADDING_BYTES ||
      !mesh_resize(&reading->memory, &block, capacity + MESH_PADDING_BYTES, 1)) {
    return mesh_fail(reading, "out of memory for %zu bytes", capacity);
  }
  buffer->bytes = block;
  buffer->capacity = capacity;
  return true;
}

static bool fail_limit(const mesh_reading *reading, uint64_t byte_limit) {
  return mesh_fail(reading, "exceeds the limit of %llu bytes", (unsigned long long)byte_limit);
}

/* Makes space for at least one more byte. One byte above the limit is allowed, to detect that it is exceeded. */
static bool make_room(const mesh_reading *reading, byte_buffer *buffer, uint64_t byte_limit) {
  if (buffer->size > byte_limit) return fail_limit(reading, byte_limit);
  if (buffer->size < buffer->capacity) return true;
  const uint64_t most = byte_limit < SIZE_MAX / 4 ? byte_limit + 1 : SIZE_MAX / 4;
  const size_t doubled = 2 * buffer->capacity;
  return set_capacity(reading, buffer, doubled < most ? doubled : (size_t)most);
}

/* Waits until a pipe or device has bytes or ends; reading->should_stop is called now and then. A page has no pipes. */
static bool wait_for_bytes(const mesh_reading *reading, int descriptor) {
#if defined(__wasm__)
  return descriptor >= 0 || mesh_fail(reading, "cannot be read");
#else
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  while (!reading->should_stop(NULL)) {
    const int ready = poll(&wanted, 1, WAIT_MILLISECONDS);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
  return mesh_fail(reading, "reading was stopped");
#endif
}

static bool read_descriptor(mesh_reading *reading, int descriptor, uint64_t byte_limit, byte_buffer *buffer) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return fail_errno(reading, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) return mesh_fail(reading, "is a directory, not a mesh file");
  if (reading->only_regular && !S_ISREG(status.st_mode)) return mesh_fail(reading, "not a regular file");
  size_t expected = FIRST_BYTES;
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    if ((uint64_t)status.st_size > byte_limit) return fail_limit(reading, byte_limit);
    expected = (size_t)status.st_size + 1; /* the last read finds the end without growing */
  }
  if (!set_capacity(reading, buffer, expected)) return false;
  const bool waits = reading->should_stop != NULL && !S_ISREG(status.st_mode);
  for (;;) {
    if (!make_room(reading, buffer, byte_limit) || (waits && !wait_for_bytes(reading, descriptor))) return false;
    size_t piece = buffer->capacity - buffer->size;
    if (piece > PIECE_BYTES) piece = PIECE_BYTES;
    const ssize_t got = read(descriptor, buffer->bytes + buffer->size, piece);
    if (got == 0) return true;
    if (got < 0 && errno != EINTR && errno != EAGAIN) return fail_errno(reading, "cannot be read", errno);
    if (got > 0) buffer->size += (size_t)got;
  }
}

static bool read_file(mesh_reading *reading, uint64_t byte_limit, byte_buffer *buffer) {
  const bool waits = !reading->only_regular && reading->should_stop == NULL; /* for the writer of a pipe */
  const int descriptor = open(reading->file_name, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK));
  if (descriptor < 0) return fail_errno(reading, "cannot be opened", errno);
  const bool done = read_descriptor(reading, descriptor, byte_limit, buffer);
  close(descriptor);
  return done;
}

/* ---------------------------------------------------------------------------------------------------- gzip */

static voidpf zlib_allocate(voidpf opaque, uInt items, uInt item_bytes) {
  void *block = NULL;
  return mesh_resize(opaque, &block, items, item_bytes) ? block : NULL;
}

static void zlib_release(voidpf opaque, voidpf block) {
  mesh_release(opaque, block);
}

static bool begins_as_gzip(const char *bytes, size_t size) {
  return size >= 2 && (unsigned char)bytes[0] == 0x1F && (unsigned char)bytes[1] == 0x8B;
}

/* After a member follow another one, zeros that fill a block, or the end. */
static bool is_filling(const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

/* The largest allowed result of the first `taken` compressed bytes. Checked while decompressing, so that a large bomb
 * is stopped as early as a small one. */
static uint64_t plain_limit(const mesh_reading *reading, size_t taken, uint64_t byte_limit) {
  const uint64_t most = expansion_limit(reading, taken);
  return most < byte_limit ? most : byte_limit;
}

static bool fail_expansion(const mesh_reading *reading, size_t taken, size_t packed_size, size_t plain_size) {
  char first[GROUPED_COUNT_BYTES], all[GROUPED_COUNT_BYTES], plain[GROUPED_COUNT_BYTES];
  print_grouped_count(taken, first);
  print_grouped_count(packed_size, all);
  print_grouped_count(plain_size, plain);
  return mesh_fail(
      reading,
      "the first %s of %s compressed bytes expand to %s, more than %d times as many; --allow-large reads the "
      "file anyway",
      first, all, plain, MESH_EXPANSION_MAX);
}

static bool inflate_members(const mesh_reading *reading, z_stream *stream, const byte_buffer *packed,
                            uint64_t byte_limit, byte_buffer *plain) {
  size_t taken = 0;
  for (;;) {
    const uint64_t most = plain_limit(reading, taken, byte_limit);
    if (plain->size > most && most < byte_limit) return fail_expansion(reading, taken, packed->size, plain->size);
    if (!make_room(reading, plain, most)) return false;
    const size_t input = packed->size - taken < PIECE_BYTES ? packed->size - taken : PIECE_BYTES;
    const size_t room = plain->capacity - plain->size < PIECE_BYTES ? plain->capacity - plain->size : PIECE_BYTES;
    stream->next_in = (Bytef *)packed->bytes + taken;
    stream->avail_in = (uInt)input;
    stream->next_out = (Bytef *)plain->bytes + plain->size;
    stream->avail_out = (uInt)room;
    const int code = inflate(stream, Z_NO_FLUSH);
    taken += input - stream->avail_in;
    plain->size += room - stream->avail_out;
    const size_t left = packed->size - taken;
    if (code == Z_STREAM_END) {
      if (is_filling(packed->bytes + taken, left)) {
        return plain->size <= byte_limit || make_room(reading, plain, byte_limit);
      }
      if (!begins_as_gzip(packed->bytes + taken, left)) {
        return mesh_fail(reading, "byte %zu: unexpected data after the end of the compressed file", taken);
      }
      inflateReset(stream);
    } else if (code == Z_MEM_ERROR) {
      return mesh_fail(reading, "out of memory for decompression");
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      return mesh_fail(reading, "byte %zu: damaged compressed data", taken);
    } else if (left == 0 && stream->avail_out > 0) {
      return mesh_fail(reading, "byte %zu: the compressed file ends too early", taken);
    }
  }
}

static bool decompress(const mesh_reading *reading, const byte_buffer *packed, uint64_t byte_limit,
                       byte_buffer *plain) {
  enum { WINDOW_OF_GZIP = 15 + 16 };
  mesh_memory memory = reading->memory;
  z_stream stream = {.zalloc = zlib_allocate, .zfree = zlib_release, .opaque = &memory};
  if (inflateInit2(&stream, WINDOW_OF_GZIP) != Z_OK) return mesh_fail(reading, "out of memory for decompression");
  const bool done =
      set_capacity(reading, plain, packed->size < SIZE_MAX / 8 ? 4 * packed->size + FIRST_BYTES : FIRST_BYTES) &&
      inflate_members(reading, &stream, packed, byte_limit, plain);
  inflateEnd(&stream);
  return done;
}

/* Passes on the bytes that were read, decompressed if necessary; `done` states whether reading succeeded. */
static bool finish(mesh_reading *reading, uint64_t byte_limit, byte_buffer raw, bool done, bool may_be_compressed) {
  byte_buffer plain = {NULL, 0, 0};
  if (done && may_be_compressed && begins_as_gzip(raw.bytes, raw.size)) {
    done = decompress(reading, &raw, byte_limit, &plain);
    mesh_release(&reading->memory, raw.bytes);
    raw = plain;
  }
  if (done && raw.size == 0) done = mesh_fail(reading, "the file is empty");
  if (!done) {
    mesh_release(&reading->memory, raw.bytes);
    return false;
  }
  memset(raw.bytes + raw.size, 0, MESH_PADDING_BYTES);
  reading->bytes = raw.bytes;
  reading->size = raw.size;
  return true;
}

bool byte_source_read(mesh_reading *reading, uint64_t byte_limit) {
  byte_buffer raw = {NULL, 0, 0};
  const bool done = read_file(reading, byte_limit, &raw);
  return finish(reading, byte_limit, raw, done, true);
}

bool byte_source_read_as_is(mesh_reading *reading, uint64_t byte_limit) {
  byte_buffer raw = {NULL, 0, 0};
  const bool done = read_file(reading, byte_limit, &raw);
  return finish(reading, byte_limit, raw, done, false);
}

bool byte_source_copy(mesh_reading *reading, const void *bytes, size_t size, uint64_t byte_limit) {
  byte_buffer raw = {NULL, 0, 0};
  if (size > byte_limit) return fail_limit(reading, byte_limit);
  if (!set_capacity(reading, &raw, size)) return false;
  memcpy(raw.bytes, bytes, size);
  raw.size = size;
  return finish(reading, byte_limit, raw, true, true);
}

size_t byte_source_peek(const char *path, char *bytes, size_t room) {
  const gzFile file = gzopen(path, "rb"); /* also reads plain files */
  if (file == NULL) return 0;
  const int got = gzread(file, bytes, (unsigned)room);
  gzclose(file);
  return got > 0 ? (size_t)got : 0;
}
