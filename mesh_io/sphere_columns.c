/* Columns by their names. Workload: one line per file; the cells of all rows. */
#include "mesh_io/sphere_columns.h"

#include "mesh_io/mesh_name.h"

#include <string.h>

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_line(char c) {
  return c == '\n' || c == '\0';
}

/* Returns the end of a cell: the separator or the end of the line. Inside quotation marks, separators are text. */
static const char *find_cell_end(const char *p, char separator) {
  bool quoted = false;
  for (; !ends_line(*p) && (quoted || *p != separator); p++) quoted ^= *p == '"';
  return p;
}

bool table_cell_take(const char **p, char separator, table_cell *cell_out) {
  const char *const end = find_cell_end(*p, separator);
  const char *first = *p;
  const char *last = end;
  while (first < last && is_blank(*first)) first++;
  while (last > first && is_blank(last[-1])) last--;
  if (last - first >= 2 && *first == '"' && last[-1] == '"') first++, last--;
  *cell_out = (table_cell){first, (size_t)(last - first)};
  *p = end;
  if (*end != separator) return false;
  ++*p;
  return true;
}

static bool is_name(table_cell cell, const char *name) {
  return cell.length == strlen(name) && mesh_name_ends_in(cell.text, cell.length, name);
}

/* The value of a sphere in a column, or SPHERE_VALUES. */
static int value_of_name(table_cell cell) {
  static const char *const names[SPHERE_VALUES] = {"x", "y", "z", "radius"};
  for (int i = 0; i < SPHERE_VALUES; i++) {
    if (is_name(cell, names[i])) return i;
  }
  return is_name(cell, "r") ? SPHERE_RADIUS : SPHERE_VALUES;
}

static char separator_of_line(const char *line) {
  const size_t length = strcspn(line, "\n");
  if (memchr(line, ';', length) != NULL) return ';';
  return memchr(line, '\t', length) != NULL ? '\t' : ',';
}

sphere_columns sphere_columns_of_line(const char *line) {
  sphere_columns columns = {.separator = separator_of_line(line)};
  const char *p = line;
  for (bool more = true; more; columns.count++) {
    table_cell cell;
    more = table_cell_take(&p, columns.separator, &cell);
    const int value = value_of_name(cell);
    if (value < SPHERE_VALUES) {
      columns.place[value] = columns.count;
      columns.number[value]++;
    } else if (columns.other_count++ == 0) {
      columns.first_other = cell;
    }
  }
  return columns;
}

bool sphere_columns_are_whole(const sphere_columns *columns) {
  bool whole = true;
  for (int i = 0; i < SPHERE_VALUES; i++) whole &= columns->number[i] == 1;
  return whole;
}

const char *sphere_header_find(const char *text) {
  for (const char *line = text;; line++) {
    while (is_blank(*line)) line++;
    if (*line == '\0') return NULL;
    if (*line != '\n' && *line != '#') return line;
    if (*line == '#') {
      const sphere_columns columns = sphere_columns_of_line(line + 1);
      if (sphere_columns_are_whole(&columns)) return line + 1;
      line += strcspn(line, "\n");
      if (*line == '\0') return NULL;
    }
  }
}

bool is_sphere_header(const char *text) {
  const char *header = sphere_header_find(text);
  if (header == NULL) return false;
  const sphere_columns columns = sphere_columns_of_line(header);
  return sphere_columns_are_whole(&columns);
}
