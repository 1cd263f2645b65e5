/* Reading speed of OBJ: a million triangles, half as many vertices with about sixteen digits, from the page cache.
 *
 * The bare loop is the minimal work of any reader: it fetches the bytes, gathers the digits of each number and scales
 * by a power of ten. It does not round correctly, checks nothing and stores to existing memory. */
#include "bench/bench_reading.h"

#include "bench/bench_record.h"
#include "mesh_io/mesh_file.h"
#include "models/model.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS_MAX = 101 };

static const double power_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Bytes after the file: a terminating zero, and the bytes that an eight-byte load may read beyond it. */
enum { PADDING = 8 };

static char *read_bytes(const char *path, size_t *size_out) {
  FILE *const file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char *const bytes = size >= 0 ? calloc((size_t)size + PADDING, 1) : NULL;
  *size_out = bytes != NULL ? fread(bytes, 1, (size_t)size, file) : 0;
  fclose(file);
  return bytes;
}

/* Parses eight digits at once in a 64-bit word whose lowest byte is the first character (Lemire, "Number parsing at a
 * gigabyte per second", 2021). */
static bool take_eight(const char *at, uint64_t *digits) {
  const uint16_t probe = 1;
  uint64_t word;
  memcpy(&word, at, sizeof word);
  if (*(const unsigned char *)&probe != 1) return false;
  const uint64_t high = UINT64_C(0xF0F0F0F0F0F0F0F0), three = UINT64_C(0x3030303030303030);
  if ((word & high) != three || ((word + UINT64_C(0x0606060606060606)) & high) != three) return false;
  word -= three;
  word = word * 10 + (word >> 8);
  const uint64_t pairs = UINT64_C(0x000000FF000000FF);
  word = (word & pairs) * UINT64_C(0x000F424000000064) + ((word >> 16) & pairs) * UINT64_C(0x0000271000000001);
  *digits = *digits * 100000000 + (word >> 32);
  return true;
}

static int read_exponent(const char **cursor) {
  const char *at = *cursor + 1;
  const bool negative = *at == '-';
  at += *at == '-' || *at == '+';
  int exponent = 0;
  while ((unsigned char)(*at - '0') < 10 && exponent < 1000) exponent = 10 * exponent + (*at++ - '0');
  *cursor = at;
  return negative ? -exponent : exponent;
}

static double read_number(const char **cursor) {
  const char *at = *cursor;
  const bool negative = *at == '-';
  at += negative;
  uint64_t digits = 0;
  int scale = 0;
  while ((unsigned char)(*at - '0') < 10) digits = 10 * digits + (uint64_t)(*at++ - '0');
  if (*at == '.') {
    const char *const point = at++;
    while (take_eight(at, &digits)) at += 8;
    while ((unsigned char)(*at - '0') < 10) digits = 10 * digits + (uint64_t)(*at++ - '0');
    scale = (int)(point + 1 - at);
  }
  if (*at == 'e') scale += read_exponent(&at);
  *cursor = at;
  const int size = abs(scale) > 22 ? 22 : abs(scale);
  const double value = scale < 0 ? (double)digits / power_of_ten[size] : (double)digits * power_of_ten[size];
  return negative ? -value : value;
}

/* Returns the number of numbers; `values` contains the last `capacity` of them. */
static size_t read_numbers(const char *bytes, double *values, size_t capacity) {
  size_t count = 0;
  for (const char *at = bytes; *at != '\0';) {
    const bool begins = (unsigned char)(*at - '0') < 10 || (*at == '-' && (unsigned char)(at[1] - '0') < 10);
    if (begins) {
      values[count % capacity] = read_number(&at);
      count++;
    } else {
      at++;
    }
  }
  return count;
}

static bool write_model(const char *path, size_t triangles, char *error, size_t error_bytes) {
  const model_parameters parameters = {.primitives = triangles, .seed = 1};
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  if (!model_make(model_find("blob"), &parameters, &meshes, &mesh_count, error, error_bytes)) return false;
  const bool written = mesh_file_write(path, meshes, mesh_count, NULL, error, error_bytes);
  mesh_list_free(meshes, mesh_count);
  return written;
}

/* Runs one round: bytes only, bytes and numbers, the reader. */
static bool take_turn(const char *path, double *values, size_t capacity, double times_out[3], size_t *size_out,
                      char *error, size_t error_bytes) {
  double begin = bench_milliseconds();
  char *bytes = read_bytes(path, size_out);
  times_out[0] = bench_milliseconds() - begin;
  free(bytes);
  begin = bench_milliseconds();
  bytes = read_bytes(path, size_out);
  if (bytes == NULL) {
    snprintf(error, error_bytes, "%s: cannot be read back", path);
    return false;
  }
  const size_t count = read_numbers(bytes, values, capacity);
  times_out[1] = bench_milliseconds() - begin;
  free(bytes);
  begin = bench_milliseconds();
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  if (count == 0 || !mesh_file_read(path, NULL, &meshes, &mesh_count, error, error_bytes)) return false;
  times_out[2] = bench_milliseconds() - begin;
  mesh_list_free(meshes, mesh_count);
  return true;
}

bool bench_reading_measure(const char *folder, size_t triangles, size_t rounds, bench_reading *reading_out, char *error,
                           size_t error_bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/graze_bench_%ld.obj", folder, (long)getpid());
  const size_t capacity = 6 * triangles + 1;
  double *const values = malloc(capacity * sizeof *values);
  double times[3][ROUNDS_MAX];
  size_t size = 0;
  bool good = values != NULL && write_model(path, triangles, error, error_bytes);
  const size_t turns = rounds < ROUNDS_MAX ? rounds : ROUNDS_MAX;
  for (size_t i = 0; i < turns && good; i++) {
    double turn[3];
    good = take_turn(path, values, capacity, turn, &size, error, error_bytes);
    for (int j = 0; j < 3 && good; j++) times[j][i] = turn[j];
  }
  if (values == NULL) snprintf(error, error_bytes, "out of memory");
  remove(path);
  free(values);
  if (!good) return false;
  *reading_out = (bench_reading){1e-6 * (double)size, bench_median(times[0], turns), bench_median(times[1], turns),
                                 bench_median(times[2], turns)};
  return true;
}
