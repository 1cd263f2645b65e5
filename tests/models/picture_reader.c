/* Decodes one kind of PNG, independently of the writer, from the specification: all five row filters are supported. */
#include "picture_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint32_t load_big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint8_t *read_whole(const char *path, size_t *size_out) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  uint8_t *bytes = malloc(64u << 20);
  *size_out = bytes == NULL ? 0 : fread(bytes, 1, 64u << 20, file);
  fclose(file);
  return bytes;
}

/* Joins the IDAT chunks in place at the beginning of the file's bytes and reads the header. */
static bool join_chunks(uint8_t *bytes, size_t size, read_picture *picture, size_t *data_bytes_out) {
  static const uint8_t signature[8] = {137, 80, 78, 71, 13, 10, 26, 10}, format[5] = {8, 2, 0, 0, 0};
  size_t joined = 0, at = 8;
  bool has_header = false, has_end = false;
  if (size < 8 || memcmp(bytes, signature, 8) != 0) return false;
  while (at + 12 <= size && !has_end) {
    const uint32_t length = load_big_endian(bytes + at);
    const uint8_t *type = bytes + at + 4, *data = bytes + at + 8;
    if (length > size - at - 12) return false;
    if (crc32(0, type, length + 4) != load_big_endian(data + length)) return false;
    at += 12 + (size_t)length;
    if (memcmp(type, "IHDR", 4) == 0) {
      if (length != 13 || memcmp(data + 8, format, 5) != 0) return false;
      picture->width = load_big_endian(data);
      picture->height = load_big_endian(data + 4);
      has_header = true;
    } else if (memcmp(type, "IEND", 4) == 0) {
      has_end = true;
    } else if (memcmp(type, "IDAT", 4) == 0) {
      memmove(bytes + joined, data, length);
      joined += length;
    }
  }
  *data_bytes_out = joined;
  return has_header && has_end && at == size;
}

static int paeth(int left, int up, int corner) {
  const int p = left + up - corner, a = abs(p - left), b = abs(p - up), c = abs(p - corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

static bool undo_filter(uint8_t filter, const uint8_t *from, const uint8_t *above, uint8_t *to, size_t row_bytes) {
  if (filter > 4) return false;
  for (size_t i = 0; i < row_bytes; ++i) {
    const int left = i < 3 ? 0 : to[i - 3], up = above == NULL ? 0 : above[i];
    const int corner = i < 3 || above == NULL ? 0 : above[i - 3];
    const int predicted[5] = {0, left, up, (left + up) / 2, paeth(left, up, corner)};
    to[i] = (uint8_t)(from[i] + predicted[filter]);
  }
  return true;
}

bool picture_read(const char *path, read_picture *picture_out) {
  size_t size = 0, data_bytes = 0;
  memset(picture_out, 0, sizeof *picture_out);
  uint8_t *bytes = read_whole(path, &size);
  bool is_good = bytes != NULL && join_chunks(bytes, size, picture_out, &data_bytes);
  const size_t row_bytes = 3 * (size_t)picture_out->width, rows = picture_out->height;
  uint8_t *filtered = NULL;
  if (is_good) {
    uLongf filtered_bytes = (uLongf)((row_bytes + 1) * rows);
    filtered = malloc(filtered_bytes + 1);
    picture_out->pixels = malloc(row_bytes * rows + 1);
    is_good = filtered != NULL && picture_out->pixels != NULL &&
              uncompress(filtered, &filtered_bytes, bytes, data_bytes) == Z_OK &&
              filtered_bytes == (row_bytes + 1) * rows;
  }
  for (size_t row = 0; is_good && row < rows; ++row) {
    uint8_t *to = picture_out->pixels + row * row_bytes;
    const uint8_t *from = filtered + row * (row_bytes + 1);
    is_good = undo_filter(from[0], from + 1, row == 0 ? NULL : to - row_bytes, to, row_bytes);
  }
  free(filtered);
  free(bytes);
  if (!is_good) {
    free(picture_out->pixels);
    picture_out->pixels = NULL;
  }
  return is_good;
}
