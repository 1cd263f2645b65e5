/* Rows as CSV and as JSON. Both use the list of members made by `members_of`. */
#include "bench_records.h"

#include "json_record.h"
#include "page_file.h"

#include "graze/names.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum { MEMBERS_MAX = 64, TIME_DIGITS = 4, HASH_BYTES = 17 };

const char *const bench_record_identity[] = {"table", "scene",    "kind",    "primitives", "method",
                                             "test",  "question", "builder", "clusters",   "axis",
                                             "frame", "step",     "backend", "threads",    NULL};

const retired_member bench_record_retired[] = {
    {"dedup", "owner"}, {"cell_hash", "morton"}, {"assign", "covering"}, {NULL, NULL}};

typedef enum member_kind { MEMBER_TEXT, MEMBER_WHOLE, MEMBER_TIME, MEMBER_TIMES, MEMBER_BOOLEAN } member_kind;

typedef struct row_member {
  const char *name;
  member_kind kind;
  const char *text;
  uint64_t whole; /* or the boolean */
  double time;
  double times[BENCH_PASSES_MAX]; /* as many as `whole` */
} row_member;

typedef struct row_members {
  row_member members[MEMBERS_MAX];
  size_t count;
  char hash[HASH_BYTES];
} row_members;

static void add(row_members *row, row_member member) {
  assert(row->count < MEMBERS_MAX);
  row->members[row->count++] = member;
}

static void add_text(row_members *row, const char *name, const char *text) {
  add(row, (row_member){.name = name, .kind = MEMBER_TEXT, .text = text});
}
static void add_whole(row_members *row, const char *name, uint64_t whole) {
  add(row, (row_member){.name = name, .kind = MEMBER_WHOLE, .whole = whole});
}
static void add_time(row_members *row, const char *name, double time) {
  add(row, (row_member){.name = name, .kind = MEMBER_TIME, .time = time});
}

/* One measure of all passes. */
static void add_passes(row_members *row, const char *name, const bench_line *line, size_t offset) {
  row_member member = {.name = name, .kind = MEMBER_TIMES, .whole = line->pass_count};
  for (size_t i = 0; i < line->pass_count; ++i)
    memcpy(&member.times[i], (const char *)&line->passes[i] + offset, sizeof member.times[i]);
  add(row, member);
}

static void add_identity(row_members *row, const bench_line *line) {
  const bench_call *call = &line->call;
  add_text(row, "table", line->table);
  add_text(row, "scene", line->scene);
  add_text(row, "kind", bench_kind_name(call->kind));
  add_whole(row, "primitives", line->primitives);
  add_text(row, "method", bench_call_method(call));
  add_text(row, "test", graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)call->test));
  add_text(row, "question", bench_question_name(call->question));
  add_text(row, "builder", graze_enumeration_name(GRAZE_ENUMERATION_TREE_BUILDER, (int)call->tree_builder));
  add_whole(row, "clusters", call->clusters);
  add_text(row, "axis", graze_enumeration_name(GRAZE_ENUMERATION_AXIS, (int)call->axis));
  add_text(row, "frame", bench_frame_name(call->frame));
  add_whole(row, "step", line->step);
  add_text(row, "backend", bench_backend_has_devices(&call->backend) ? call->backend.name : "cpu");
  add_whole(row, "threads", call->threads);
}

static void add_times(row_members *row, const bench_line *line) {
#define ADD_STAGE(name, words) add_time(row, #name "_ms", line->median.stages.name##_ms);
  GRAZE_STAGE_LIST(ADD_STAGE)
#undef ADD_STAGE
  add_time(row, "asked_ms", line->median.asked_ms);
  add_time(row, "total_ms", line->median.total_ms);
  add_time(row, "least_ms", line->least_ms);
  add_time(row, "lower_quartile_ms", line->lower_ms);
  add_time(row, "upper_quartile_ms", line->upper_ms);
  add_time(row, "processor_ms", line->median.processor_ms);
  add_time(row, "least_processor_ms", line->least_processor_ms);
  add_time(row, "yardstick_ms", line->median.yardstick_ms);
  add_passes(row, "pass_total_ms", line, offsetof(bench_pass, total_ms));
  add_passes(row, "pass_processor_ms", line, offsetof(bench_pass, processor_ms));
  add_passes(row, "pass_yardstick_ms", line, offsetof(bench_pass, yardstick_ms));
  add_whole(row, "doubted_passes", line->doubted_passes);
}

static void add_counts(row_members *row, const bench_line *line) {
  const graze_counters *counters = &line->median.counters;
  add_whole(row, "box_tests", counters->box_tests);
  add_whole(row, "clusters_made", counters->clusters);
  add_whole(row, "members", counters->members);
  add_whole(row, "members_1", counters->members_1);
  add_whole(row, "members_2", counters->members_2);
  add_whole(row, "members_3", counters->members_3);
  add_whole(row, "members_4", counters->members_4);
  add_whole(row, "candidates", counters->candidates);
  add_whole(row, "duplicates", counters->duplicates);
  add_whole(row, "pairs", line->median.pairs);
  snprintf(row->hash, sizeof row->hash, "%016" PRIx64, line->median.hash);
  add_text(row, "hash", row->hash);
  add_whole(row, "updated_bytes", line->median.updated_bytes);
  add_whole(row, "peak_bytes", line->median.peak_bytes);
  add_whole(row, "device_bytes", counters->device_bytes);
  add_time(row, "bytes_each", line->bytes_each);
}

static void members_of(const bench_output *out, const bench_line *line, row_members *row_out) {
  row_out->count = 0;
  add_identity(row_out, line);
  add_text(row_out, "device", bench_backend_has_devices(&line->call.backend) ? out->device : "");
  add_times(row_out, line);
  add_counts(row_out, line);
  add_whole(row_out, "rounds", line->round_count);
  add(row_out, (row_member){.name = "steady", .kind = MEMBER_BOOLEAN, .whole = line->steady});
}

/* ---------------------------------------------------------------------------------------------- CSV */

static void write_csv_value(const row_member *member, FILE *stream) {
  switch (member->kind) {
  case MEMBER_TEXT:
    fputs(member->text, stream);
    break;
  case MEMBER_WHOLE:
    write_digits(stream, member->whole);
    break;
  case MEMBER_TIME:
    fprintf(stream, "%.*f", TIME_DIGITS, member->time);
    break;
  case MEMBER_TIMES:
    for (size_t i = 0; i < member->whole; ++i)
      fprintf(stream, "%s%.*f", i > 0 ? " " : "", TIME_DIGITS, member->times[i]);
    break;
  case MEMBER_BOOLEAN:
    fputs(member->whole != 0 ? "yes" : "no", stream);
    break;
  }
}

void bench_records_write_csv(const bench_output *out, FILE *stream) {
  row_members row;
  members_of(out, &(bench_line){.table = "", .scene = "", .call = {.method = ""}}, &row);
  for (size_t i = 0; i < row.count; ++i) fprintf(stream, "%s,", row.members[i].name);
  fputs("commit,machine,date\n", stream);
  for (size_t i = 0; i < out->lines.count; ++i) {
    members_of(out, &out->lines.lines[i], &row);
    for (size_t j = 0; j < row.count; ++j) {
      write_csv_value(&row.members[j], stream);
      fputc(',', stream);
    }
    fprintf(stream, "%s,%s,%s\n", out->record.commit, out->record.machine, out->record.date);
  }
}

/* ---------------------------------------------------------------------------------------------- JSON */

static void write_json_value(const row_member *member, json_writer *json) {
  json_key(json, member->name);
  switch (member->kind) {
  case MEMBER_TEXT:
    json_string(json, member->text);
    break;
  case MEMBER_WHOLE:
    json_unsigned(json, member->whole);
    break;
  case MEMBER_TIME:
    json_decimal(json, member->time, TIME_DIGITS);
    break;
  case MEMBER_TIMES:
    json_begin_array(json);
    for (size_t i = 0; i < member->whole; ++i) json_decimal(json, member->times[i], TIME_DIGITS);
    json_end_array(json);
    break;
  case MEMBER_BOOLEAN:
    json_boolean(json, member->whole != 0);
    break;
  }
}

static void write_text(json_writer *json, const char *name, const char *text) {
  json_key(json, name);
  json_string(json, text);
}

static void write_machine(const bench_record *record, json_writer *json) {
  json_key(json, "machine");
  json_begin_object(json);
  write_text(json, "architecture", record->architecture);
  write_text(json, "processor", record->processor);
  json_key(json, "processors");
  json_unsigned(json, record->processors > 0 ? (uint64_t)record->processors : 0);
  json_key(json, "memory_bytes");
  json_unsigned(json, record->memory_bytes);
  write_text(json, "system", record->system);
  json_end_object(json);
}

static void write_rows(const bench_output *out, json_writer *json) {
  json_key(json, "rows");
  json_begin_array(json);
  for (size_t i = 0; i < out->lines.count; ++i) {
    row_members row;
    members_of(out, &out->lines.lines[i], &row);
    json_break_line(json);
    json_begin_object(json);
    for (size_t j = 0; j < row.count; ++j) write_json_value(&row.members[j], json);
    json_end_object(json);
  }
  json_end_array(json);
}

void bench_records_write_json(const bench_output *out, bool complete, FILE *stream) {
  const bench_record *record = &out->record;
  json_writer json = {.stream = stream};
  json_begin_record(&json, "bench");
  write_text(&json, "commit", record->commit);
  write_text(&json, "compiler", record->compiler);
  write_text(&json, "flags", record->flags);
  write_machine(record, &json);
  write_text(&json, "device", out->device);
  write_text(&json, "date", record->date);
  json_key(&json, "complete");
  json_boolean(&json, complete);
  write_rows(out, &json);
  json_end_object(&json);
  fputc('\n', stream);
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
