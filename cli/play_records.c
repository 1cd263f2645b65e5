/* A run as CSV with a line per frame, or per frame and method, and as JSON. Scripts read these formats, so they are
 * stable.
 *
 * On a device, the first eight columns are those of the benchmark files of the thesis on tetrahedra, in the same
 * order. */
#include "csv_text.h"
#include "json_record.h"
#include "play_outcome.h"

#include "graze/names.h"

#include <inttypes.h>

/* All stages that the library measured on the device. */
static double all_stages(const graze_timings *timings) {
  double sum = 0;
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); ++i) sum += graze_timings_value(timings, i);
  return sum;
}

/* From boxes to the sorted list. */
static double collision_stages(const graze_timings *timings) {
  return timings->build_ms + timings->search_ms + timings->test_ms + timings->order_ms;
}

/* Only devices have a separate time. */
void play_write_csv_heading(const play_options *options, FILE *stream) {
  fputs("frame,host_time_ms", stream);
  if (backend_has_devices(&options->search.scene)) fputs(",device_time_ms", stream);
  fputs(",bbox_time_ms,collision_time_ms,colliding_a_to_b,colliding_b_to_a,pairs,pairs_within,pairs_between,colliding,"
        "candidates,objects,primitives,vertices,reading_ms",
        stream);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); ++i)
    fprintf(stream, ",%s_ms", graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i));
  fputs(",hash,file,method\n", stream);
}

void play_write_csv_line(const play_options *options, const frame_record *record, FILE *stream) {
  const graze_timings *timings = &record->timings;
  fprintf(stream, "%zu,%.6g", record->frame, record->query_ms);
  if (backend_has_devices(&options->search.scene)) fprintf(stream, ",%.6g", all_stages(timings));
  fprintf(stream, ",%.6g,%.6g,%" PRIu64 ",%" PRIu64 ",%" PRIu64, timings->bounds_ms, collision_stages(timings),
          record->meets_later, record->meets_earlier, record->pair_count);
  fprintf(stream, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%zu,%" PRIu64 ",%" PRIu64 ",%.6g", record->within,
          record->between, record->colliding, record->counters.candidates, record->object_count,
          record->primitive_count, record->vertex_count, record->reading_ms);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); ++i)
    fprintf(stream, ",%.6g", graze_timings_value(timings, i));
  fprintf(stream, ",%016" PRIx64 ",", record->hash);
  if (record->name != NULL) csv_write_text(record->name, stream);
  fputc(',', stream);
  csv_write_text(record->method, stream);
  fputc('\n', stream);
}

static void write_hash(json_writer *json, const char *key, uint64_t hash) {
  char text[24];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  json_key(json, key);
  json_string(json, text);
}

static void write_number(json_writer *json, const char *key, uint64_t number) {
  json_key(json, key);
  json_unsigned(json, number);
}

static void write_double(json_writer *json, const char *key, double number) {
  json_key(json, key);
  json_double(json, number);
}

static void write_timings(json_writer *json, const graze_timings *timings, double query_ms, double reading_ms) {
  json_key(json, "timings_ms");
  json_begin_object(json);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); ++i) {
    write_double(json, graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i), graze_timings_value(timings, i));
  }
  write_double(json, "frame", query_ms);
  write_double(json, "reading", reading_ms);
  json_end_object(json);
}

static void write_frame(json_writer *json, const frame_record *record) {
  json_break_line(json);
  json_begin_object(json);
  write_number(json, "frame", record->frame);
  if (record->name != NULL) {
    json_key(json, "file");
    json_string(json, record->name);
  }
  write_number(json, "objects", record->object_count);
  write_number(json, "primitives", record->primitive_count);
  write_number(json, "vertices", record->vertex_count);
  write_number(json, "skipped", record->skipped_count);
  write_number(json, "pair_count", record->pair_count);
  write_number(json, "within", record->within);
  write_number(json, "between", record->between);
  write_number(json, "colliding", record->colliding);
  write_number(json, "colliding_a_to_b", record->meets_later);
  write_number(json, "colliding_b_to_a", record->meets_earlier);
  write_hash(json, "hash", record->hash);
  write_timings(json, &record->timings, record->query_ms, record->reading_ms);
  json_key(json, "counters");
  json_begin_object(json);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_COUNTER); ++i) {
    write_number(json, graze_enumeration_name(GRAZE_ENUMERATION_COUNTER, (int)i),
                 graze_counters_value(&record->counters, i));
  }
  json_end_object(json);
  json_end_object(json);
}

static void write_totals(json_writer *json, const play_run *run) {
  const play_totals totals = play_run_totals(run);
  json_key(json, "totals");
  json_begin_object(json);
  write_number(json, "frames", run->count);
  write_number(json, "frames_with_pairs", totals.frames_with_pairs);
  write_number(json, "pairs", totals.pairs);
  write_number(json, "candidates", totals.candidates);
  if (totals.slowest != NULL) write_number(json, "slowest_frame", totals.slowest->frame);
  write_timings(json, &totals.timings, totals.query_ms, totals.reading_ms);
  json_end_object(json);
}

static void write_comparison(json_writer *json, const play_run *run) {
  json_key(json, "methods_agree");
  json_boolean(json, run->disagreements == 0);
  json_key(json, "methods");
  json_begin_array(json);
  for (size_t i = 0; i < run->method_count; ++i) {
    const method_run *method = &run->methods[i];
    json_break_line(json);
    json_begin_object(json);
    json_key(json, "method");
    json_string(json, method->method.name);
    write_number(json, "frames", method->frame_count);
    write_number(json, "left_out", method->left_out);
    write_double(json, "total_ms", method->total_ms);
    write_double(json, "slowest_ms", method->slowest_ms);
    write_hash(json, "hash", method->hash);
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_meetings(json_writer *json, const play_run *run) {
  json_key(json, "meetings");
  json_begin_array(json);
  for (size_t i = 0; i < run->meetings.count; ++i) {
    const play_meeting *row = &run->meetings.rows[i];
    json_break_line(json);
    json_begin_object(json);
    write_number(json, "object_a", row->object_a);
    json_key(json, "name_a");
    json_string(json, row->name_a);
    write_number(json, "object_b", row->object_b);
    json_key(json, "name_b");
    json_string(json, row->name_b);
    write_number(json, "first_frame", row->first_frame);
    write_number(json, "frames", row->frame_count);
    write_number(json, "pairs", row->pair_count);
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_troubles(json_writer *json, const play_run *run) {
  json_key(json, "gaps");
  json_begin_array(json);
  for (size_t i = 0; i < run->gap_count; ++i) {
    json_begin_object(json);
    json_key(json, "before");
    json_string(json, run->gaps[i].before);
    json_key(json, "after");
    json_string(json, run->gaps[i].after);
    write_number(json, "missing", run->gaps[i].count);
    json_end_object(json);
  }
  json_end_array(json);
  json_key(json, "unplayed");
  json_begin_array(json);
  for (size_t i = 0; i < run->unplayed_count; ++i) json_unsigned(json, run->unplayed[i]);
  json_end_array(json);
  json_key(json, "interrupted");
  json_boolean(json, run->interrupted);
}

void play_write_json(const play_run *run, FILE *stream) {
  json_writer json = {.stream = stream};
  json_begin_record(&json, "play");
  if (run->options->scene != NULL) {
    json_key(&json, "scene");
    json_string(&json, run->options->scene->name);
    write_number(&json, "seed", run->options->parameters.seed);
  }
  json_key(&json, "method");
  json_string(&json, run->options->search.method.name);
  json_key(&json, "backend");
  json_string(&json, run->options->search.scene.backend);
  write_number(&json, "frame_count", run->source.count);
  write_hash(&json, "hash", run->method_count == 0 ? 0 : play_run_hash(run));
  json_break_line(&json);
  json_key(&json, "frames");
  json_begin_array(&json);
  for (size_t i = 0; i < run->count; ++i) write_frame(&json, &run->records[i]);
  json_end_array(&json);
  json_break_line(&json);
  write_totals(&json, run);
  json_break_line(&json);
  write_meetings(&json, run);
  if (run->options->compare_methods) {
    json_break_line(&json);
    write_comparison(&json, run);
  }
  json_break_line(&json);
  write_troubles(&json, run);
  json_end_object(&json);
  fputc('\n', stream);
}
