/* The header of a table of spheres: the columns of x, y, z and radius, and the separator. */
#ifndef GRAZE_SPHERE_COLUMNS_H
#define GRAZE_SPHERE_COLUMNS_H

#include "mesh_io/mesh_reading.h"

/* A value between two separators, without surrounding blanks and quotation marks. */
typedef struct table_cell {
  const char *text;
  size_t length;
} table_cell;

typedef struct sphere_columns {
  char separator;               /* the first of ; tab , in the header */
  size_t count;                 /* of all columns */
  size_t place[SPHERE_VALUES];  /* the column of each value, from 0; the last if it occurs more than once */
  size_t number[SPHERE_VALUES]; /* how often the header names it: 1 each in a header of spheres */
  size_t other_count;           /* other columns */
  table_cell first_other;
} sphere_columns;

/* Moves over one cell and the separator after it. Lines end in '\n' or a zero. False at the end of the line: this cell
 * was the last. */
bool table_cell_take(const char **p, char separator, table_cell *cell_out);

/* Returns the columns that a line names, ignoring case: x, y, z, and radius or r. */
sphere_columns sphere_columns_of_line(const char *line);

/* Whether each value has exactly one column. */
bool sphere_columns_are_whole(const sphere_columns *columns);

/* Finds the header in a text: its first line that is neither empty nor a comment, or a comment that is itself a header
 * of spheres, as some programs write it; NULL if there is neither. */
const char *sphere_header_find(const char *text);

/* Whether a text begins with the header of a table of spheres. */
bool is_sphere_header(const char *text);

#endif
