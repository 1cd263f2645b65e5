/* Prints a line for each scene with the results that its rows have in common, then a line for each method, test and
 * number of threads. Lines have at most 120 columns. The columns of stages follow the list in the public header. */
#include "bench/bench_table.h"

#include "graze/names.h"

#include <inttypes.h>
#include <string.h>

/* Wide enough for the stage's name and a time of seconds. */
static int stage_width(size_t stage) {
  const int length = (int)strlen(graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)stage));
  return length > 7 ? length : 7;
}

static void print_heading(void) {
  printf("%-8s %7s %9s %6s %8s", "method", "threads", "total ms", "spread", "ns each");
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++)
    printf(" %*s", stage_width(i), graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i));
  printf(" %9s\n", "byte each");
}

void bench_table_keep(bench_output *out, const bench_row *row) {
  if (!bench_lines_add(&out->lines, out->table, row, out->again)) out->out_of_memory = true;
}

/* A device has no threads of its own. */
static void print_threads(const bench_call *call) {
  if (bench_backend_has_devices(&call->backend))
    printf(" %7s", call->backend.name);
  else
    printf(" %7" PRIu32, call->threads);
}

/* Rows of a scene are consecutive. A row with other pairs gets its own heading, which makes the difference visible. */
static bool is_same_scene(const bench_line *a, const bench_line *b) {
  return strcmp(a->table, b->table) == 0 && strcmp(a->scene, b->scene) == 0 && a->primitives == b->primitives &&
         a->call.kind == b->call.kind && a->median.pairs == b->median.pairs && a->median.hash == b->median.hash;
}

static void print_scene(const bench_line *line) {
  const bench_result *const median = &line->median;
  printf("%s: %zu primitives, %s; %" PRIu64 " candidates, %" PRIu64 " pairs, hash %016" PRIx64 "\n", line->scene,
         line->primitives, bench_kind_name(line->call.kind), median->counters.candidates, median->pairs, median->hash);
}

void bench_table_show(const bench_lines *lines, size_t number) {
  const bench_line *const line = &lines->lines[number], *const before = number > 0 ? line - 1 : NULL;
  const bench_result *const median = &line->median;
  if (before == NULL || strcmp(before->table, line->table) != 0) print_heading();
  if (before == NULL || !is_same_scene(before, line)) print_scene(line);
  printf("%-8s", bench_call_method(&line->call));
  print_threads(&line->call);
  printf(" %9.2f %5.1f%% %8.1f", median->total_ms,
         100.0 * (line->upper_ms - line->lower_ms) / (median->total_ms > 0.0 ? median->total_ms : 1.0),
         1e6 * median->total_ms / (double)line->primitives);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++)
    printf(" %*.2f", stage_width(i), graze_timings_value(&median->stages, i));
  printf(" %9.1f%s\n", line->bytes_each, line->steady ? "" : "  UNSTEADY HASH");
  fflush(stdout);
}

void bench_table_line(bench_output *out, const bench_row *row) {
  const size_t before = out->lines.count;
  bench_table_keep(out, row);
  if (out->lines.count > before) bench_table_show(&out->lines, before);
}
