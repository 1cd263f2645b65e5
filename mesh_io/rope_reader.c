/* Reads the .t files of the Gaia simulation data: lines "Vertex number x y z" and "Tet number a b c d", both numbered
 * in order from 0 or 1.
 *
 * Workload: text of about 40 bytes per line, all vertices before all tetrahedra. Comments run from # to the end of a
 * line. */
#include "mesh_io/element_builder.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/value_cursor.h"

typedef struct rope_file {
  value_cursor cursor;
  element_builder *builder;
  int64_t base; /* the number of the first vertex */
} rope_file;

static bool read_vertex(rope_file *file) {
  const size_t count = file->builder->mesh.m.vertex_count;
  int64_t number;
  double position[3];
  if (!value_cursor_take_count(&file->cursor, &number)) {
    return value_cursor_expected(&file->cursor, "the number of vertex %zu", count);
  }
  if (count == 0) file->base = number;
  if (file->base != 0 && file->base != 1) {
    return value_cursor_fail(&file->cursor, "the first vertex has the number %lld, which is neither 0 nor 1",
                             (long long)number);
  }
  if (number != file->base + (int64_t)count) {
    return value_cursor_fail(&file->cursor, "expected vertex %lld, found vertex %lld",
                             (long long)(file->base + (int64_t)count), (long long)number);
  }
  return value_cursor_take_position(&file->cursor, sizeof(double), (size_t)number, position) &&
         mesh_builder_add_vertex(&file->builder->mesh, position[0], position[1], position[2]);
}

static bool read_tetrahedron(rope_file *file) {
  const uint64_t vertex_count = file->builder->mesh.m.vertex_count;
  int64_t number, vertex;
  uint32_t corners[4];
  if (!value_cursor_take_count(&file->cursor, &number)) {
    return value_cursor_expected(&file->cursor, "the number of a tetrahedron");
  }
  for (int i = 0; i < 4; i++) {
    if (!value_cursor_take_count(&file->cursor, &vertex)) {
      return value_cursor_expected(&file->cursor, "corner %d of tetrahedron %lld", i, (long long)number);
    }
    if ((uint64_t)(vertex - file->base) >= vertex_count) {
      return value_cursor_fail(
          &file->cursor, "tetrahedron %lld refers to vertex %lld, but %llu vertices come before it, counted from %lld",
          (long long)number, (long long)vertex, (unsigned long long)vertex_count, (long long)file->base);
    }
    corners[i] = (uint32_t)(vertex - file->base);
  }
  return element_builder_add(file->builder, ELEMENT_TETRAHEDRON, corners, 4);
}

static bool read_line(rope_file *file) {
  const char *const position = file->cursor.p;
  const cursor_word word = value_cursor_take_word(&file->cursor);
  if (cursor_word_is(word, "Vertex")) return read_vertex(file);
  if (cursor_word_is(word, "Tet")) return read_tetrahedron(file);
  const mesh_quote quote = mesh_quote_word(position);
  return mesh_fail_at(file->cursor.reading, position, "expected \"Vertex\" or \"Tet\", found \"%s\"", quote.text);
}

static bool read_lines(rope_file *file) {
  while (value_cursor_skip_blanks(&file->cursor)) {
    if (!read_line(file)) return false;
  }
  return true;
}

bool mesh_read_rope(const mesh_reading *given, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(given, &reading)) return false;
  mesh_unify_line_ends(&reading);
  element_builder builder;
  element_builder_start(&builder, &reading);
  rope_file file = {.cursor = value_cursor_start(&reading, true), .builder = &builder};
  if (read_lines(&file)) return element_builder_finish(&builder, meshes_out, mesh_count_out);
  element_builder_free(&builder);
  return false;
}
