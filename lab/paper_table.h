/* A reproduced table of a paper: on the screen, and as CSV in the folder of figures. Lines are written immediately, so
 * a stopped run keeps its lines. */
#ifndef GRAZE_PAPER_TABLE_H
#define GRAZE_PAPER_TABLE_H

#include "bench/study_tools.h"

typedef struct paper_column {
  const char *heading; /* no commas */
  int width;           /* on the screen; below zero: words from the left */
} paper_column;

typedef struct paper_table {
  const study *at;
  FILE *csv; /* NULL: no folder was given */
  const paper_column *columns;
  size_t column_count, next;
  char path[512];
} paper_table;

/* Prints the heading; the file is "paper_NAME.csv". False with a message where it cannot be written: nothing to close.
 */
bool paper_table_open(const study *at, const char *name, const paper_column *columns, size_t column_count,
                      paper_table *table);

/* The next cell of the line; after the last one the line ends. NaN is a number that nobody published: "-". */
void paper_table_words(paper_table *table, const char *words); /* no commas */
void paper_table_number(paper_table *table, double value, int decimals);

/* False with a message where the file could not be written. A failure before, `good` false, keeps its own. */
bool paper_table_close(paper_table *table, bool good);

/* Primitives of a scene that was published with so many: a tenth where it is to be quick, and no more than --size. */
size_t paper_size(const study *at, size_t published);

#endif
