/* A call measured several times: interleaved rounds, medians, and whether all rounds have the same answer. */
#ifndef GRAZE_BENCH_ROW_H
#define GRAZE_BENCH_ROW_H

#include "bench/bench_call.h"
#include "bench/bench_watch.h"

/* Maximum rounds of a row, maximum passes over a row, and maximum primitives of a scene for the method brute. */
enum { BENCH_ROUNDS_MAX = 101, BENCH_PASSES_MAX = 16, BENCH_BRUTE_MOST = 20000 };

typedef struct bench_row {
  bench_call call;
  bench_result rounds[BENCH_ROUNDS_MAX];
  size_t round_count;
} bench_row;

void bench_row_plan(bench_row *row, bench_call call); /* sets the call; no rounds yet */

/* The minimum number of rounds, and the minimum time, which adds rounds up to BENCH_ROUNDS_MAX: five rounds of a
 * millisecond are not significant on a machine with other work. */
typedef struct bench_rounds {
  size_t least;
  double least_ms; /* of all rows together */
} bench_rounds;

/* Runs rounds, each of which visits every row, after a warm-up round. Returns false with a message if a call fails, and
 * false without a message if the watch stops it; the rows then have the completed rounds. */
bool bench_rows_run(bench_row *rows, size_t row_count, const bench_rounds *wanted, const bench_watch *watch,
                    char *error, size_t error_bytes);

/* Statistics of at least one round and at most BENCH_ROUNDS_MAX per pass. */
bench_result bench_rounds_median(const bench_result *rounds, size_t count);    /* of each time; last pairs */
double bench_rounds_least(const bench_result *rounds, size_t count);           /* of total_ms */
double bench_rounds_least_processor(const bench_result *rounds, size_t count); /* of processor_ms */
void bench_rounds_quartiles(const bench_result *rounds, size_t count, double *lower_out,
                            double *upper_out);                     /* of total_ms */
bool bench_rounds_steady(const bench_result *rounds, size_t count); /* whether all gave the same hash */

/* The same for a row. */
bench_result bench_row_median(const bench_row *row);
double bench_row_least(const bench_row *row);
bool bench_row_steady(const bench_row *row);

/* Returns the number of primitives of the row's scene, at least 1. */
size_t bench_row_primitives(const bench_row *row);

/* Returns the peak memory of the scene and its lists, without 16 bytes per found pair, per primitive; on a device, all
 * memory of the scene, including candidates and pairs. */
double bench_row_bytes_each(const bench_row *row);

#endif
