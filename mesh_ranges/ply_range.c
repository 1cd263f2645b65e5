/* Binary PLY files of triangles, read by ranges; see ply_range.h.
 *
 * Workload: files of gigabytes, of which each reader takes a part at a time. The vertices of a range are found by a bit
 * for each vertex of the file and a count for each 64 of them: a fifth of a byte a vertex, and no sort. */
#include "mesh_ranges/ply_range.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FACE_BYTES = 13, LINE_BYTES = 200, HEADER_LINES = 200 };

/* ---------------------------------------------------------------------------------------------- the header */

static size_t type_bytes(const char *type) {
  static const struct {
    const char *names[2];
    size_t bytes;
  } types[] = {{{"char", "int8"}, 1}, {{"uchar", "uint8"}, 1}, {{"short", "int16"}, 2},   {{"ushort", "uint16"}, 2},
               {{"int", "int32"}, 4}, {{"uint", "uint32"}, 4}, {{"float", "float32"}, 4}, {{"double", "float64"}, 8}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(type, types[i].names[0]) == 0 || strcmp(type, types[i].names[1]) == 0) return types[i].bytes;
  return 0;
}

/* What has been read of the header. */
typedef struct header_reading {
  int element; /* 0: none yet; 1: vertex; 2: face */
  size_t coordinate_bytes[3];
  bool has_format, has_corners;
} header_reading;

static bool read_property(ply_range *range, header_reading *reading, const char *line) {
  char type[32], name[32], count_type[32];
  if (reading->element == 2) {
    const bool is_list = sscanf(line, "property list %31s %31s %31s", count_type, type, name) == 3;
    const bool is_corners = strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    if (!is_list || !is_corners || reading->has_corners) return false;
    reading->has_corners = true;
    return type_bytes(count_type) == 1 && type_bytes(type) == 4 && type[0] != 'f';
  }
  if (reading->element != 1 || sscanf(line, "property %31s %31s", type, name) != 2) return false;
  const size_t bytes = type_bytes(type);
  if (bytes == 0) return false;
  if (name[1] == '\0' && name[0] >= 'x' && name[0] <= 'z') {
    if (type[0] != 'f' && type[0] != 'd') return false;
    range->place[name[0] - 'x'] = range->vertex_bytes;
    reading->coordinate_bytes[name[0] - 'x'] = bytes;
  }
  range->vertex_bytes += bytes;
  return true;
}

/* One line; false where the file is not of this kind. */
static bool read_line(ply_range *range, header_reading *reading, const char *line) {
  unsigned long long count;
  if (strncmp(line, "comment", 7) == 0 || strncmp(line, "obj_info", 8) == 0) return true;
  if (strncmp(line, "format ", 7) == 0) {
    reading->has_format = strncmp(line, "format binary_little_endian 1.0", 31) == 0;
    return reading->has_format;
  }
  if (sscanf(line, "element vertex %llu", &count) == 1) {
    range->vertex_count = count;
    return reading->element++ == 0;
  }
  if (sscanf(line, "element face %llu", &count) == 1) {
    range->face_count = count;
    return reading->element++ == 1;
  }
  return strncmp(line, "property ", 9) == 0 && read_property(range, reading, line);
}

/* Copies the line at *at; false past the end. */
static bool next_line(const ply_range *range, size_t *at, char line[LINE_BYTES]) {
  size_t length = 0;
  while (*at + length < range->size && range->bytes[*at + length] != '\n') length++;
  if (*at + length >= range->size || length >= LINE_BYTES) return false;
  memcpy(line, range->bytes + *at, length);
  line[length > 0 && line[length - 1] == '\r' ? length - 1 : length] = '\0';
  *at += length + 1;
  return true;
}

static bool read_header(ply_range *range) {
  header_reading reading = {0};
  char line[LINE_BYTES];
  size_t at = 0;
  if (!next_line(range, &at, line) || strcmp(line, "ply") != 0) return false;
  for (int lines = 0;; lines++) {
    if (lines > HEADER_LINES || !next_line(range, &at, line)) return false;
    if (strcmp(line, "end_header") == 0) break;
    if (!read_line(range, &reading, line)) return false;
  }
  const size_t *bytes = reading.coordinate_bytes;
  range->is_double = bytes[0] == 8;
  range->vertices = at;
  const size_t limit = UINT32_MAX - 16;
  if (!reading.has_format || !reading.has_corners || bytes[0] < 4 || bytes[1] != bytes[0] || bytes[2] != bytes[0] ||
      range->vertex_count > limit || range->face_count > limit)
    return false;
  range->faces = at + range->vertex_count * range->vertex_bytes;
  return range->size == range->faces + range->face_count * FACE_BYTES; /* triangles all of them */
}

bool ply_range_open(const char *path, ply_range *range) {
  *range = (ply_range){0};
  const int file = open(path, O_RDONLY);
  struct stat status;
  if (file < 0) return false;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    void *mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) {
      range->bytes = mapped;
      range->size = (size_t)status.st_size;
    }
  }
  close(file);
  if (range->bytes != NULL && read_header(range)) return true;
  ply_range_close(range);
  return false;
}

void ply_range_close(ply_range *range) {
  if (range->bytes != NULL) munmap((void *)(uintptr_t)range->bytes, range->size);
  range->bytes = NULL;
}

const char *ply_range_trouble(const ply_range *range, graze_result result) {
  if (range->trouble[0] != '\0') return range->trouble;
  return result == GRAZE_OUT_OF_MEMORY ? "out of memory" : graze_error_text();
}

/* ---------------------------------------------------------------------------------------------- a range */

/* Which vertices of the file a range uses. */
typedef struct vertex_set {
  uint64_t *bits;
  uint32_t *before; /* how many are in the set before each 64 */
  size_t word_count, count;
} vertex_set;

static uint32_t count_bits(uint64_t bits) {
  uint32_t count = 0;
  for (; bits != 0; bits &= bits - 1) count++;
  return count;
}

static uint32_t place_in_set(const vertex_set *set, uint32_t vertex) {
  return set->before[vertex / 64] + count_bits(set->bits[vertex / 64] & (((uint64_t)1 << vertex % 64) - 1));
}

static void read_face(const ply_range *range, size_t face, uint32_t corners[3]) {
  memcpy(corners, range->bytes + range->faces + FACE_BYTES * face + 1, 3 * sizeof *corners);
}

static graze_result collect_vertices(ply_range *range, size_t first, size_t end, vertex_set *set) {
  for (size_t face = first; face < end; face++) {
    uint32_t corners[3];
    if (range->bytes[range->faces + FACE_BYTES * face] != 3) {
      snprintf(range->trouble, sizeof range->trouble, "face %zu has %u corners among triangles; 'graze check' reads it",
               face, range->bytes[range->faces + FACE_BYTES * face]);
      return GRAZE_FILE_FAILED;
    }
    read_face(range, face, corners);
    for (int i = 0; i < 3; i++) {
      if (corners[i] >= range->vertex_count) {
        snprintf(range->trouble, sizeof range->trouble, "face %zu refers to vertex %d; the file has %zu vertices", face,
                 (int)corners[i], range->vertex_count);
        return GRAZE_FILE_FAILED;
      }
      set->bits[corners[i] / 64] |= (uint64_t)1 << corners[i] % 64;
    }
  }
  for (size_t i = 0; i < set->word_count; i++) {
    set->before[i] = (uint32_t)set->count;
    set->count += count_bits(set->bits[i]);
  }
  return GRAZE_OK;
}

/* The arrays of a part. */
typedef struct range_arrays {
  unsigned char *positions;
  uint32_t *numbers, *triangles;
} range_arrays;

static graze_result copy_vertices(ply_range *range, const vertex_set *set, range_arrays *arrays) {
  const size_t bytes = range->is_double ? sizeof(double) : sizeof(float);
  size_t at = 0;
  for (size_t word = 0; word < set->word_count; word++)
    for (uint64_t bits = set->bits[word]; bits != 0; bits &= bits - 1, at++) {
      const size_t vertex = 64 * word + count_bits((bits & -bits) - 1);
      const unsigned char *from = range->bytes + range->vertices + range->vertex_bytes * vertex;
      arrays->numbers[at] = (uint32_t)vertex;
      for (int axis = 0; axis < 3; axis++) {
        unsigned char *to = arrays->positions + bytes * (3 * at + (size_t)axis);
        double value;
        float narrow;
        memcpy(to, from + range->place[axis], bytes);
        memcpy(&value, to, range->is_double ? bytes : 0);
        memcpy(&narrow, to, sizeof narrow);
        if (isfinite(range->is_double ? value : (double)narrow)) continue;
        snprintf(range->trouble, sizeof range->trouble, "coordinate %c of vertex %zu is not finite", "xyz"[axis],
                 vertex);
        return GRAZE_NOT_FINITE;
      }
    }
  return GRAZE_OK;
}

static graze_result add_arrays(const ply_range *range, const range_arrays *arrays, size_t vertex_count, size_t first,
                               size_t count, uint32_t object, graze_scene *scene) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions =
      (graze_view){arrays->positions, vertex_count, 0, range->is_double ? GRAZE_FORMAT_DOUBLE3 : GRAZE_FORMAT_FLOAT3};
  def.triangles = (graze_view){arrays->triangles, count, 0, GRAZE_FORMAT_UINT32_3};
  def.global_numbers = true;
  def.global_object = object;
  def.global_primitive = (uint32_t)first;
  def.global_vertices = (graze_view){arrays->numbers, vertex_count, 0, GRAZE_FORMAT_UINT32};
  return graze_scene_add_triangles(scene, &def, NULL);
}

static graze_result add_faces(ply_range *range, size_t first, size_t end, uint32_t object, vertex_set *set,
                              graze_scene *scene) {
  graze_result result = collect_vertices(range, first, end, set);
  if (result != GRAZE_OK) return result;
  const size_t count = end - first, position_bytes = 3 * (range->is_double ? sizeof(double) : sizeof(float));
  range_arrays arrays = {.positions = malloc(set->count * position_bytes + 1),
                         .numbers = malloc(set->count * sizeof(uint32_t) + 1),
                         .triangles = malloc(3 * count * sizeof(uint32_t) + 1)};
  if (arrays.positions == NULL || arrays.numbers == NULL || arrays.triangles == NULL) result = GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK) result = copy_vertices(range, set, &arrays);
  for (size_t i = 0; result == GRAZE_OK && i < count; i++) {
    uint32_t *corners = arrays.triangles + 3 * i;
    read_face(range, first + i, corners);
    for (int k = 0; k < 3; k++) corners[k] = place_in_set(set, corners[k]);
  }
  if (result == GRAZE_OK) result = add_arrays(range, &arrays, set->count, first, count, object, scene);
  free(arrays.positions);
  free(arrays.numbers);
  free(arrays.triangles);
  return result;
}

graze_result ply_range_add(ply_range *range, size_t number, size_t range_count, uint32_t object, graze_scene *scene) {
  const size_t first = range->face_count * number / range_count, end = range->face_count * (number + 1) / range_count;
  if (first == end) return GRAZE_OK;
  vertex_set set = {.word_count = range->vertex_count / 64 + 1};
  set.bits = calloc(set.word_count, sizeof *set.bits);
  set.before = malloc(set.word_count * sizeof *set.before);
  const bool has_room = set.bits != NULL && set.before != NULL;
  const graze_result result = has_room ? add_faces(range, first, end, object, &set, scene) : GRAZE_OUT_OF_MEMORY;
  free(set.bits);
  free(set.before);
  return result;
}
