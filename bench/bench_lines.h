/* Measured rows as they are kept: what was called, medians and spread, in the order of measuring. */
#ifndef GRAZE_BENCH_LINES_H
#define GRAZE_BENCH_LINES_H

#include "bench/bench_record.h"
#include "bench/bench_row.h"

typedef struct bench_line {
  const char *table, *scene; /* borrowed: names of lists that stay */
  bench_call call;           /* without its scene and pose */
  size_t primitives;
  size_t step; /* which of the scene's poses the call was in; 0 in scenes without */
  bench_result median;
  double least_ms, lower_ms, upper_ms; /* of total_ms: the least and the quartiles */
  double least_processor_ms;
  double bytes_each;
  size_t rounds;
  bool steady; /* all rounds gave the same hash */
} bench_line;

/* What a run has measured so far. */
typedef struct bench_lines {
  bench_line *lines; /* owned */
  size_t count, capacity;
} bench_lines;

/* A row that was measured at least once. False where memory runs out. */
bool bench_lines_add(bench_lines *lines, const char *table, const bench_row *row);
void bench_lines_free(bench_lines *lines);

#endif
