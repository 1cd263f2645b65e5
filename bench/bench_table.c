/* One line a scene, method, test and thread count. The list of stages is that of the public header: a new stage is
 * a new column by itself. */
#include "bench/bench_table.h"

#include "graze/names.h"

#include <inttypes.h>

void bench_table_heading(void) {
  printf("%-24s %9s %-7s %-8s %7s", "scene", "number", "pairs", "method", "threads");
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++)
    printf(" %8s", graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i));
  printf(" %9s %6s %8s %10s %10s %9s %16s %9s\n", "total ms", "spread", "ns each", "candidates", "duplicates", "pairs",
         "hash", "byte each");
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

void bench_table_show(const bench_line *line) {
  const bench_call *const call = &line->call;
  const bench_result *const median = &line->median;
  printf("%-24s %9zu %-7s %-8s", line->scene, line->primitives, bench_kind_name(call->kind), bench_call_method(call));
  print_threads(call);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++)
    printf(" %8.2f", graze_timings_value(&median->stages, i));
  printf(" %9.2f %5.1f%% %8.1f %10" PRIu64 " %10" PRIu64 " %9" PRIu64 " %016" PRIx64 " %9.1f%s\n", median->total_ms,
         100.0 * (line->upper_ms - line->lower_ms) / (median->total_ms > 0.0 ? median->total_ms : 1.0),
         1e6 * median->total_ms / (double)line->primitives, median->counters.candidates, median->counters.duplicates,
         median->pairs, median->hash, line->bytes_each, line->steady ? "" : "  UNSTEADY HASH");
  fflush(stdout);
}

void bench_table_line(bench_output *out, const bench_row *row) {
  const size_t before = out->lines.count;
  bench_table_keep(out, row);
  if (out->lines.count > before) bench_table_show(&out->lines.lines[before]);
}
