/* One line a scene, method, way, test and thread count. The list of stages is that of the public header: a new stage is
 * a new column by itself. */
#include "bench/bench_table.h"

#include "graze/names.h"

#include <inttypes.h>

void bench_table_heading(void) {
  printf("%-24s %9s %-7s %-6s %-5s %7s", "scene", "number", "pairs", "method", "dedup", "threads");
  for (size_t i = 0; i < graze_stage_count(); i++) printf(" %8s", graze_stage_name(i));
  printf(" %9s %8s %10s %10s %9s %16s %9s\n", "total ms", "ns each", "candidates", "duplicates", "pairs", "hash",
         "byte each");
}

void bench_table_csv_heading(const bench_output *out) {
  if (out->csv == NULL) return;
  fprintf(out->csv,
          "scene,kind,primitives,method,dedup,cell_hash,test,builder,clusters,axis,assign,frame,step,threads,");
  for (size_t i = 0; i < graze_stage_count(); i++) fprintf(out->csv, "%s_ms,", graze_stage_name(i));
  fprintf(out->csv,
          "asked_ms,total_ms,least_ms,box_tests,clusters_made,members,members_1,members_2,members_3,members_4,"
          "candidates,duplicates,pairs,false_pairs,hash,updated_bytes,peak_bytes,"
          "device_bytes,bytes_each,rounds,steady,backend,device,commit,machine,date\n");
}

const char *bench_frame_name(bench_frame frame) {
  static const char *const names[] = {"first", "positions", "poses"};
  return names[frame];
}

/* Which of the scene's poses the call is in; 0 in scenes without. */
static size_t step_of(const bench_call *call) {
  return call->pose != NULL ? (size_t)(call->pose - call->scene->poses) : 0;
}

void bench_table_csv_line(const bench_output *out, const bench_row *row) {
  FILE *const csv = out->csv;
  if (csv == NULL) return;
  const bench_call *const call = &row->call;
  const bench_result median = bench_row_median(row);
  fprintf(csv, "%s,%s,%zu,%s,%s,%s,%s,%s,%" PRIu32 ",%s,%s,%s,%zu,%" PRIu32 ",", call->scene->name,
          bench_kind_name(call->kind), bench_row_primitives(row), call->method, graze_dedup_name(call->dedup),
          graze_hash_name(call->hash), graze_test_name(call->test), graze_tree_builder_name(call->tree_builder),
          call->clusters, graze_axis_name(call->axis), graze_assign_name(call->assign), bench_frame_name(call->frame),
          step_of(call), call->threads);
  for (size_t i = 0; i < graze_stage_count(); i++) fprintf(csv, "%.4f,", graze_timings_value(&median.stages, i));
  const graze_counters *const c = &median.counters;
  fprintf(csv, "%.4f,%.4f,%.4f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
          median.asked_ms, median.total_ms, bench_row_least(row), c->box_tests, c->clusters, c->members, c->members_1,
          c->members_2, c->members_3, c->members_4);
  fprintf(csv, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%016" PRIx64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
          c->candidates, c->duplicates, median.pairs, c->false_pairs, median.hash, median.updated_bytes,
          median.peak_bytes, c->device_bytes);
  fprintf(csv, ",%.1f,%zu,%s,%s,%s,%s,%s,%s\n", bench_row_bytes_each(row), row->round_count,
          bench_row_steady(row) ? "yes" : "no", out->backend, out->device, out->record.commit, out->record.machine,
          out->record.date);
}

void bench_table_line(const bench_output *out, const bench_row *row) {
  const bench_call *const call = &row->call;
  const bench_result median = bench_row_median(row);
  printf("%-24s %9zu %-7s %-6s %-5s %7" PRIu32, call->scene->name, bench_row_primitives(row),
         bench_kind_name(call->kind), call->method, graze_dedup_name(call->dedup), call->threads);
  for (size_t i = 0; i < graze_stage_count(); i++) printf(" %8.2f", graze_timings_value(&median.stages, i));
  printf(" %9.2f %8.1f %10" PRIu64 " %10" PRIu64 " %9" PRIu64 " %016" PRIx64 " %9.1f%s\n", median.total_ms,
         1e6 * median.total_ms / (double)bench_row_primitives(row), median.counters.candidates,
         median.counters.duplicates, median.pairs, median.hash, bench_row_bytes_each(row),
         bench_row_steady(row) ? "" : "  UNSTEADY HASH");
  fflush(stdout);
  bench_table_csv_line(out, row);
}
