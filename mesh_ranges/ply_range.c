/* Reads ranges of binary PLY files of triangles; see ply_range.h.
 *
 * Workload: files of gigabytes, of which each reader takes one part at a time. The vertices of a range are found by a
 * bit per vertex and a count per 64 of them, without sorting: a fifth of a byte for each vertex of the file between the
 * least and the greatest of the range. */
#include "mesh_ranges/ply_range.h"

#include "mesh_io/byte_order.h"
#include "mesh_io/ply_header.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer headers are left to graze/io.h. */
enum { FACE_BYTES = 13, HEADER_BYTES_MOST = 1 << 16 };

/* ---------------------------------------------------------------------------------------------- the header */

/* Finds x, y and z in a vertex; false unless they have one real type and no property is a list. */
static bool place_coordinates(ply_range *range, const ply_header *header, const ply_element *vertices) {
  ply_type types[3] = {PLY_INT8, PLY_INT8, PLY_INT8};
  for (size_t i = 0; i < vertices->property_count; i++) {
    const ply_property *property = &header->properties[vertices->first_property + i];
    if (property->is_list) return false;
    if (property->role <= PLY_Z) {
      range->place[property->role] = range->vertex_bytes;
      types[property->role] = property->type;
    }
    range->vertex_bytes += ply_type_bytes(property->type);
  }
  range->is_double = types[0] == PLY_FLOAT64;
  return (range->is_double || types[0] == PLY_FLOAT32) && types[1] == types[0] && types[2] == types[0];
}

/* Whether a face is a count of one byte and indices of four, and nothing else. */
static bool faces_fit(const ply_header *header, const ply_element *faces) {
  const ply_property *corners = &header->properties[faces->first_property];
  return faces->property_count == 1 && corners->role == PLY_INDICES && ply_type_bytes(corners->count_type) == 1 &&
         (corners->type == PLY_INT32 || corners->type == PLY_UINT32);
}

/* Spheres have no faces and may have an element for them; graze/io.h reads them. */
static bool take_header(ply_range *range, const ply_header *header) {
  const ply_element *elements = header->elements;
  const size_t limit = UINT32_MAX - 16;
  if (header->format != PLY_LITTLE_ENDIAN || header->has_spheres || header->element_count != 2 ||
      elements[0].kind != PLY_VERTICES || elements[1].kind != PLY_FACES || elements[0].count > limit ||
      elements[1].count > limit || !place_coordinates(range, header, &elements[0]) || !faces_fit(header, &elements[1]))
    return false;
  range->vertex_count = (size_t)elements[0].count;
  range->face_count = (size_t)elements[1].count;
  return true;
}

/* Headers have one reader, so that ranges are what graze/io.h reads as a whole. */
static bool read_header(ply_range *range) {
  const size_t size = range->file.size < HEADER_BYTES_MOST ? (size_t)range->file.size : HEADER_BYTES_MOST;
  const mesh_reading reading = {.bytes = calloc(size + MESH_PADDING_BYTES, 1),
                                .size = size,
                                .file_name = "",
                                .element_limit = HEADER_BYTES_MOST,
                                .memory = mesh_memory_or_default((mesh_memory){0})};
  if (reading.bytes == NULL) return false;
  ply_header header = {0};
  const bool fits = range_file_read(&range->file, 0, size, reading.bytes, range->trouble) == GRAZE_OK &&
                    ply_header_read(&header, &reading) && take_header(range, &header);
  if (fits) {
    range->vertices = (size_t)(header.body - reading.bytes);
    range->faces = range->vertices + range->vertex_count * range->vertex_bytes;
  }
  ply_header_free(&header, &reading.memory);
  free(reading.bytes);
  return fits && range->file.size == range->faces + range->face_count * FACE_BYTES; /* all are triangles */
}

bool ply_range_open(const char *path, ply_range *range) {
  *range = (ply_range){0};
  if (!range_file_open(&range->file, path)) return false;
  if (read_header(range)) return true;
  ply_range_close(range);
  return false;
}

void ply_range_close(ply_range *range) {
  range_file_close(&range->file);
}

const char *ply_range_trouble(const ply_range *range, graze_result result) {
  if (range->trouble[0] != '\0') return range->trouble;
  return result == GRAZE_OUT_OF_MEMORY ? "out of memory" : graze_error_text();
}

/* ---------------------------------------------------------------------------------------------- a range */

/* The vertices of the file that a range uses, 64 to a word. */
typedef struct vertex_set {
  uint64_t *bits;
  uint32_t *before;  /* number of vertices in the set before each 64 */
  size_t first, end; /* the words of the set; `bits` and `before` begin with the first */
  size_t count;
  size_t checked, checked_end; /* the words whose vertices are checked even if no face uses them */
} vertex_set;

static uint32_t count_bits(uint64_t bits) {
  uint32_t count = 0;
  for (; bits != 0; bits &= bits - 1) count++;
  return count;
}

static uint32_t place_in_set(const vertex_set *set, uint32_t vertex) {
  const size_t word = vertex / 64 - set->first;
  return set->before[word] + count_bits(set->bits[word] & (((uint64_t)1 << vertex % 64) - 1));
}

/* Makes the set of the corners, with the checked words. False when out of memory. */
static bool make_vertex_set(vertex_set *set, const uint32_t *corners, size_t corner_count) {
  set->first = set->checked;
  set->end = set->checked_end;
  for (size_t i = 0; i < corner_count; i++) {
    const size_t word = corners[i] / 64;
    if (set->first == set->end) {
      set->first = word;
      set->end = word + 1;
    } else if (word < set->first) {
      set->first = word;
    } else if (word >= set->end) {
      set->end = word + 1;
    }
  }
  const size_t word_count = set->end - set->first;
  set->bits = calloc(word_count + 1, sizeof *set->bits);
  set->before = malloc((word_count + 1) * sizeof *set->before);
  if (set->bits == NULL || set->before == NULL) return false;
  for (size_t i = 0; i < corner_count; i++) set->bits[corners[i] / 64 - set->first] |= (uint64_t)1 << corners[i] % 64;
  for (size_t i = 0; i < word_count; i++) {
    set->before[i] = (uint32_t)set->count;
    set->count += count_bits(set->bits[i]);
  }
  return true;
}

/* The arrays of a part, and a block of the file. */
typedef struct range_arrays {
  char *block;
  size_t block_words; /* the block holds 64 times as many vertices, and RANGE_BLOCK_BYTES of faces */
  char *positions;
  uint32_t *numbers, *triangles; /* corners are vertices of the file at first */
} range_arrays;

static graze_result copy_face(ply_range *range, const char *bytes, size_t face, uint32_t corners[3]) {
  if (bytes[0] != 3) {
    snprintf(range->trouble, sizeof range->trouble,
             "face %zu has %u corners; files read by ranges hold only triangles, use 'graze check'", face,
             (unsigned char)bytes[0]);
    return GRAZE_FILE_FAILED;
  }
  for (int i = 0; i < 3; i++) {
    corners[i] = (uint32_t)load_bits(bytes + 1 + 4 * i, 4, false);
    if (corners[i] >= range->vertex_count) {
      snprintf(range->trouble, sizeof range->trouble, "face %zu refers to vertex %u; the file has %zu vertices", face,
               corners[i], range->vertex_count);
      return GRAZE_FILE_FAILED;
    }
  }
  return GRAZE_OK;
}

static graze_result read_faces(ply_range *range, size_t first, size_t end, range_arrays *arrays) {
  enum { FACES_AT_ONCE = RANGE_BLOCK_BYTES / FACE_BYTES };
  uint32_t *corners = arrays->triangles;
  graze_result result = GRAZE_OK;
  for (size_t face = first, count; result == GRAZE_OK && face < end; face += count) {
    count = end - face < FACES_AT_ONCE ? end - face : FACES_AT_ONCE;
    result = range_file_read(&range->file, range->faces + FACE_BYTES * face, FACE_BYTES * count, arrays->block,
                             range->trouble);
    for (size_t i = 0; result == GRAZE_OK && i < count; i++, corners += 3)
      result = copy_face(range, arrays->block + FACE_BYTES * i, face + i, corners);
  }
  return result;
}

static size_t coordinate_bytes(const ply_range *range) {
  return range->is_double ? sizeof(double) : sizeof(float);
}

static double load_coordinate(const ply_range *range, const char *from) {
  double value;
  float narrow;
  if (range->is_double) {
    const uint64_t bits = load_bits(from, 8, false);
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  const uint32_t bits = (uint32_t)load_bits(from, 4, false);
  memcpy(&narrow, &bits, sizeof narrow);
  return (double)narrow;
}

/* Vertices that no face uses must be finite, too. */
static graze_result check_vertices(ply_range *range, const char *block, size_t first, size_t end) {
  for (size_t i = first; i < end; i++, block += range->vertex_bytes)
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(load_coordinate(range, block + range->place[axis]))) {
        snprintf(range->trouble, sizeof range->trouble, "coordinate %c of vertex %zu is not finite", "xyz"[axis], i);
        return GRAZE_NOT_FINITE;
      }
  return GRAZE_OK;
}

static void copy_vertex(const ply_range *range, const char *vertex, char *to) {
  for (int axis = 0; axis < 3; axis++) {
    const double value = load_coordinate(range, vertex + range->place[axis]);
    if (range->is_double) {
      memcpy(to + sizeof value * (size_t)axis, &value, sizeof value);
    } else {
      const float narrow = (float)value; /* exact */
      memcpy(to + sizeof narrow * (size_t)axis, &narrow, sizeof narrow);
    }
  }
}

/* Whether the vertices of a word are read: the range uses one, or checks them. */
static bool is_read(const vertex_set *set, size_t word) {
  return set->bits[word - set->first] != 0 || (word >= set->checked && word < set->checked_end);
}

/* Returns the end of the words from `word` on that are read at once: they have no gap and fit in the block. */
static size_t end_of_block(const vertex_set *set, size_t word, size_t block_words) {
  size_t end = word + 1;
  while (end < set->end && end - word < block_words && is_read(set, end)) end++;
  return end;
}

/* Reads the vertices of the set, and those that the range checks, in ascending order. */
static graze_result read_vertices(ply_range *range, const vertex_set *set, range_arrays *arrays) {
  const size_t position_bytes = 3 * coordinate_bytes(range), bytes = range->vertex_bytes;
  size_t at = 0;
  for (size_t word = set->first, end; word < set->end; word = end) {
    end = word + 1;
    if (!is_read(set, word)) continue;
    end = end_of_block(set, word, arrays->block_words);
    const size_t first = 64 * word, last = 64 * end < range->vertex_count ? 64 * end : range->vertex_count;
    graze_result result = range_file_read(&range->file, range->vertices + bytes * first, bytes * (last - first),
                                          arrays->block, range->trouble);
    if (result == GRAZE_OK) result = check_vertices(range, arrays->block, first, last);
    if (result != GRAZE_OK) return result;
    for (size_t i = word; i < end; i++)
      for (uint64_t bits = set->bits[i - set->first]; bits != 0; bits &= bits - 1, at++) {
        const size_t vertex = 64 * i + count_bits((bits & -bits) - 1);
        arrays->numbers[at] = (uint32_t)vertex;
        copy_vertex(range, arrays->block + bytes * (vertex - first), arrays->positions + position_bytes * at);
      }
  }
  return GRAZE_OK;
}

static graze_result add_arrays(const ply_range *range, const range_arrays *arrays, size_t vertex_count, size_t first,
                               size_t count, uint32_t object, graze_scene *scene) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions =
      (graze_view){arrays->positions, vertex_count, 0, range->is_double ? GRAZE_FORMAT_DOUBLE3 : GRAZE_FORMAT_FLOAT3};
  def.triangles = (graze_view){arrays->triangles, count, 0, GRAZE_FORMAT_UINT32_3};
  placed.global_numbers = true;
  placed.global_object = object;
  placed.global_primitive = (uint32_t)first;
  placed.global_vertices = (graze_view){arrays->numbers, vertex_count, 0, GRAZE_FORMAT_UINT32};
  return graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL);
}

static graze_result fill_arrays(ply_range *range, size_t first, size_t end, range_arrays *arrays, vertex_set *set) {
  const size_t corner_count = 3 * (end - first), word_bytes = 64 * range->vertex_bytes;
  arrays->block_words = RANGE_BLOCK_BYTES / word_bytes + 1;
  arrays->block = malloc(arrays->block_words * word_bytes);
  arrays->triangles = malloc(corner_count * sizeof(uint32_t) + 1);
  if (arrays->block == NULL || arrays->triangles == NULL) return GRAZE_OUT_OF_MEMORY;
  const graze_result result = read_faces(range, first, end, arrays);
  if (result != GRAZE_OK) return result;
  if (!make_vertex_set(set, arrays->triangles, corner_count)) return GRAZE_OUT_OF_MEMORY;
  arrays->positions = malloc(3 * set->count * coordinate_bytes(range) + 1);
  arrays->numbers = malloc(set->count * sizeof(uint32_t) + 1);
  if (arrays->positions == NULL || arrays->numbers == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < corner_count; i++) arrays->triangles[i] = place_in_set(set, arrays->triangles[i]);
  return read_vertices(range, set, arrays);
}

graze_result ply_range_add(ply_range *range, size_t number, size_t range_count, uint32_t object, graze_scene *scene) {
  const size_t first = range->face_count * number / range_count, end = range->face_count * (number + 1) / range_count;
  const size_t word_count = range->vertex_count / 64 + 1;
  range_arrays arrays = {0};
  vertex_set set = {.checked = word_count * number / range_count,
                    .checked_end = word_count * (number + 1) / range_count};
  graze_result result = fill_arrays(range, first, end, &arrays, &set);
  if (result == GRAZE_OK) result = range_file_check(&range->file, range->trouble);
  if (result == GRAZE_OK && first < end)
    result = add_arrays(range, &arrays, set.count, first, end - first, object, scene);
  free(arrays.block);
  free(arrays.positions);
  free(arrays.numbers);
  free(arrays.triangles);
  free(set.bits);
  free(set.before);
  return result;
}
