/* Medians of measured calls, as lines of a text table and of comma separated values. */
#ifndef GRAZE_BENCH_TABLE_H
#define GRAZE_BENCH_TABLE_H

#include "bench/bench_call.h"
#include "bench/bench_record.h"

#include <stdio.h>

enum { BENCH_ROUNDS_MAX = 101 };

typedef struct bench_row {
  bench_call call;
  size_t triangles;
  bench_result rounds[BENCH_ROUNDS_MAX];
  size_t round_count;
} bench_row;

bench_result bench_row_median(const bench_row *row); /* each stage's own median; pairs and hash of the last round */
bool bench_row_steady(const bench_row *row);         /* whether all rounds gave the same hash */

/* Peak memory of the scene, less 16 bytes a pair of the result, over its triangles. */
double bench_bytes_per_triangle(const bench_result *result, size_t triangles);

void bench_table_heading(FILE *text, FILE *csv);
void bench_table_line(FILE *text, FILE *csv, const bench_row *row, const bench_record *record);

#endif
