/* Rows on their way into records. Workload: at most some hundred a run. */
#include "bench/bench_lines.h"

#include <stdlib.h>

static bench_line line_of(const char *table, const bench_row *row) {
  const bench_call *const call = &row->call;
  bench_line line = {.table = table,
                     .scene = call->scene->name,
                     .call = *call,
                     .primitives = bench_row_primitives(row),
                     .step = call->pose != NULL ? (size_t)(call->pose - call->scene->poses) : 0,
                     .median = bench_row_median(row),
                     .least_ms = bench_row_least(row),
                     .least_processor_ms = bench_row_least_processor(row),
                     .bytes_each = bench_row_bytes_each(row),
                     .rounds = row->round_count,
                     .steady = bench_row_steady(row)};
  line.call.scene = NULL;
  line.call.pose = NULL;
  bench_row_quartiles(row, &line.lower_ms, &line.upper_ms);
  return line;
}

bool bench_lines_add(bench_lines *lines, const char *table, const bench_row *row) {
  if (row->round_count == 0) return true;
  if (lines->count == lines->capacity) {
    const size_t capacity = 2 * lines->capacity + 64;
    bench_line *const grown = realloc(lines->lines, capacity * sizeof *grown);
    if (grown == NULL) return false;
    lines->lines = grown;
    lines->capacity = capacity;
  }
  lines->lines[lines->count++] = line_of(table, row);
  return true;
}

void bench_lines_free(bench_lines *lines) {
  free(lines->lines);
  *lines = (bench_lines){0};
}
