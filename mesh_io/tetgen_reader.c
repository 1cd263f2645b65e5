/* Reads TetGen: a .node file of points and an .ele file of tetrahedra (Si, "TetGen, a Delaunay-based quality
 * tetrahedral mesh generator", 2015). Given either file, the other is read from the same folder, compressed or not.
 *
 * Workload: text of about 40 bytes per row. A row is a line: text after the coordinates or the first four corners
 * (attributes, markers, nodes of second order) is skipped. Points are numbered from 0 or 1, like the first one.
 * Comments run from # to the end of a line. */
#include "mesh_io/tetgen_reader.h"

#include "mesh_io/byte_source.h"
#include "mesh_io/element_builder.h"
#include "mesh_io/mesh_name.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/value_cursor.h"

#include <assert.h>
#include <unistd.h>

typedef struct tetgen_mesh {
  value_cursor cursor;
  element_builder *builder;
  int64_t base; /* the number of the first point */
} tetgen_mesh;

/* ---------------------------------------------------------------------------------------------------- rows */

static bool take_number(tetgen_mesh *m, int64_t *value_out, const char *what, int64_t row) {
  if (value_cursor_take_count(&m->cursor, value_out)) return true;
  return value_cursor_expected(&m->cursor, "%s %lld", what, (long long)row);
}

static bool read_node_header(tetgen_mesh *m, int64_t *count_out) {
  value_cursor *cursor = &m->cursor;
  int64_t dimension;
  if (!value_cursor_take_count_between(cursor, 0, INT64_MAX, count_out)) {
    return value_cursor_expected(cursor, "the number of points");
  }
  if (!value_cursor_take_count(cursor, &dimension)) return value_cursor_expected(cursor, "the dimension 3");
  if (dimension != 3) return value_cursor_fail(cursor, "the points have dimension %lld, not 3", (long long)dimension);
  value_cursor_skip_line(cursor);
  return true;
}

static bool read_nodes(tetgen_mesh *m) {
  int64_t count = 0;
  if (!read_node_header(m, &count)) return false;
  for (int64_t i = 0; i < count; i++) {
    int64_t number = 0;
    double position[3];
    if (!take_number(m, &number, "the number of point", i)) return false;
    if (i == 0) m->base = number;
    if (m->base != 0 && m->base != 1) {
      return value_cursor_fail(&m->cursor, "the first point has the number %lld, which is neither 0 nor 1",
                               (long long)m->base);
    }
    if (number != m->base + i) {
      return value_cursor_fail(&m->cursor, "expected point %lld, found point %lld", (long long)(m->base + i),
                               (long long)number);
    }
    if (!value_cursor_take_position(&m->cursor, sizeof(double), (size_t)number, position) ||
        !mesh_builder_add_vertex(&m->builder->mesh, position[0], position[1], position[2])) {
      return false;
    }
    value_cursor_skip_line(&m->cursor);
  }
  return true;
}

static bool read_element_header(tetgen_mesh *m, int64_t *count_out, bool *is_second_order_out) {
  value_cursor *cursor = &m->cursor;
  int64_t node_count;
  if (!value_cursor_take_count_between(cursor, 0, INT64_MAX, count_out)) {
    return value_cursor_expected(cursor, "the number of tetrahedra");
  }
  if (!value_cursor_take_count(cursor, &node_count)) {
    return value_cursor_expected(cursor, "the number of nodes of a tetrahedron (4 or 10)");
  }
  if (node_count != 4 && node_count != 10) {
    return value_cursor_fail(cursor, "tetrahedra have %lld nodes instead of 4 or 10", (long long)node_count);
  }
  *is_second_order_out = node_count == 10;
  value_cursor_skip_line(cursor);
  return true;
}

static bool read_corners(tetgen_mesh *m, int64_t number, uint32_t corners_out[4]) {
  const uint64_t vertex_count = m->builder->mesh.m.vertex_count;
  for (int i = 0; i < 4; i++) {
    int64_t vertex = 0;
    if (!take_number(m, &vertex, "a corner of tetrahedron", number)) return false;
    if ((uint64_t)(vertex - m->base) >= vertex_count) {
      return value_cursor_fail(
          &m->cursor, "tetrahedron %lld refers to point %lld, but there are %llu points, counted from %lld",
          (long long)number, (long long)vertex, (unsigned long long)vertex_count, (long long)m->base);
    }
    corners_out[i] = (uint32_t)(vertex - m->base);
  }
  return true;
}

static bool read_elements(tetgen_mesh *m) {
  int64_t count = 0;
  int64_t number = 0;
  bool is_second_order = false;
  if (!read_element_header(m, &count, &is_second_order)) return false;
  for (int64_t i = 0; i < count; i++) {
    uint32_t corners[4];
    if (!take_number(m, &number, "the number of tetrahedron", i) || !read_corners(m, number, corners)) return false;
    const bool added = is_second_order ? element_builder_add_higher_order(m->builder, ELEMENT_TETRAHEDRON, corners)
                                       : element_builder_add(m->builder, ELEMENT_TETRAHEDRON, corners, 4);
    if (!added) return false;
    value_cursor_skip_line(&m->cursor);
  }
  return true;
}

bool mesh_read_tetgen_pair(const mesh_reading *nodes, const mesh_reading *elements, const mesh_reading *given,
                           mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading node_text, element_text;
  if (!text_encoding_start(nodes, &node_text) || !text_encoding_start(elements, &element_text)) return false;
  mesh_unify_line_ends(&node_text);
  mesh_unify_line_ends(&element_text);
  element_builder builder;
  element_builder_start(&builder, given);
  tetgen_mesh m = {.cursor = value_cursor_start(&node_text, true), .builder = &builder};
  bool done = read_nodes(&m);
  if (done) {
    m.cursor = value_cursor_start(&element_text, true);
    done = read_elements(&m);
  }
  if (done) return element_builder_finish(&builder, meshes_out, mesh_count_out);
  element_builder_free(&builder);
  return false;
}

/* ---------------------------------------------------------------------------------------------------- files */

/* Returns the name of the other file: `stem` bytes of the given name, its ending, and .gz if only the compressed file
 * exists. */
static char *name_other_file(const mesh_reading *reading, size_t stem, const char *ending) {
  const size_t bytes = stem + strlen(ending) + sizeof ".gz";
  void *block = NULL;
  if (!mesh_resize(&reading->memory, &block, bytes, 1)) {
    mesh_fail(reading, "out of memory for a name");
    return NULL;
  }
  char *const name = block;
  char *const after = name + stem + strlen(ending);
  memcpy(name, reading->file_name, stem);
  strcpy(name + stem, ending);
  if (access(name, F_OK) == 0) return name;
  strcpy(after, ".gz");
  if (access(name, F_OK) != 0) *after = '\0'; /* for the message that it cannot be opened */
  return name;
}

bool mesh_read_tetgen(const mesh_reading *reading, mesh **meshes_out, size_t *mesh_count_out) {
  if (reading->in_memory)
    return mesh_fail(reading, "a TetGen mesh needs two files, but the bytes of only one are given");
  size_t length = strlen(reading->file_name);
  if (mesh_name_ends_in(reading->file_name, length, ".gz")) length -= strlen(".gz");
  const bool is_node_file = mesh_name_ends_in(reading->file_name, length, ".node");
  assert(is_node_file || mesh_name_ends_in(reading->file_name, length, ".ele"));
  const size_t stem = length - strlen(is_node_file ? ".node" : ".ele");
  char *const name = name_other_file(reading, stem, is_node_file ? ".ele" : ".node");
  if (!name) return false;
  mesh_reading other = *reading;
  other.file_name = name;
  other.only_regular = true;
  other.bytes = NULL;
  bool done = byte_source_read(&other, reading->byte_limit);
  if (done) {
    const mesh_reading *nodes = is_node_file ? reading : &other;
    const mesh_reading *elements = is_node_file ? &other : reading;
    done = mesh_read_tetgen_pair(nodes, elements, reading, meshes_out, mesh_count_out);
    mesh_release(&reading->memory, other.bytes);
  }
  mesh_release(&reading->memory, name);
  return done;
}
