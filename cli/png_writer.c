/* PNG: signature, IHDR, sRGB, IDAT, IEND, each chunk with its length and CRC (ISO/IEC 15948, Portable Network
 * Graphics).
 *
 * Workload: one truecolor picture of a few megapixels per run. Every row uses the filter "up", the difference to the
 * row above: smooth shading gives small numbers that compress well, at one subtraction per byte. The compressed data is
 * made in memory first, so that only a write error leaves an incomplete file. */
#include "png_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

static void store_big_endian(uint8_t *bytes, uint32_t value) {
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static bool write_chunk(FILE *file, const char type[4], const uint8_t *data, uint32_t data_bytes) {
  uint8_t head[8], tail[4];
  store_big_endian(head, data_bytes);
  memcpy(head + 4, type, 4);
  uLong sum = crc32(0, head + 4, 4);
  if (data_bytes > 0) sum = crc32(sum, data, data_bytes);
  store_big_endian(tail, (uint32_t)sum);
  return fwrite(head, 1, 8, file) == 8 && (data_bytes == 0 || fwrite(data, 1, data_bytes, file) == data_bytes) &&
         fwrite(tail, 1, 4, file) == 4;
}

/* Returns the rows, each after its filter type 2; NULL when out of memory. */
static uint8_t *filter_rows(const uint8_t *pixels, size_t row_bytes, uint32_t height) {
  uint8_t *filtered = malloc((row_bytes + 1) * height);
  if (filtered == NULL) return NULL;
  for (size_t row = 0; row < height; row++) {
    uint8_t *to = filtered + row * (row_bytes + 1);
    const uint8_t *from = pixels + row * row_bytes;
    *to++ = 2;
    for (size_t i = 0; i < row_bytes; i++) to[i] = row == 0 ? from[i] : (uint8_t)(from[i] - from[i - row_bytes]);
  }
  return filtered;
}

static uint8_t *compress_rows(const uint8_t *pixels, uint32_t width, uint32_t height, uLongf *bytes_out) {
  const size_t row_bytes = 3 * (size_t)width;
  uint8_t *filtered = filter_rows(pixels, row_bytes, height);
  if (filtered == NULL) return NULL;
  const uLong filtered_bytes = (uLong)((row_bytes + 1) * height);
  *bytes_out = compressBound(filtered_bytes);
  uint8_t *compressed = malloc(*bytes_out);
  if (compressed != NULL && compress2(compressed, bytes_out, filtered, filtered_bytes, 6) != Z_OK) {
    free(compressed);
    compressed = NULL;
  }
  free(filtered);
  return compressed;
}

static bool write_chunks(FILE *file, const uint8_t *compressed, uLongf bytes, uint32_t width, uint32_t height) {
  static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  static const uint8_t perceptual = 0;
  uint8_t header[13] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0};
  store_big_endian(header, width);
  store_big_endian(header + 4, height);
  if (fwrite(signature, 1, 8, file) != 8 || !write_chunk(file, "IHDR", header, 13) ||
      !write_chunk(file, "sRGB", &perceptual, 1))
    return false;
  /* A chunk counts its bytes in 31 bits; chunks of a gigabyte stay below that. */
  for (uLongf done = 0; done < bytes;) {
    const uLongf part = bytes - done < (1u << 30) ? bytes - done : (1u << 30);
    if (!write_chunk(file, "IDAT", compressed + done, (uint32_t)part)) return false;
    done += part;
  }
  return write_chunk(file, "IEND", NULL, 0);
}

bool png_write_stream(FILE *stream, const uint8_t *pixels, uint32_t width, uint32_t height) {
  uLongf bytes = 0;
  uint8_t *compressed = compress_rows(pixels, width, height, &bytes);
  const bool is_written = compressed != NULL && write_chunks(stream, compressed, bytes, width, height);
  free(compressed);
  return is_written;
}

bool png_write(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height, char *error,
               size_t error_bytes) {
  uLongf bytes = 0;
  uint8_t *compressed = compress_rows(pixels, width, height, &bytes);
  if (compressed == NULL) {
    snprintf(error, error_bytes, "%s: out of memory for a picture of %u x %u pixels", path, width, height);
    return false;
  }
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    snprintf(error, error_bytes, "%s: cannot be opened for writing: %s", path, strerror(errno));
    free(compressed);
    return false;
  }
  /* Only a regular file is removed after a failure, not a device or a pipe. */
  struct stat kind;
  const bool is_plain = fstat(fileno(file), &kind) == 0 && S_ISREG(kind.st_mode);
  bool is_written = write_chunks(file, compressed, bytes, width, height);
  int reason = errno;
  if (fclose(file) != 0 && is_written) {
    is_written = false;
    reason = errno;
  }
  if (!is_written) {
    snprintf(error, error_bytes, "%s: cannot be written: %s", path, strerror(reason));
    if (is_plain) remove(path);
  }
  free(compressed);
  return is_written;
}
