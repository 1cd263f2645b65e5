/* Medians of measured calls, as lines of a text table and of comma separated values. */
#ifndef GRAZE_BENCH_TABLE_H
#define GRAZE_BENCH_TABLE_H

#include "bench/bench_record.h"
#include "bench/bench_row.h"

#include <stdio.h>

/* Where the lines go. */
typedef struct bench_output {
  FILE *csv;           /* may be NULL */
  bench_record record; /* for its lines */
  char backend[16];    /* of all of them: cpu or cuda */
  char device[128];    /* in words, without commas; empty for the processor */
} bench_output;

const char *bench_frame_name(bench_frame frame); /* one word */

void bench_table_heading(void);
void bench_table_csv_heading(const bench_output *out);

/* A line on the screen and one of the file; the second alone by the last function. */
void bench_table_line(const bench_output *out, const bench_row *row);
void bench_table_csv_line(const bench_output *out, const bench_row *row);

#endif
