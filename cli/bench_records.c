/* Rows as CSV and as JSON, and a page with them. */
#include "bench_records.h"

#include "page_file.h"
#include "record_columns.h"

#include "graze/names.h"

const char *const bench_record_identity[] = {"table", "scene",    "kind",    "primitives", "method",
                                             "test",  "question", "builder", "clusters",   "axis",
                                             "frame", "step",     "backend", "threads",    NULL};

const retired_member bench_record_retired[] = {
    {"dedup", "owner"}, {"cell_hash", "morton"}, {"assign", "covering"}, {NULL, NULL}};

typedef struct row_record {
  bench_line line;
  const char *device;
} row_record;

#define FIND_TEXT(function, text)                                                                                      \
  static bool function(const void *row, void *value_out) {                                                             \
    const bench_call *call = &((const row_record *)row)->line.call;                                                    \
    *(const char **)value_out = text;                                                                                  \
    return true;                                                                                                       \
  }
FIND_TEXT(find_kind, bench_kind_name(call->kind))
FIND_TEXT(find_method, bench_call_method(call))
FIND_TEXT(find_test, graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)call->test))
FIND_TEXT(find_question, bench_question_name(call->question))
FIND_TEXT(find_builder, graze_enumeration_name(GRAZE_ENUMERATION_TREE_BUILDER, (int)call->tree_builder))
FIND_TEXT(find_axis, graze_enumeration_name(GRAZE_ENUMERATION_AXIS, (int)call->axis))
FIND_TEXT(find_frame, bench_frame_name(call->frame))
FIND_TEXT(find_backend, bench_backend_has_devices(&call->backend) ? call->backend.name : "cpu")

/* One measure of all passes. */
#define FIND_PASSES(function, member)                                                                                  \
  static bool function(const void *row, void *value_out) {                                                             \
    const bench_line *line = &((const row_record *)row)->line;                                                         \
    *(column_series *)value_out = (column_series){&line->passes[0].member, line->pass_count, sizeof(bench_pass)};      \
    return true;                                                                                                       \
  }
FIND_PASSES(find_pass_totals, total_ms)
FIND_PASSES(find_pass_processor_times, processor_ms)
FIND_PASSES(find_pass_yardsticks, yardstick_ms)

#define TIME_COLUMN(name, member) COLUMN_AS(0, name, COLUMN_TIME, row_record, line.member)
#define STAGE_COLUMN(name, words) TIME_COLUMN(#name "_ms", median.stages.name##_ms),

static const record_column row_columns[] = {COLUMN("table", row_record, line.table),
                                            COLUMN("scene", row_record, line.scene),
                                            COLUMN_FOUND("kind", COLUMN_TEXT, find_kind),
                                            COLUMN("primitives", row_record, line.primitives),
                                            COLUMN_FOUND("method", COLUMN_TEXT, find_method),
                                            COLUMN_FOUND("test", COLUMN_TEXT, find_test),
                                            COLUMN_FOUND("question", COLUMN_TEXT, find_question),
                                            COLUMN_FOUND("builder", COLUMN_TEXT, find_builder),
                                            COLUMN("clusters", row_record, line.call.clusters),
                                            COLUMN_FOUND("axis", COLUMN_TEXT, find_axis),
                                            COLUMN_FOUND("frame", COLUMN_TEXT, find_frame),
                                            COLUMN("step", row_record, line.step),
                                            COLUMN_FOUND("backend", COLUMN_TEXT, find_backend),
                                            COLUMN("threads", row_record, line.call.threads),
                                            COLUMN("device", row_record, device),
                                            GRAZE_STAGE_LIST(STAGE_COLUMN) TIME_COLUMN("asked_ms", median.asked_ms),
                                            TIME_COLUMN("total_ms", median.total_ms),
                                            TIME_COLUMN("least_ms", least_ms),
                                            TIME_COLUMN("lower_quartile_ms", lower_ms),
                                            TIME_COLUMN("upper_quartile_ms", upper_ms),
                                            TIME_COLUMN("processor_ms", median.processor_ms),
                                            TIME_COLUMN("least_processor_ms", least_processor_ms),
                                            TIME_COLUMN("yardstick_ms", median.yardstick_ms),
                                            COLUMN_FOUND("pass_total_ms", COLUMN_SERIES, find_pass_totals),
                                            COLUMN_FOUND("pass_processor_ms", COLUMN_SERIES, find_pass_processor_times),
                                            COLUMN_FOUND("pass_yardstick_ms", COLUMN_SERIES, find_pass_yardsticks),
                                            COLUMN("doubted_passes", row_record, line.doubted_passes),
                                            COLUMN("box_tests", row_record, line.median.counters.box_tests),
                                            COLUMN("clusters_made", row_record, line.median.counters.clusters),
                                            COLUMN("members", row_record, line.median.counters.members),
                                            COLUMN("members_1", row_record, line.median.counters.members_1),
                                            COLUMN("members_2", row_record, line.median.counters.members_2),
                                            COLUMN("members_3", row_record, line.median.counters.members_3),
                                            COLUMN("members_4", row_record, line.median.counters.members_4),
                                            COLUMN("candidates", row_record, line.median.counters.candidates),
                                            COLUMN("duplicates", row_record, line.median.counters.duplicates),
                                            COLUMN("pairs", row_record, line.median.pairs),
                                            COLUMN_AS(0, "hash", COLUMN_HASH, row_record, line.median.hash),
                                            COLUMN("updated_bytes", row_record, line.median.updated_bytes),
                                            COLUMN("peak_bytes", row_record, line.median.peak_bytes),
                                            COLUMN("device_bytes", row_record, line.median.counters.device_bytes),
                                            TIME_COLUMN("bytes_each", bytes_each),
                                            COLUMN("rounds", row_record, line.round_count),
                                            COLUMN("steady", row_record, line.steady),
                                            {0}};

static row_record row_at(const bench_output *out, size_t number) {
  const bench_line *line = &out->lines.lines[number];
  return (row_record){*line, bench_backend_has_devices(&line->call.backend) ? out->device : ""};
}

void bench_records_write_csv(const bench_output *out, FILE *stream) {
  columns_write_header(row_columns, 0, stream);
  fputs(",commit,machine,date\n", stream);
  for (size_t i = 0; i < out->lines.count; i++) {
    const row_record row = row_at(out, i);
    columns_write_cells(row_columns, 0, 0, &row, stream);
    fprintf(stream, ",%s,%s,%s\n", out->record.commit, out->record.machine, out->record.date);
  }
}

static void write_text(json_writer *json, const char *name, const char *text) {
  json_key(json, name);
  json_string(json, text);
}

static void write_machine(const bench_record *record, json_writer *json) {
  json_key_object(json, "machine");
  write_text(json, "architecture", record->architecture);
  write_text(json, "processor", record->processor);
  json_key(json, "processors");
  json_unsigned(json, record->processors > 0 ? (uint64_t)record->processors : 0);
  json_key(json, "memory_bytes");
  json_unsigned(json, record->memory_bytes);
  write_text(json, "system", record->system);
  json_end_object(json);
}

void bench_records_write_json(const bench_output *out, bool complete, FILE *stream) {
  const bench_record *record = &out->record;
  json_writer json = record_begin("bench", stream);
  write_text(&json, "commit", record->commit);
  write_text(&json, "compiler", record->compiler);
  write_text(&json, "flags", record->flags);
  write_machine(record, &json);
  write_text(&json, "device", out->device);
  write_text(&json, "date", record->date);
  json_key(&json, "complete");
  json_boolean(&json, complete);
  json_key_array(&json, "rows");
  for (size_t i = 0; i < out->lines.count; i++) {
    const row_record row = row_at(out, i);
    columns_write_object(row_columns, 0, &row, &json);
  }
  json_end_array(&json);
  record_end(&json);
}

/* ---------------------------------------------------------------------------------------------- page */

typedef struct bench_run_record {
  const bench_output *out;
  bool complete;
} bench_run_record;

static void write_result(const void *outcome, FILE *stream) {
  const bench_run_record *run = outcome;
  bench_records_write_json(run->out, run->complete, stream);
}

bool bench_records_write_page(const bench_output *out, bool complete, FILE *stream) {
  const bench_run_record run = {out, complete};
  const page_heading heading = {
      .command = "bench", .title = "benchmark", .write_result = write_result, .outcome = &run};
  return page_file_write_frame(&heading, NULL, stream);
}
