/* Reads and writes lists of triangles: the word "triangles", then nine coordinates each.
 *
 * Workload: text of about 100 bytes per triangle. */
#include "mesh_io/mesh_builder.h"
#include "mesh_io/mesh_writing.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/value_cursor.h"

static bool read_triangles(value_cursor *cursor, mesh_builder *builder) {
  if (!cursor_word_is(value_cursor_take_word(cursor), "triangles"))
    return mesh_fail(cursor->reading, "the first word is not \"triangles\"");
  while (value_cursor_skip_blanks(cursor)) {
    const uint32_t first = (uint32_t)builder->m.vertex_count;
    for (uint32_t i = 0; i < 3; i++) {
      double p[3];
      if (!value_cursor_take_position(cursor, sizeof(double), first + i, p)) return false;
      if (!mesh_builder_add_vertex(builder, p[0], p[1], p[2])) return false;
    }
    if (!mesh_builder_add_triangle(builder, first, first + 1, first + 2)) return false;
  }
  return true;
}

bool mesh_read_tri(const mesh_reading *given, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(given, &reading)) return false;
  value_cursor cursor = value_cursor_start(&reading, false);
  mesh_builder builder;
  mesh_builder_start(&builder, &reading);
  if (read_triangles(&cursor, &builder)) return mesh_builder_finish(&builder, meshes_out, mesh_count_out);
  mesh_builder_free(&builder);
  return false;
}

void mesh_write_tri(const mesh_writing *w) {
  mesh_write_text(w, "triangles\n");
  for (size_t i = 0; i < w->mesh_count; i++)
    for (size_t j = 0; j < 3 * w->meshes[i].triangle_count; j++)
      mesh_write_position(w, "", w->meshes[i].positions + 3 * (size_t)w->meshes[i].triangles[j]);
}
