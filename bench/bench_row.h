/* A call measured several times: interleaved rounds, medians, and whether all rounds gave the same answer. */
#ifndef GRAZE_BENCH_ROW_H
#define GRAZE_BENCH_ROW_H

#include "bench/bench_call.h"
#include "bench/bench_watch.h"

/* Rounds of a row, passes in which a row is visited, and primitives of a scene that the method brute is asked for. */
enum { BENCH_ROUNDS_MAX = 101, BENCH_PASSES_MAX = 16, BENCH_BRUTE_MOST = 20000 };

typedef struct bench_row {
  bench_call call;
  bench_result rounds[BENCH_ROUNDS_MAX];
  size_t round_count;
} bench_row;

void bench_row_plan(bench_row *row, bench_call call); /* the call, and no rounds yet */

/* So many rounds at the least, and as many more, up to BENCH_ROUNDS_MAX, as there is time: five rounds of a millisecond
 * say nothing where other work comes and goes. */
typedef struct bench_rounds {
  size_t least;
  double least_ms; /* of all rows together */
} bench_rounds;

/* Runs rounds, each of which visits every row, after one that is not counted. False when a call fails, with a message,
 * and when the watch stops it, with none: the rows have then the rounds that were done. */
bool bench_rows_run(bench_row *rows, size_t row_count, const bench_rounds *wanted, const bench_watch *watch,
                    char *error, size_t error_bytes);

/* Of at least one round, and of BENCH_ROUNDS_MAX a pass at the most. */
bench_result bench_rounds_median(const bench_result *rounds, size_t count); /* each time's own; pairs of the last */
double bench_rounds_least(const bench_result *rounds, size_t count); /* of total_ms: what other work changes least */
double bench_rounds_least_processor(const bench_result *rounds, size_t count); /* of processor_ms */
void bench_rounds_quartiles(const bench_result *rounds, size_t count, double *lower_out,
                            double *upper_out);                     /* of total_ms */
bool bench_rounds_steady(const bench_result *rounds, size_t count); /* whether all gave the same hash */

/* The same of a row. */
bench_result bench_row_median(const bench_row *row);
double bench_row_least(const bench_row *row);
bool bench_row_steady(const bench_row *row);

/* The triangles, polygons, tetrahedra or polyhedra of the row's scene; at least 1. */
size_t bench_row_primitives(const bench_row *row);

/* Peak memory of the scene and its lists, less 16 bytes a pair of the result, over its primitives; on a device all that
 * the scene holds there, candidates and pairs included. */
double bench_row_bytes_each(const bench_row *row);

#endif
