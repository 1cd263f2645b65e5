/* Measured rows as they are kept: what was called, medians and spread, in the order of measuring. */
#ifndef GRAZE_BENCH_LINES_H
#define GRAZE_BENCH_LINES_H

#include "bench/bench_record.h"
#include "bench/bench_row.h"

/* What one visit of a row gave. Rounds of one visit follow each other and share whatever the machine did just then;
 * visits that are minutes apart do not, so it is they that tell how far a row can be trusted. */
typedef struct bench_pass {
  double total_ms, processor_ms, yardstick_ms; /* medians of its rounds */
} bench_pass;

typedef struct bench_line {
  const char *table, *scene; /* borrowed: names of lists that stay */
  bench_call call;           /* without its scene and pose */
  size_t primitives;
  size_t step; /* which of the scene's poses the call was in; 0 in scenes without */
  bench_result median;
  double least_ms, lower_ms, upper_ms; /* of total_ms: the least and the quartiles */
  double least_processor_ms;
  double bytes_each;
  bench_result *rounds; /* of all passes; owned */
  size_t round_count;
  bench_pass passes[BENCH_PASSES_MAX];
  size_t pass_count;
  bool steady;           /* all rounds gave the same hash */
  bool doubted;          /* by who compares it with another record: should be measured once more */
  size_t doubted_passes; /* those that were made for that reason: the last ones */
} bench_line;

/* What a run has measured so far. */
typedef struct bench_lines {
  bench_line *lines; /* owned */
  size_t count, capacity;
} bench_lines;

/* A row that was measured at least once; `again`: as one more pass of the line that is alike, of several the one with
 * the fewest passes. One that has BENCH_PASSES_MAX stays as it is. False where memory runs out. */
bool bench_lines_add(bench_lines *lines, const char *table, const bench_row *row, bool again);

/* Whether the line of this row is doubted; whether one of a table is, and of a scene where that is not NULL. */
bool bench_lines_doubt(const bench_lines *lines, const char *table, const bench_row *row);
bool bench_lines_doubt_scene(const bench_lines *lines, const char *table, const char *scene);

void bench_lines_free(bench_lines *lines);

#endif
