/* Reads VTK legacy files of unstructured grids, ascii and binary (big endian), versions 2.0 to 5.1, as described in
 * "VTK File Formats" of the VTK project: points of float or double, cells as counted lists (up to version 4.2) or as
 * OFFSETS and CONNECTIVITY (5.1). Fields and metadata before the end of the grid are skipped; the data of points and
 * cells after it is not read.
 *
 * Workload: text of about 25 bytes per cell, binary of 24. The types follow the cells, so both are stored as plain
 * numbers until the end. Declared counts allocate nothing: arrays grow with the values that are read. */
#include "mesh_io/element_builder.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/value_cursor.h"
#include "mesh_io/vtk_types.h"

typedef struct number_list {
  uint32_t *numbers;
  size_t count, capacity;
} number_list;

typedef struct vtk_file {
  value_cursor cursor;
  element_builder *builder;
  bool is_binary;
  number_list cells;   /* the values of each cell, up to version 4.2 after their number */
  number_list offsets; /* since version 5.1: the beginning of the values of each cell, and the end of the last */
  number_list types;
  bool has_points, has_cells, has_offsets, has_types;
  uint64_t cell_count;
} vtk_file;

/* The values of one cell. */
typedef struct vtk_cell {
  size_t number;
  const uint32_t *values;
  size_t count;
} vtk_cell;

/* ---------------------------------------------------------------------------------------------------- lists */

/* Reads `count` whole numbers of `bytes` bytes, from the next byte on. */
static bool read_numbers(vtk_file *file, const char *what, int64_t count, size_t bytes, number_list *list) {
  value_cursor *cursor = &file->cursor;
  value_cursor_end_line(cursor);
  cursor->binary = file->is_binary;
  for (int64_t i = 0; i < count; i++) {
    int64_t value;
    if (!value_cursor_take_integer(cursor, bytes, &value)) {
      return value_cursor_expected(cursor, "number %lld of %lld of %s", (long long)i + 1, (long long)count, what);
    }
    if (value < 0 || (uint64_t)value > MESH_ELEMENTS_MAX) {
      return value_cursor_fail(cursor, "number %lld of %s is %lld, which is not between 0 and %zu", (long long)i + 1,
                               what, (long long)value, MESH_ELEMENTS_MAX);
    }
    void *block = list->numbers;
    const bool fits =
        mesh_builder_grow(cursor->reading, &block, &list->capacity, list->count, 1, sizeof(uint32_t), what);
    list->numbers = block;
    if (!fits) return false;
    list->numbers[list->count++] = (uint32_t)value;
  }
  cursor->binary = false;
  return true;
}

static bool take_count(vtk_file *file, const char *what, int64_t *count_out) {
  if (value_cursor_take_count_between(&file->cursor, 0, INT64_MAX, count_out)) return true;
  return value_cursor_expected(&file->cursor, "the number of %s", what);
}

static bool refuse_word(const vtk_file *file, const char *position, const char *expected) {
  const mesh_quote quote = mesh_quote_word(position);
  return mesh_fail_at(file->cursor.reading, position, "expected %s, found \"%s\"", expected, quote.text);
}

/* ---------------------------------------------------------------------------------------------------- header */

static bool read_version(vtk_file *file) {
  static const char begin[] = "# vtk DataFile Version ";
  const mesh_reading *reading = file->cursor.reading;
  const size_t length = sizeof begin - 1;
  if (strncmp(reading->bytes, begin, length) != 0) {
    return mesh_fail_at(reading, reading->bytes, "the first line does not begin with \"# vtk DataFile Version\"");
  }
  const char *version = reading->bytes + length;
  if (version[0] < '2' || version[0] > '5' || version[1] != '.') {
    const mesh_quote quote = mesh_quote_word(version);
    return mesh_fail_at(reading, version, "VTK version \"%s\" is not supported; only 2.0 to 5.1 are", quote.text);
  }
  return true;
}

/* Four lines: version, title, ASCII or BINARY, and the kind of data. */
static bool read_header(vtk_file *file) {
  value_cursor *cursor = &file->cursor;
  if (!read_version(file)) return false;
  value_cursor_skip_line(cursor);
  value_cursor_skip_line(cursor);
  value_cursor_skip_blanks(cursor);
  const char *position = cursor->p;
  const cursor_word form = value_cursor_take_word(cursor);
  file->is_binary = cursor_word_is_upper(form, "BINARY");
  if (!file->is_binary && !cursor_word_is_upper(form, "ASCII")) return refuse_word(file, position, "ASCII or BINARY");
  value_cursor_skip_blanks(cursor);
  position = cursor->p;
  if (!cursor_word_is_upper(value_cursor_take_word(cursor), "DATASET")) return refuse_word(file, position, "DATASET");
  value_cursor_skip_blanks(cursor);
  position = cursor->p;
  if (cursor_word_is_upper(value_cursor_take_word(cursor), "UNSTRUCTURED_GRID")) return true;
  const mesh_quote quote = mesh_quote_word(position);
  return mesh_fail_at(cursor->reading, position, "VTK dataset %s is not supported; only UNSTRUCTURED_GRID is",
                      quote.text);
}

/* ---------------------------------------------------------------------------------------------------- sections */

static bool read_points(vtk_file *file) {
  value_cursor *cursor = &file->cursor;
  int64_t count;
  if (!take_count(file, "points", &count)) return false;
  value_cursor_skip_blanks(cursor);
  const char *const position = cursor->p;
  const cursor_word type = value_cursor_take_word(cursor);
  const bool is_float = cursor_word_is_upper(type, "FLOAT");
  if (!is_float && !cursor_word_is_upper(type, "DOUBLE")) return refuse_word(file, position, "float or double");
  value_cursor_end_line(cursor);
  cursor->binary = file->is_binary;
  for (int64_t i = 0; i < count; i++) {
    double point[3];
    if (!value_cursor_take_position(cursor, is_float ? sizeof(float) : sizeof(double), (size_t)i, point) ||
        !mesh_builder_add_vertex(&file->builder->mesh, point[0], point[1], point[2])) {
      return false;
    }
  }
  cursor->binary = false;
  return true;
}

/* Returns the bytes of a type of whole numbers in OFFSETS and CONNECTIVITY. */
static bool take_integer_type(vtk_file *file, size_t *bytes_out) {
  value_cursor_skip_blanks(&file->cursor);
  const char *const position = file->cursor.p;
  const cursor_word type = value_cursor_take_word(&file->cursor);
  if (cursor_word_is_upper(type, "VTKTYPEINT64")) {
    *bytes_out = 8;
  } else if (cursor_word_is_upper(type, "VTKTYPEINT32") || cursor_word_is_upper(type, "INT")) {
    *bytes_out = 4;
  } else {
    return refuse_word(file, position, "vtktypeint64 or vtktypeint32");
  }
  return true;
}

static bool read_offset_cells(vtk_file *file, int64_t offset_count, int64_t value_count) {
  size_t bytes = 0;
  if (!take_integer_type(file, &bytes) || !read_numbers(file, "OFFSETS", offset_count, bytes, &file->offsets)) {
    return false;
  }
  value_cursor_skip_blanks(&file->cursor);
  const char *const position = file->cursor.p;
  if (!cursor_word_is_upper(value_cursor_take_word(&file->cursor), "CONNECTIVITY")) {
    return refuse_word(file, position, "CONNECTIVITY");
  }
  file->has_offsets = true;
  file->cell_count = offset_count > 0 ? (uint64_t)offset_count - 1 : 0;
  return take_integer_type(file, &bytes) && read_numbers(file, "CONNECTIVITY", value_count, bytes, &file->cells);
}

static bool read_cells(vtk_file *file) {
  int64_t first, second;
  if (!take_count(file, "cells", &first) || !take_count(file, "values of cells", &second)) return false;
  value_cursor ahead = file->cursor;
  if (cursor_word_is_upper(value_cursor_take_word(&ahead), "OFFSETS")) {
    file->cursor = ahead;
    return read_offset_cells(file, first, second);
  }
  file->cell_count = (uint64_t)first;
  return read_numbers(file, "CELLS", second, 4, &file->cells);
}

static bool read_types(vtk_file *file) {
  int64_t count;
  return take_count(file, "cell types", &count) && read_numbers(file, "CELL_TYPES", count, 4, &file->types);
}

/* Metadata ends with an empty line. */
static void pass_over_metadata(vtk_file *file) {
  value_cursor *cursor = &file->cursor;
  value_cursor_skip_line(cursor);
  while (cursor->p < cursor->end) {
    const char *const line = cursor->p;
    value_cursor_skip_line(cursor);
    if (line[0] == '\n' || (line[0] == '\r' && line[1] == '\n')) return;
  }
}

static size_t bytes_of_type(cursor_word type) {
  static const struct {
    const char *name;
    size_t bytes;
  } types[] = {{"CHAR", 1}, {"UNSIGNED_CHAR", 1}, {"SHORT", 2},        {"UNSIGNED_SHORT", 2},
               {"INT", 4},  {"FLOAT", 4},         {"UNSIGNED_INT", 4}, {"VTKTYPEINT64", 8},
               {"LONG", 8}, {"UNSIGNED_LONG", 8}, {"DOUBLE", 8},       {"VTKIDTYPE", 4}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (cursor_word_is_upper(type, types[i].name)) return types[i].bytes;
  }
  return 0;
}

/* "name components tuples type", then the values. */
static bool pass_over_array(vtk_file *file) {
  value_cursor *cursor = &file->cursor;
  int64_t components, tuples;
  value_cursor_take_word(cursor);
  if (!take_count(file, "components of an array", &components) || !take_count(file, "tuples of an array", &tuples)) {
    return false;
  }
  value_cursor_skip_blanks(cursor);
  const char *const position = cursor->p;
  const size_t bytes = bytes_of_type(value_cursor_take_word(cursor));
  if (bytes == 0) return refuse_word(file, position, "the type of an array of numbers");
  value_cursor_end_line(cursor);
  cursor->binary = file->is_binary;
  for (int64_t i = 0; i < tuples; i++) {
    for (int64_t j = 0; j < components; j++) {
      if (!value_cursor_pass_over(cursor, bytes)) return value_cursor_expected(cursor, "a value of an array");
    }
    if (components == 0) break;
  }
  cursor->binary = false;
  return true;
}

static bool pass_over_field(vtk_file *file) {
  int64_t count;
  value_cursor_take_word(&file->cursor);
  if (!take_count(file, "arrays of a field", &count)) return false;
  for (int64_t i = 0; i < count; i++) {
    value_cursor ahead = file->cursor;
    while (cursor_word_is_upper(value_cursor_take_word(&ahead), "METADATA")) {
      file->cursor = ahead;
      pass_over_metadata(file);
      ahead = file->cursor;
    }
    if (!pass_over_array(file)) return false;
  }
  return true;
}

/* A section that must occur once. */
static bool note_section(vtk_file *file, const char *name, bool *has) {
  if (*has) return mesh_fail_at(file->cursor.reading, file->cursor.p, "there is a second section %s", name);
  *has = true;
  return true;
}

static bool read_sections(vtk_file *file) {
  value_cursor *cursor = &file->cursor;
  while (value_cursor_skip_blanks(cursor)) {
    const char *const position = cursor->p;
    const cursor_word word = value_cursor_take_word(cursor);
    bool done = true;
    if (cursor_word_is_upper(word, "POINTS")) {
      done = note_section(file, "POINTS", &file->has_points) && read_points(file);
    } else if (cursor_word_is_upper(word, "CELLS")) {
      done = note_section(file, "CELLS", &file->has_cells) && read_cells(file);
    } else if (cursor_word_is_upper(word, "CELL_TYPES")) {
      done = note_section(file, "CELL_TYPES", &file->has_types) && read_types(file);
    } else if (cursor_word_is_upper(word, "FIELD")) {
      done = pass_over_field(file);
    } else if (cursor_word_is_upper(word, "METADATA")) {
      pass_over_metadata(file);
    } else if (cursor_word_is_upper(word, "CELL_DATA") || cursor_word_is_upper(word, "POINT_DATA")) {
      return true;
    } else {
      done = refuse_word(file, position, "POINTS, CELLS or CELL_TYPES");
    }
    if (!done) return false;
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------------- cells */

static bool check_corners(const vtk_file *file, size_t cell, const uint32_t *corners, size_t count) {
  const size_t vertex_count = file->builder->mesh.m.vertex_count;
  for (size_t i = 0; i < count; i++) {
    if (corners[i] < vertex_count) continue;
    return mesh_fail(file->cursor.reading, "cell %zu refers to point %lu, but the file has %zu points, counted from 0",
                     cell, (unsigned long)corners[i], vertex_count);
  }
  return true;
}

/* The number of faces, then for each face the number of its corners and the corners. */
static bool add_polyhedron(vtk_file *file, vtk_cell cell) {
  const mesh_reading *reading = file->cursor.reading;
  if (cell.count == 0 || cell.values[0] == 0) return mesh_fail(reading, "cell %zu has no faces", cell.number);
  if (!element_builder_start_polyhedron(file->builder)) return false;
  size_t place = 1;
  for (uint32_t i = 0; i < cell.values[0]; i++) {
    if (place == cell.count || cell.values[place] > cell.count - place - 1) {
      return mesh_fail(reading, "cell %zu ends inside face %lu of %lu", cell.number, (unsigned long)i,
                       (unsigned long)cell.values[0]);
    }
    const uint32_t corner_count = cell.values[place++];
    if (corner_count < 3) {
      return mesh_fail(reading, "cell %zu, face %lu has %lu corners, fewer than 3", cell.number, (unsigned long)i,
                       (unsigned long)corner_count);
    }
    if (!check_corners(file, cell.number, cell.values + place, corner_count) ||
        !element_builder_add_face(file->builder, cell.values + place, corner_count)) {
      return false;
    }
    place += corner_count;
  }
  return true;
}

static bool add_lattice(vtk_file *file, element_shape shape, vtk_cell cell) {
  static const uint8_t around[ELEMENT_CORNERS_MAX] = {0, 1, 3, 2, 4, 5, 7, 6};
  uint32_t corners[ELEMENT_CORNERS_MAX];
  for (size_t i = 0; i < cell.count; i++) corners[i] = cell.values[around[i]];
  return element_builder_add(file->builder, shape, corners, cell.count);
}

static bool add_cell(vtk_file *file, vtk_cell cell) {
  const uint32_t number = file->types.numbers[cell.number];
  const vtk_type type = vtk_type_of_number(number);
  if (type.node_count > 0 && type.node_count != cell.count) {
    return mesh_fail(file->cursor.reading, "cell %zu of type %lu has %zu points instead of %u", cell.number,
                     (unsigned long)number, cell.count, type.node_count);
  }
  if (type.shape == ELEMENT_POLYHEDRON) return add_polyhedron(file, cell);
  if (type.shape < ELEMENT_TRIANGLE) {
    element_builder_skip(file->builder, type.shape);
    return true;
  }
  if (type.shape == ELEMENT_POLYGON && cell.count < 3) {
    return mesh_fail(file->cursor.reading, "cell %zu has %zu corners, fewer than 3", cell.number, cell.count);
  }
  if (!check_corners(file, cell.number, cell.values, cell.count)) return false;
  if (type.is_lattice) return add_lattice(file, type.shape, cell);
  const unsigned corner_count = element_shape_about(type.shape)->corner_count;
  if (corner_count > 0 && cell.count > corner_count) {
    return element_builder_add_higher_order(file->builder, type.shape, cell.values);
  }
  return element_builder_add(file->builder, type.shape, cell.values, cell.count);
}

/* Finds the values of the next cell; *place is the end of the previous one. */
static bool find_cell(const vtk_file *file, size_t number, size_t *place, vtk_cell *cell_out) {
  const number_list *cells = &file->cells;
  size_t count;
  if (file->has_offsets) {
    const uint32_t *offsets = file->offsets.numbers + number;
    *place = offsets[0];
    if (offsets[1] < offsets[0] || offsets[1] > cells->count) {
      return mesh_fail(file->cursor.reading, "cell %zu has the values from %lu to %lu, but there are %zu", number,
                       (unsigned long)offsets[0], (unsigned long)offsets[1], cells->count);
    }
    count = offsets[1] - offsets[0];
  } else {
    if (*place == cells->count || cells->numbers[*place] > cells->count - *place - 1) {
      return mesh_fail(file->cursor.reading, "the %zu values of CELLS end inside cell %zu of %llu", cells->count,
                       number, (unsigned long long)file->cell_count);
    }
    count = cells->numbers[(*place)++];
  }
  *cell_out = (vtk_cell){number, cells->numbers + *place, count};
  *place += count;
  return true;
}

static bool add_cells(vtk_file *file) {
  const mesh_reading *reading = file->cursor.reading;
  if (!file->has_points) return mesh_fail(reading, "the file has no section POINTS");
  if (file->types.count != file->cell_count) {
    return mesh_fail(reading, "%llu cells, but %zu cell types", (unsigned long long)file->cell_count,
                     file->types.count);
  }
  size_t place = 0;
  for (size_t i = 0; i < file->types.count; i++) {
    vtk_cell cell = {0};
    if (!find_cell(file, i, &place, &cell) || !add_cell(file, cell)) return false;
  }
  return true;
}

bool mesh_read_vtk(const mesh_reading *given, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(given, &reading)) return false;
  mesh_unify_line_ends(&reading); /* binary files have line feeds in their header, and are not modified */
  element_builder builder;
  element_builder_start(&builder, &reading);
  vtk_file file = {.cursor = value_cursor_start(&reading, false), .builder = &builder};
  file.cursor.big_endian = true;
  const bool done = read_header(&file) && read_sections(&file) && add_cells(&file);
  mesh_release(&reading.memory, file.cells.numbers);
  mesh_release(&reading.memory, file.offsets.numbers);
  mesh_release(&reading.memory, file.types.numbers);
  if (done) return element_builder_finish(&builder, meshes_out, mesh_count_out);
  element_builder_free(&builder);
  return false;
}
