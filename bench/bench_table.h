/* Medians of measured calls as lines of a text table, and kept for records. */
#ifndef GRAZE_BENCH_TABLE_H
#define GRAZE_BENCH_TABLE_H

#include "bench/bench_lines.h"

#include <stdio.h>

/* What a run gives beside the words that it prints. */
typedef struct bench_output {
  bench_record record;
  char device[128]; /* of the rows of a device, in words, without commas; empty where there are none */
  const char *table;
  bool again; /* rows are one more pass of lines that are there */
  bench_lines lines;
  bool out_of_memory; /* a line could not be kept */
} bench_output;

/* Keeps a row; the second function shows it besides, and the third a line that is kept: below the name of its scene
 * where that is another one than of the line before, and below the heading where the table is another one. */
void bench_table_keep(bench_output *out, const bench_row *row);
void bench_table_line(bench_output *out, const bench_row *row);
void bench_table_show(const bench_lines *lines, size_t number);

#endif
