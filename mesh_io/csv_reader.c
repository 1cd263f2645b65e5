/* Reads tables of spheres: a header with the names x, y, z and radius (or r) in any order and case, then a sphere per
 * line. Columns are separated by commas, semicolons or tabs; columns with other names are skipped and counted in the
 * note. Empty lines and lines that begin with # are skipped.
 *
 * Workload: thousands to millions of lines of about 60 bytes. A sphere is one line, so a line with too few or too many
 * values is an error and never continues on the next. */
#include "mesh_io/mesh_builder.h"
#include "mesh_io/number_printer.h"
#include "mesh_io/number_scanner.h"
#include "mesh_io/sphere_columns.h"
#include "mesh_io/text_encoding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct sphere_table {
  const mesh_reading *reading;
  mesh_builder *builder;
  sphere_columns columns;
} sphere_table;

static bool check_header(const sphere_table *table, const char *header) {
  static const char *const names[SPHERE_VALUES] = {"x", "y", "z", "radius"};
  for (int i = 0; i < SPHERE_VALUES; i++) {
    if (table->columns.number[i] == 1) continue;
    return mesh_fail_at(table->reading, header, "the header has %s column %s; spheres need x, y, z and radius or r",
                        table->columns.number[i] == 0 ? "no" : "more than one", names[i]);
  }
  return true;
}

static bool report_other_columns(const sphere_table *table) {
  const size_t count = table->columns.other_count;
  if (count == 0) return true;
  const mesh_quote name = mesh_quote_text(table->columns.first_other.text, table->columns.first_other.length);
  char number[GROUPED_COUNT_BYTES], message[128];
  print_grouped_count(count, number);
  snprintf(message, sizeof message,
           count == 1 ? "%s column was skipped: \"%s\"" : "%s columns were skipped, the first: \"%s\"", number,
           name.text);
  return mesh_note_add(table->reading, message, &table->builder->m.note);
}

static bool take_value(const sphere_table *table, table_cell cell, int which, double *value_out) {
  const char *const after = cell.length > 0 ? scan_number(cell.text, value_out) : NULL;
  const bool is_number = after == cell.text + cell.length && isfinite(*value_out);
  if (is_number && (which != SPHERE_RADIUS || mesh_is_radius(*value_out))) return true;
  return mesh_fail_sphere_text(table->reading, cell.text, cell.length, table->builder->m.vertex_count, which);
}

/* Reads the values of one line; returns the end of the line, NULL after an error. */
static const char *read_row(const sphere_table *table, const char *line) {
  const sphere_columns *columns = &table->columns;
  double values[SPHERE_VALUES] = {0};
  const char *p = line;
  size_t column = 0;
  for (bool more = true; more; column++) {
    table_cell cell;
    more = table_cell_take(&p, columns->separator, &cell);
    for (int i = 0; i < SPHERE_VALUES; i++) {
      if (columns->place[i] == column && !take_value(table, cell, i, &values[i])) return NULL;
    }
  }
  if (column != columns->count) {
    mesh_fail_at(table->reading, line, "sphere %zu has %zu values, but the header has %zu columns",
                 table->builder->m.vertex_count, column, columns->count);
    return NULL;
  }
  return mesh_builder_add_sphere(table->builder, values, values[SPHERE_RADIUS]) ? p : NULL;
}

static bool read_rows(const sphere_table *table, const char *p) {
  const char *const end = table->reading->bytes + table->reading->size;
  while (p < end) {
    const char *const first = p + strspn(p, " \t\r");
    if (*first == '\n') {
      p = first + 1;
    } else if (*first == '#') {
      p = first + strcspn(first, "\n");
    } else if (first < end && *first == '\0') {
      return mesh_fail_at(table->reading, first, "the file contains a zero byte; is this a table of spheres?");
    } else if (first == end) {
      p = end;
    } else if ((p = read_row(table, p)) == NULL) {
      return false;
    }
  }
  return true;
}

static bool read_table(sphere_table *table) {
  const char *header = sphere_header_find(table->reading->bytes);
  if (header == NULL) return mesh_fail(table->reading, "the file has no header; a table of spheres begins with one");
  table->columns = sphere_columns_of_line(header);
  return check_header(table, header) && report_other_columns(table) && read_rows(table, header + strcspn(header, "\n"));
}

bool mesh_read_csv(const mesh_reading *file, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(file, &reading)) return false;
  mesh_unify_line_ends(&reading);
  mesh_builder builder;
  mesh_builder_start(&builder, &reading);
  builder.m.kind = MESH_SPHERES; /* also without spheres */
  sphere_table table = {.reading = &reading, .builder = &builder};
  if (read_table(&table)) return mesh_builder_finish(&builder, meshes_out, mesh_count_out);
  mesh_builder_free(&builder);
  return false;
}
