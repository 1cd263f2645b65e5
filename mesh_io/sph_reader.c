/* Reads the two text formats of .sph files.
 *
 * SOFA: "sph 1.0", then lines "sphe number x y z radius", after "nums count". The count is a hint; a wrong one is
 * reported in the note.
 *
 * cellPACK: the least and largest radius, the number of levels, then for each level the number of its spheres and a
 * line "x y z radius" for each. Each level covers the whole body, the last one most finely: that one is read, the
 * coarser ones are reported in the note. After several levels follow lists of which sphere covers which; they are not
 * read.
 *
 * Comments run from # to the end of a line. Workload: tens to thousands of spheres. */
#include "mesh_io/mesh_builder.h"
#include "mesh_io/number_printer.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/value_cursor.h"

#include <math.h>
#include <stdio.h>

typedef struct sph_file {
  value_cursor cursor;
  mesh_builder *builder;
} sph_file;

/* Reads a value of the current sphere, on this line. */
static bool take_value(sph_file *file, int which, double *value_out) {
  value_cursor *cursor = &file->cursor;
  const size_t sphere = file->builder->m.vertex_count;
  while (*cursor->p == ' ' || *cursor->p == '\t' || *cursor->p == '\r') cursor->p++;
  if (cursor->p >= cursor->end || *cursor->p == '\n' || *cursor->p == '#') {
    return value_cursor_fail(cursor, "sphere %zu has %d values, fewer than 4 (x, y, z and radius)", sphere, which);
  }
  const char *after = scan_number(cursor->p, value_out);
  const bool is_number = after && (is_delimiter(*after) || *after == '#') && isfinite(*value_out);
  if (!is_number || (which == SPHERE_RADIUS && !mesh_is_radius(*value_out))) {
    return mesh_fail_sphere_text(cursor->reading, cursor->p, strcspn(cursor->p, " \t\r\n"), sphere, which);
  }
  cursor->p = after;
  return true;
}

static bool read_sphere(sph_file *file) {
  double values[SPHERE_VALUES];
  for (int i = 0; i < SPHERE_VALUES; i++) {
    if (!take_value(file, i, &values[i])) return false;
  }
  value_cursor_skip_line(&file->cursor); /* a color may follow */
  return mesh_builder_add_sphere(file->builder, values, values[SPHERE_RADIUS]);
}

/* ---------------------------------------------------------------------------------------------------- SOFA */

static bool read_numbered_sphere(sph_file *file) {
  int64_t number;
  if (!value_cursor_take_count(&file->cursor, &number)) {
    return value_cursor_expected(&file->cursor, "the number of sphere %zu", file->builder->m.vertex_count);
  }
  return read_sphere(file);
}

static bool tell_other_count(const sph_file *file, int64_t promised) {
  const size_t count = file->builder->m.vertex_count;
  if (promised < 0 || (uint64_t)promised == count) return true;
  char message[128];
  snprintf(message, sizeof message, "\"nums\" states %lld, but there %s %zu sphere%s", (long long)promised,
           count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
  return mesh_note_add(file->cursor.reading, message, &file->builder->m.note);
}

static bool read_sofa(sph_file *file) {
  int64_t promised = -1;
  value_cursor_skip_line(&file->cursor); /* sph and the version */
  while (value_cursor_skip_blanks(&file->cursor)) {
    const char *const position = file->cursor.p;
    const cursor_word word = value_cursor_take_word(&file->cursor);
    if (cursor_word_is(word, "sphe")) {
      if (!read_numbered_sphere(file)) return false;
    } else if (cursor_word_is(word, "nums")) {
      if (!value_cursor_take_count_between(&file->cursor, 0, INT64_MAX, &promised)) {
        return value_cursor_expected(&file->cursor, "the number of spheres");
      }
    } else {
      unknown_lines_add(&file->builder->unknown, position);
      value_cursor_skip_line(&file->cursor);
    }
  }
  return tell_other_count(file, promised);
}

/* ---------------------------------------------------------------------------------------------------- cellPACK */

static bool pass_over_number(sph_file *file, const char *what) {
  double value;
  value_cursor_skip_blanks(&file->cursor);
  const char *after = scan_number(file->cursor.p, &value);
  if (!after || !is_delimiter(*after)) return value_cursor_expected(&file->cursor, "%s", what);
  file->cursor.p = after;
  return true;
}

static bool read_level(sph_file *file, int64_t level) {
  int64_t count;
  mesh_builder_clear(file->builder);
  if (!value_cursor_take_count_between(&file->cursor, 0, INT64_MAX, &count)) {
    return value_cursor_expected(&file->cursor, "the number of spheres in level %lld", (long long)level);
  }
  for (int64_t i = 0; i < count; i++) {
    if (!value_cursor_skip_blanks(&file->cursor)) {
      return value_cursor_fail(&file->cursor, "the file ends after %lld of %lld spheres in level %lld", (long long)i,
                               (long long)count, (long long)level);
    }
    if (!read_sphere(file)) return false;
  }
  return true;
}

static bool tell_coarse_levels(const sph_file *file, int64_t levels, uint64_t coarse_count) {
  char number[GROUPED_COUNT_BYTES], message[160];
  print_grouped_count(coarse_count, number);
  snprintf(message, sizeof message, "used level %lld, the last; skipped %s sphere%s of coarser levels",
           (long long)levels, number, coarse_count == 1 ? "" : "s");
  return mesh_note_add(file->cursor.reading, message, &file->builder->m.note);
}

static bool read_cellpack(sph_file *file) {
  int64_t levels;
  uint64_t coarse_count = 0;
  if (!pass_over_number(file, "\"sph\" or the least radius") || !pass_over_number(file, "the largest radius")) {
    return false;
  }
  if (!value_cursor_take_count_between(&file->cursor, 1, INT64_MAX, &levels)) {
    return value_cursor_expected(&file->cursor, "a number of levels of at least 1");
  }
  for (int64_t level = 1; level <= levels; level++) {
    coarse_count += file->builder->m.vertex_count;
    if (!read_level(file, level)) return false;
  }
  if (levels > 1) return tell_coarse_levels(file, levels, coarse_count);
  return !value_cursor_skip_blanks(&file->cursor) || value_cursor_expected(&file->cursor, "the end of the file");
}

bool mesh_read_sph(const mesh_reading *given, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(given, &reading)) return false;
  mesh_unify_line_ends(&reading);
  mesh_builder builder;
  mesh_builder_start(&builder, &reading);
  builder.m.kind = MESH_SPHERES; /* also of no spheres */
  sph_file file = {.cursor = value_cursor_start(&reading, true), .builder = &builder};
  value_cursor ahead = file.cursor;
  const bool is_sofa = cursor_word_is(value_cursor_take_word(&ahead), "sph");
  if (is_sofa) file.cursor = ahead;
  if (is_sofa ? read_sofa(&file) : read_cellpack(&file)) {
    return mesh_builder_finish(&builder, meshes_out, mesh_count_out);
  }
  mesh_builder_free(&builder);
  return false;
}
