/* Stored results of a run: call, medians and spread of each row, in the order of measurement. */
#ifndef GRAZE_BENCH_LINES_H
#define GRAZE_BENCH_LINES_H

#include "bench/bench_record.h"
#include "bench/bench_row.h"

/* The result of one visit to a row. The rounds of a visit are consecutive and share the state of the machine; visits
 * minutes apart do not, so they show how reliable a row is. */
typedef struct bench_pass {
  double total_ms, processor_ms, yardstick_ms; /* medians of its rounds */
} bench_pass;

typedef struct bench_line {
  const char *table, *scene; /* borrowed from static lists */
  bench_call call;           /* without its scene and pose */
  size_t primitives;
  size_t step; /* the number of the scene's pose; 0 in scenes without poses */
  bench_result median;
  double least_ms, lower_ms, upper_ms; /* of total_ms: minimum and quartiles */
  double least_processor_ms;
  double bytes_each;
  bench_result *rounds; /* of all passes; owned */
  size_t round_count;
  bench_pass passes[BENCH_PASSES_MAX];
  size_t pass_count;
  bool steady;           /* all rounds have the same hash */
  bool doubted;          /* set by a comparison with another record: must be measured again */
  size_t doubted_passes; /* the number of passes for that reason, which are the last ones */
} bench_line;

/* The results of a run so far. */
typedef struct bench_lines {
  bench_line *lines; /* owned */
  size_t count, capacity;
} bench_lines;

/* Adds a row that was measured at least once. If `again`, adds it as another pass of the matching line with the fewest
 * passes; a line with BENCH_PASSES_MAX passes does not change. Returns false if out of memory. */
bool bench_lines_add(bench_lines *lines, const char *table, const bench_row *row, bool again);

/* Whether the line of this row is doubted; and whether any line of a table is, restricted to a scene if not NULL. */
bool bench_lines_doubt(const bench_lines *lines, const char *table, const bench_row *row);
bool bench_lines_doubt_scene(const bench_lines *lines, const char *table, const char *scene);

void bench_lines_free(bench_lines *lines);

#endif
