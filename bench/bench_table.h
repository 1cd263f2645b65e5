/* Prints medians of measured calls as a text table and stores them for records. */
#ifndef GRAZE_BENCH_TABLE_H
#define GRAZE_BENCH_TABLE_H

#include "bench/bench_lines.h"

#include <stdio.h>

/* The results of a run in addition to its printed output. */
typedef struct bench_output {
  bench_record record;
  char device[128]; /* description of the device of the rows, without commas; empty if there is none */
  const char *table;
  bool again; /* rows are another pass of existing lines */
  bench_lines lines;
  bool out_of_memory; /* a line could not be stored */
} bench_output;

/* Stores a row; the second function also prints it. The third prints a stored line, after the scene's name if the scene
 * changes, and after a heading if the table changes. */
void bench_table_keep(bench_output *out, const bench_row *row);
void bench_table_line(bench_output *out, const bench_row *row);
void bench_table_show(const bench_lines *lines, size_t number);

#endif
