/* Converts arbitrary bytes to numbers, positions and views for calls on a scene, including hostile values. Every array
 * is exactly as long as its view, so that reads past its end are detected. */
#ifndef GRAZE_FUZZ_BYTES_H
#define GRAZE_FUZZ_BYTES_H

#include "graze/graze.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 24 };

/* Ends the process, which is how a fuzz target reports. */
static inline void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

typedef struct byte_reader {
  const uint8_t *bytes;
  size_t left;
} byte_reader;

/* Zero past the end, so that every input is a whole sequence. */
static inline uint32_t take(byte_reader *reader) {
  if (reader->left == 0) return 0;
  reader->left--;
  return *reader->bytes++;
}

/* Mostly a small lattice, on which everything touches; else its neighbors, other scales, or any bits. */
static inline double take_coordinate(byte_reader *reader) {
  const uint32_t byte = take(reader);
  const double place = (double)(byte & 7) - 3.0;
  switch (byte >> 4) {
  case 15: {
    uint8_t raw[8];
    for (int i = 0; i < 8; i++) raw[i] = (uint8_t)take(reader);
    double value;
    memcpy(&value, raw, sizeof value);
    return value;
  }
  case 14:
    return ldexp(place, (int)(take(reader) * 8) - 1074);
  case 13:
    return nextafter(place, byte & 8 ? HUGE_VAL : -HUGE_VAL);
  case 12:
    return place / 3.0;
  case 11:
    return ldexp(place, -(int)take(reader) / 4);
  default:
    return place;
  }
}

/* A vertex or element number: mostly one that may be there. */
static inline uint32_t take_number(byte_reader *reader) {
  const uint32_t byte = take(reader);
  return byte == 255 ? UINT32_MAX : byte % MOST_VERTICES;
}

typedef struct fuzz_view {
  void *memory;
  graze_view view;
} fuzz_view;

static inline void *fuzz_memory(size_t bytes) {
  void *memory = malloc(bytes + 1);
  require(memory != NULL, "memory for the input");
  return memory;
}

/* The memory layout of a view: 0 is packed; then unaligned strides, a stride that is too small, a missing array, and a
 * negative stride. */
enum { LAYOUT_PACKED, LAYOUT_ODD, LAYOUT_WIDE, LAYOUT_NARROW, LAYOUT_NOWHERE, LAYOUT_REVERSED, LAYOUT_COUNT };

/* Takes over `packed`, an array of `count` elements. */
static inline fuzz_view lay_out(void *packed, size_t count, size_t element_bytes, graze_format format,
                                uint32_t layout) {
  static const size_t more[LAYOUT_COUNT] = {[LAYOUT_ODD] = 1, [LAYOUT_WIDE] = 29};
  fuzz_view made = {packed, {packed, count, 0, format}};
  if (layout == LAYOUT_PACKED) return made;
  const size_t stride = element_bytes + more[layout];
  unsigned char *spread = malloc(count > 0 ? (count - 1) * stride + element_bytes : 1);
  require(spread != NULL, "memory for the input");
  const bool reversed = layout == LAYOUT_REVERSED;
  for (size_t i = 0; i < count; i++)
    memcpy(spread + (reversed ? count - 1 - i : i) * stride, (const unsigned char *)packed + i * element_bytes,
           element_bytes);
  free(packed);
  made.memory = spread;
  made.view.data = layout == LAYOUT_NOWHERE ? NULL : spread;
  if (reversed && count > 0) made.view.data = spread + (count - 1) * stride;
  made.view.stride_bytes = (ptrdiff_t)(layout == LAYOUT_NARROW ? element_bytes - 1 : stride) * (reversed ? -1 : 1);
  return made;
}

static inline fuzz_view view_of_positions(double *values, size_t count, uint32_t choice) {
  const uint32_t layout = choice / 2 % LAYOUT_COUNT;
  if (choice % 2 != 0) return lay_out(values, count, 3 * sizeof *values, GRAZE_FORMAT_DOUBLE3, layout);
  float *floats = fuzz_memory(3 * count * sizeof *floats);
  for (size_t i = 0; i < 3 * count; i++)
    floats[i] = fabs(values[i]) <= 3e38 ? (float)values[i] : (float)copysign(INFINITY, values[i]);
  free(values);
  return lay_out(floats, count, 3 * sizeof *floats, GRAZE_FORMAT_FLOAT3, layout);
}

static inline fuzz_view take_positions(byte_reader *reader, size_t most) {
  const size_t count = take(reader) % (most + 1);
  const uint32_t choice = take(reader);
  double *values = fuzz_memory(3 * count * sizeof *values);
  for (size_t i = 0; i < 3 * count; i++) values[i] = take_coordinate(reader);
  return view_of_positions(values, count, choice);
}

/* Numbers of 32 bits as they are, or read with a sign, or in 64 bits, where the hostile one is negative or beyond 32
 * bits. Takes over `numbers`. */
static inline fuzz_view lay_out_integers(uint32_t *numbers, size_t count, size_t width, uint32_t type,
                                         uint32_t layout) {
  static const graze_format formats[4][2] = {{GRAZE_FORMAT_UINT32_3, GRAZE_FORMAT_UINT32_4},
                                             {GRAZE_FORMAT_INT32_3, GRAZE_FORMAT_INT32_4},
                                             {GRAZE_FORMAT_INT64_3, GRAZE_FORMAT_INT64_4},
                                             {GRAZE_FORMAT_UINT64_3, GRAZE_FORMAT_UINT64_4}};
  const graze_format format = formats[type % 4][width - 3];
  if (type % 4 < 2) return lay_out(numbers, count, width * sizeof *numbers, format, layout);
  int64_t *wide = fuzz_memory(width * count * sizeof *wide);
  for (size_t i = 0; i < width * count; i++)
    wide[i] = numbers[i] != UINT32_MAX ? numbers[i] : type % 4 == 2 ? -1 : (int64_t)1 << 32;
  free(numbers);
  return lay_out(wide, count, width * sizeof *wide, format, layout);
}

/* Elements of three or four numbers each. */
static inline fuzz_view take_elements(byte_reader *reader, size_t most, size_t width, uint32_t layout) {
  const uint32_t byte = take(reader);
  const size_t count = byte % (most + 1);
  uint32_t *numbers = fuzz_memory(width * count * sizeof *numbers);
  for (size_t i = 0; i < width * count; i++) numbers[i] = take_number(reader);
  return lay_out_integers(numbers, count, width, byte / (uint32_t)(most + 1), layout);
}

/* Sizes of faces or cells, `least` or a few more; one byte in 16 is a size that must be refused. */
static inline fuzz_view take_sizes(byte_reader *reader, size_t most, uint32_t least, uint32_t layout, size_t *sum_out) {
  static const uint32_t hostile[4] = {0, 1, UINT32_MAX, UINT32_MAX - 5};
  const size_t count = take(reader) % (most + 1);
  uint32_t *sizes = fuzz_memory(count * sizeof *sizes);
  *sum_out = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t byte = take(reader);
    sizes[i] = byte >= 240 ? hostile[byte % 4] : least + byte % 6;
    *sum_out += sizes[i];
  }
  return lay_out(sizes, count, sizeof *sizes, GRAZE_FORMAT_UINT32, layout);
}

/* So many single numbers, where that is an amount to hand over at all. */
static inline fuzz_view take_corners(byte_reader *reader, size_t count, uint32_t layout) {
  enum { MOST_CORNERS = 256 };
  const size_t there = count < MOST_CORNERS ? count : MOST_CORNERS;
  uint32_t *corners = fuzz_memory(there * sizeof *corners);
  for (size_t i = 0; i < there; i++) corners[i] = take_number(reader);
  return lay_out(corners, there, sizeof *corners, GRAZE_FORMAT_UINT32, layout);
}

/* ---------------------------------------------------------------------------------------------- cells */

/* What any bytes would hardly ever be: convex cells. Each is an origin and three edges, as a box, a prism, a pyramid or
 * a tetrahedron; corners are bits that choose edges. */
typedef struct cell_pattern {
  uint32_t corner_count, face_count;
  uint8_t corner[8], face_size[6], face[6][4];
} cell_pattern;

static const cell_pattern cell_patterns[4] = {
    {8,
     6,
     {0, 1, 2, 3, 4, 5, 6, 7},
     {4, 4, 4, 4, 4, 4},
     {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}}},
    {6, 5, {0, 1, 2, 4, 5, 6}, {3, 3, 4, 4, 4}, {{0, 1, 2}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
    {5, 5, {0, 1, 3, 2, 4}, {4, 3, 3, 3, 3}, {{0, 1, 2, 3}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}},
    {4, 4, {0, 1, 2, 4}, {3, 3, 3, 3}, {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}}};

enum { MOST_CELLS = 3 };

typedef struct fuzz_cells {
  fuzz_view positions, corners, face_sizes, cell_sizes;
} fuzz_cells;

static inline void take_pattern(byte_reader *reader, const cell_pattern *pattern, double *positions_out) {
  double from[3], edge[3][3];
  for (int axis = 0; axis < 3; axis++) from[axis] = take_coordinate(reader);
  for (int i = 0; i < 9; i++) edge[i / 3][i % 3] = take_coordinate(reader);
  for (uint32_t i = 0; i < pattern->corner_count; i++)
    for (int axis = 0; axis < 3; axis++) {
      double at = from[axis];
      for (int k = 0; k < 3; k++) at += (pattern->corner[i] >> k & 1) != 0 ? edge[k][axis] : 0.0;
      positions_out[3 * i + (uint32_t)axis] = at;
    }
}

/* Cells of their own corners, or of those of the cell before: they are neighbors then. */
static inline fuzz_cells take_cells(byte_reader *reader, uint32_t choice) {
  const size_t count = 1 + take(reader) % MOST_CELLS;
  double *positions = fuzz_memory(3 * 8 * MOST_CELLS * sizeof *positions);
  uint32_t *corners = fuzz_memory(24 * MOST_CELLS * sizeof *corners);
  uint32_t *face_sizes = fuzz_memory(6 * MOST_CELLS * sizeof *face_sizes);
  uint32_t *cell_sizes = fuzz_memory(MOST_CELLS * sizeof *cell_sizes);
  size_t vertex_count = 0, corner_count = 0, face_count = 0, first = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t byte = take(reader);
    const cell_pattern *pattern = &cell_patterns[byte % 4];
    if (byte < 240 || i == 0) {
      first = vertex_count;
      take_pattern(reader, pattern, positions + 3 * vertex_count);
      vertex_count += pattern->corner_count;
    } else {
      pattern = &cell_patterns[3];
    }
    cell_sizes[i] = pattern->face_count;
    for (uint32_t face = 0; face < pattern->face_count; face++) {
      face_sizes[face_count++] = pattern->face_size[face];
      for (uint32_t k = 0; k < pattern->face_size[face]; k++)
        corners[corner_count++] = (uint32_t)first + pattern->face[face][k];
    }
  }
  return (fuzz_cells){view_of_positions(positions, vertex_count, choice),
                      lay_out(corners, corner_count, sizeof *corners, GRAZE_FORMAT_UINT32, choice / 16 % LAYOUT_COUNT),
                      lay_out(face_sizes, face_count, sizeof *face_sizes, GRAZE_FORMAT_UINT32, LAYOUT_ODD),
                      lay_out(cell_sizes, count, sizeof *cell_sizes, GRAZE_FORMAT_UINT32, LAYOUT_WIDE)};
}

#endif
