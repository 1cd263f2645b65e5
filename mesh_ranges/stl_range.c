/* Reads ranges of binary STL files; see stl_range.h.
 *
 * Vertices of two parts are one if their numbers and positions are equal (graze_mesh_def). So the number may be any
 * function of the position: ranges need no knowledge of each other, and two positions that have the same number by
 * chance stay two vertices. Within a range, equal positions become one index. */
#include "mesh_ranges/stl_range.h"

#include "mesh_io/byte_order.h"
#include "mesh_io/weld.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEADER_BYTES = 80, COUNTED_BYTES = 84, TRIANGLE_BYTES = 50, NORMAL_BYTES = 12 };

/* Corners of the whole file are counted in 32 bits. */
static const size_t faces_most = (UINT32_MAX - 16) / 3;

static bool read_header(stl_range *range) {
  char b[4];
  if (range->file.size < COUNTED_BYTES ||
      range_file_read(&range->file, HEADER_BYTES, sizeof b, b, range->trouble) != GRAZE_OK)
    return false;
  range->face_count = (size_t)load_bits(b, sizeof b, false);
  return range->face_count <= faces_most && range->file.size == COUNTED_BYTES + TRIANGLE_BYTES * range->face_count;
}

bool stl_range_open(const char *path, stl_range *range) {
  *range = (stl_range){0};
  const size_t length = strlen(path);
  if (length < 4 || strcasecmp(path + length - 4, ".stl") != 0 || !range_file_open(&range->file, path)) return false;
  if (read_header(range)) return true;
  stl_range_close(range);
  return false;
}

void stl_range_close(stl_range *range) {
  range_file_close(&range->file);
}

const char *stl_range_trouble(const stl_range *range, graze_result result) {
  if (range->trouble[0] != '\0') return range->trouble;
  return result == GRAZE_OUT_OF_MEMORY ? "out of memory" : graze_error_text();
}

/* ---------------------------------------------------------------------------------------------- a range */

/* The arrays of a part: three corners per triangle, reduced to vertices. */
typedef struct range_arrays {
  double *corners;
  uint32_t *triangles; /* for each corner the first one at its position, then the vertex */
  float *positions;
  uint32_t *numbers;
  size_t vertex_count;
} range_arrays;

static graze_result copy_corners(stl_range *range, const char *triangle, size_t face, double corners[9]) {
  for (int i = 0; i < 9; i++) {
    const uint32_t bits = (uint32_t)load_bits(triangle + NORMAL_BYTES + 4 * i, 4, false);
    float value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) {
      snprintf(range->trouble, sizeof range->trouble,
               "triangle %zu has the %c coordinate %g at corner %d, which is not a finite number", face, "xyz"[i % 3],
               (double)value, i / 3);
      return GRAZE_NOT_FINITE;
    }
    corners[i] = (double)(value + 0.0f); /* -0.0 becomes 0.0 */
  }
  return GRAZE_OK;
}

static graze_result read_corners(stl_range *range, size_t first, size_t end, double *corners) {
  enum { FACES_AT_ONCE = RANGE_BLOCK_BYTES / TRIANGLE_BYTES };
  char *block = malloc(FACES_AT_ONCE * TRIANGLE_BYTES);
  graze_result result = block == NULL ? GRAZE_OUT_OF_MEMORY : GRAZE_OK;
  for (size_t face = first, count; result == GRAZE_OK && face < end; face += count) {
    count = end - face < FACES_AT_ONCE ? end - face : FACES_AT_ONCE;
    result = range_file_read(&range->file, COUNTED_BYTES + TRIANGLE_BYTES * face, TRIANGLE_BYTES * count, block,
                             range->trouble);
    for (size_t i = 0; result == GRAZE_OK && i < count; i++, corners += 9)
      result = copy_corners(range, block + TRIANGLE_BYTES * i, face + i, corners);
  }
  free(block);
  return result;
}

static uint32_t number_of(const float position[3]) {
  uint64_t hash = 0;
  for (int axis = 0; axis < 3; axis++) {
    uint32_t bits;
    memcpy(&bits, &position[axis], sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
  }
  return (uint32_t)hash >> 1; /* the highest numbers are not used for vertices */
}

/* Converts corners to vertices, in order of first appearance. */
static void number_vertices(range_arrays *arrays, size_t corner_count) {
  uint32_t *triangles = arrays->triangles;
  for (size_t i = 0; i < corner_count; i++) {
    if (triangles[i] != i) {
      triangles[i] = triangles[triangles[i]];
      continue;
    }
    float *position = arrays->positions + 3 * arrays->vertex_count;
    for (size_t axis = 0; axis < 3; axis++) position[axis] = (float)arrays->corners[3 * i + axis];
    arrays->numbers[arrays->vertex_count] = number_of(position);
    triangles[i] = (uint32_t)arrays->vertex_count++;
  }
}

static size_t count_vertices(const uint32_t *triangles, size_t corner_count) {
  size_t count = 0;
  for (size_t i = 0; i < corner_count; i++) count += triangles[i] == i;
  return count;
}

static graze_result fill_arrays(stl_range *range, size_t first, size_t end, range_arrays *arrays) {
  const size_t corner_count = 3 * (end - first);
  arrays->corners = malloc(3 * corner_count * sizeof *arrays->corners);
  arrays->triangles = malloc(corner_count * sizeof *arrays->triangles);
  if (arrays->corners == NULL || arrays->triangles == NULL) return GRAZE_OUT_OF_MEMORY;
  const graze_result result = read_corners(range, first, end, arrays->corners);
  if (result != GRAZE_OK) return result;
  if (!weld_positions(arrays->corners, corner_count, arrays->triangles)) return GRAZE_OUT_OF_MEMORY;
  const size_t vertex_count = count_vertices(arrays->triangles, corner_count);
  arrays->positions = malloc(3 * vertex_count * sizeof *arrays->positions);
  arrays->numbers = malloc(vertex_count * sizeof *arrays->numbers);
  if (arrays->positions == NULL || arrays->numbers == NULL) return GRAZE_OUT_OF_MEMORY;
  number_vertices(arrays, corner_count);
  free(arrays->corners);
  arrays->corners = NULL;
  return GRAZE_OK;
}

graze_result stl_range_add(stl_range *range, size_t number, size_t range_count, uint32_t object, graze_scene *scene) {
  const size_t first = range->face_count * number / range_count, end = range->face_count * (number + 1) / range_count;
  if (first == end) return GRAZE_OK;
  range_arrays arrays = {0};
  graze_result result = fill_arrays(range, first, end, &arrays);
  if (result == GRAZE_OK) result = range_file_check(&range->file, range->trouble);
  if (result == GRAZE_OK) {
    graze_mesh_def def = graze_mesh_def_default();
    graze_object_def placed = graze_object_def_default();
    def.positions = (graze_view){arrays.positions, arrays.vertex_count, 0, GRAZE_FORMAT_FLOAT3};
    def.triangles = (graze_view){arrays.triangles, end - first, 0, GRAZE_FORMAT_UINT32_3};
    placed.global_numbers = true;
    placed.global_object = object;
    placed.global_primitive = (uint32_t)first;
    placed.global_vertices = (graze_view){arrays.numbers, arrays.vertex_count, 0, GRAZE_FORMAT_UINT32};
    result = graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL);
  }
  free(arrays.corners);
  free(arrays.triangles);
  free(arrays.positions);
  free(arrays.numbers);
  return result;
}
