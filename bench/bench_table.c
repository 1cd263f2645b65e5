/* One line a scene, method and thread count. The list of stages is that of the public header: a new stage is a new
 * column by itself. */
#include "bench/bench_table.h"

#include <inttypes.h>

static const char *once_name(graze_once once) {
#define ONCE_NAME(name, value, words)                                                                                  \
  if (once == value) return words;
  GRAZE_ONCE_LIST(ONCE_NAME)
#undef ONCE_NAME
  return "";
}

static size_t shape_triangles(const bench_row *row) {
  return row->triangles > 0 ? row->triangles : 1;
}

bench_result bench_row_median(const bench_row *row) {
  double values[BENCH_ROUNDS_MAX];
  bench_result median = row->rounds[row->round_count - 1];
#define MEDIAN_STAGE(name, words)                                                                                      \
  for (size_t i = 0; i < row->round_count; i++) values[i] = row->rounds[i].stages.name##_ms;                           \
  median.stages.name##_ms = bench_median(values, row->round_count);
  GRAZE_STAGE_LIST(MEDIAN_STAGE)
#undef MEDIAN_STAGE
  for (size_t i = 0; i < row->round_count; i++) values[i] = row->rounds[i].total_ms;
  median.total_ms = bench_median(values, row->round_count);
  return median;
}

bool bench_row_steady(const bench_row *row) {
  for (size_t i = 1; i < row->round_count; i++) {
    if (row->rounds[i].hash != row->rounds[0].hash || row->rounds[i].pairs != row->rounds[0].pairs) return false;
  }
  return true;
}

double bench_bytes_per_triangle(const bench_result *result, size_t triangles) {
  const double pair_bytes = (double)sizeof(graze_pair) * (double)result->counters.pairs;
  return ((double)result->counters.peak_bytes - pair_bytes) / (double)(triangles > 0 ? triangles : 1);
}

void bench_table_heading(FILE *text, FILE *csv) {
  fprintf(text, "%-24s %9s %-6s %-5s %7s", "scene", "triangles", "method", "once", "threads");
#define TEXT_STAGE(name, words) fprintf(text, " %8s", #name);
  GRAZE_STAGE_LIST(TEXT_STAGE)
#undef TEXT_STAGE
  fprintf(text, " %9s %8s %10s %10s %9s %16s %8s\n", "total ms", "ns/tri", "candidates", "duplicates", "pairs", "hash",
          "byte/tri");
  if (csv == NULL) return;
  fprintf(csv, "scene,kind,triangles,method,once,threads,");
#define CSV_STAGE(name, words) fprintf(csv, #name "_ms,");
  GRAZE_STAGE_LIST(CSV_STAGE)
#undef CSV_STAGE
  fprintf(
      csv,
      "total_ms,candidates,duplicates,pairs,hash,peak_bytes,bytes_per_triangle,rounds,steady,commit,machine,date\n");
}

static void csv_line(FILE *csv, const bench_row *row, const bench_result *median, const bench_record *record) {
  fprintf(csv, "%s,%s,%zu,%s,%s,%" PRIu32 ",", row->call.scene->name, bench_kind_name(row->call.scene->kind),
          row->triangles, row->call.method, once_name(row->call.once), row->call.threads);
#define CSV_STAGE(name, words) fprintf(csv, "%.4f,", median->stages.name##_ms);
  GRAZE_STAGE_LIST(CSV_STAGE)
#undef CSV_STAGE
  fprintf(csv, "%.4f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%016" PRIx64 ",%" PRIu64 ",%.1f,%zu,%s,%s,%s,%s\n",
          median->total_ms, median->counters.candidates, median->counters.duplicates, median->pairs, median->hash,
          median->counters.peak_bytes, bench_bytes_per_triangle(median, row->triangles), row->round_count,
          bench_row_steady(row) ? "yes" : "no", record->commit, record->machine, record->date);
}

void bench_table_line(FILE *text, FILE *csv, const bench_row *row, const bench_record *record) {
  const bench_result median = bench_row_median(row);
  fprintf(text, "%-24s %9zu %-6s %-5s %7" PRIu32, row->call.scene->name, row->triangles, row->call.method,
          once_name(row->call.once), row->call.threads);
#define TEXT_STAGE(name, words) fprintf(text, " %8.2f", median.stages.name##_ms);
  GRAZE_STAGE_LIST(TEXT_STAGE)
#undef TEXT_STAGE
  fprintf(text, " %9.2f %8.1f %10" PRIu64 " %10" PRIu64 " %9" PRIu64 " %016" PRIx64 " %8.1f%s\n", median.total_ms,
          1e6 * median.total_ms / (double)shape_triangles(row), median.counters.candidates, median.counters.duplicates,
          median.pairs, median.hash, bench_bytes_per_triangle(&median, row->triangles),
          bench_row_steady(row) ? "" : "  UNSTEADY HASH");
  fflush(text);
  if (csv != NULL) csv_line(csv, row, &median, record);
}
