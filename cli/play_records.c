/* A run as CSV with a line per frame, or per frame and method, and as JSON. Scripts read these formats, so they are
 * stable.
 *
 * On a device, the first eight columns are those of the benchmark files of the thesis on tetrahedra, in the same
 * order. */
#include "play_outcome.h"
#include "record_columns.h"

#include "graze/names.h"

/* Only devices have a separate time. */
enum { DEVICE = COLUMN_OTHER };

/* All stages that the library measured on the device. */
static bool find_all_stages(const void *row, void *value_out) {
  const graze_timings *timings = &((const frame_record *)row)->timings;
  double sum = 0;
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++) sum += graze_timings_value(timings, i);
  *(double *)value_out = sum;
  return true;
}

/* From boxes to the sorted list. */
COLUMN_FINDER(find_collision_stages, double, frame_record,
              row->timings.build_ms + row->timings.search_ms + row->timings.test_ms + row->timings.order_ms)

#define STAGE_COLUMN(name, words) COLUMN_AS(0, #name "_ms", COLUMN_SHORT, frame_record, timings.name##_ms),

static const record_column csv_columns[] = {COLUMN("frame", frame_record, frame),
                                            COLUMN_AS(0, "host_time_ms", COLUMN_SHORT, frame_record, query_ms),
                                            COLUMN_FOUND_IN(DEVICE, "device_time_ms", COLUMN_SHORT, find_all_stages),
                                            COLUMN_AS(0, "bbox_time_ms", COLUMN_SHORT, frame_record, timings.bounds_ms),
                                            COLUMN_FOUND("collision_time_ms", COLUMN_SHORT, find_collision_stages),
                                            COLUMN("colliding_a_to_b", frame_record, meets_later),
                                            COLUMN("colliding_b_to_a", frame_record, meets_earlier),
                                            COLUMN("pairs", frame_record, pair_count),
                                            COLUMN("pairs_within", frame_record, within),
                                            COLUMN("pairs_between", frame_record, between),
                                            COLUMN("colliding", frame_record, colliding),
                                            COLUMN("candidates", frame_record, counters.candidates),
                                            COLUMN("objects", frame_record, object_count),
                                            COLUMN("primitives", frame_record, primitive_count),
                                            COLUMN("vertices", frame_record, vertex_count),
                                            COLUMN_AS(0, "reading_ms", COLUMN_SHORT, frame_record, reading_ms),
                                            GRAZE_STAGE_LIST(STAGE_COLUMN)
                                                COLUMN_AS(0, "hash", COLUMN_HASH, frame_record, hash),
                                            COLUMN("file", frame_record, name),
                                            COLUMN("method", frame_record, method),
                                            {0}};

void play_write_csv_heading(const play_options *options, FILE *stream) {
  columns_write_header(csv_columns, backend_has_devices(&options->search.scene) ? DEVICE : 0, stream);
  fputc('\n', stream);
}

void play_write_csv_line(const play_options *options, const frame_record *record, FILE *stream) {
  columns_write_cells(csv_columns, backend_has_devices(&options->search.scene) ? DEVICE : 0, DEVICE, record, stream);
  fputc('\n', stream);
}

static const record_column frame_columns[] = {COLUMN("frame", frame_record, frame),
                                              COLUMN("file", frame_record, name),
                                              COLUMN("objects", frame_record, object_count),
                                              COLUMN("primitives", frame_record, primitive_count),
                                              COLUMN("vertices", frame_record, vertex_count),
                                              COLUMN("skipped", frame_record, skipped_count),
                                              COLUMN("pair_count", frame_record, pair_count),
                                              COLUMN("within", frame_record, within),
                                              COLUMN("between", frame_record, between),
                                              COLUMN("colliding", frame_record, colliding),
                                              COLUMN("colliding_a_to_b", frame_record, meets_later),
                                              COLUMN("colliding_b_to_a", frame_record, meets_earlier),
                                              COLUMN_AS(0, "hash", COLUMN_HASH, frame_record, hash),
                                              {0}};

static const record_column method_columns[] = {COLUMN("method", method_run, method.name),
                                               COLUMN("frames", method_run, frame_count),
                                               COLUMN("left_out", method_run, left_out),
                                               COLUMN("total_ms", method_run, total_ms),
                                               COLUMN("slowest_ms", method_run, slowest_ms),
                                               COLUMN_AS(0, "hash", COLUMN_HASH, method_run, hash),
                                               {0}};

static const record_column meeting_columns[] = {
    COLUMN("object_a", play_meeting, object_a),       COLUMN("name_a", play_meeting, name_a),
    COLUMN("object_b", play_meeting, object_b),       COLUMN("name_b", play_meeting, name_b),
    COLUMN("first_frame", play_meeting, first_frame), COLUMN("frames", play_meeting, frame_count),
    COLUMN("pairs", play_meeting, pair_count),        {0}};

static const record_column gap_columns[] = {
    COLUMN("before", frame_gap, before), COLUMN("after", frame_gap, after), COLUMN("missing", frame_gap, count), {0}};

static void write_number(json_writer *json, const char *key, uint64_t number) {
  json_key(json, key);
  json_unsigned(json, number);
}

static void write_timings(json_writer *json, const graze_timings *timings, double query_ms, double reading_ms) {
  record_begin_timings(timings, json);
  json_key(json, "frame");
  json_double(json, query_ms);
  json_key(json, "reading");
  json_double(json, reading_ms);
  json_end_object(json);
}

static void write_frame(json_writer *json, const frame_record *record) {
  json_break_line(json);
  json_begin_object(json);
  columns_write_members(frame_columns, 0, record, json);
  write_timings(json, &record->timings, record->query_ms, record->reading_ms);
  record_write_counters(&record->counters, json);
  json_end_object(json);
}

static void write_totals(json_writer *json, const play_run *run) {
  const play_totals totals = play_run_totals(run);
  json_key_object(json, "totals");
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
  json_key_array(json, "methods");
  for (size_t i = 0; i < run->method_count; i++) columns_write_object(method_columns, 0, &run->methods[i], json);
  json_end_array(json);
}

static void write_troubles(json_writer *json, const play_run *run) {
  json_key_array(json, "gaps");
  for (size_t i = 0; i < run->gap_count; i++) {
    json_begin_object(json);
    columns_write_members(gap_columns, 0, &run->gaps[i], json);
    json_end_object(json);
  }
  json_end_array(json);
  json_key_array(json, "unplayed");
  for (size_t i = 0; i < run->unplayed_count; i++) json_unsigned(json, run->unplayed[i]);
  json_end_array(json);
  json_key(json, "interrupted");
  json_boolean(json, run->interrupted);
}

void play_write_json(const play_run *run, FILE *stream) {
  json_writer json = record_begin("play", stream);
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
  json_key(&json, "hash");
  json_hash(&json, run->method_count == 0 ? 0 : play_run_hash(run));
  json_break_line(&json);
  json_key_array(&json, "frames");
  for (size_t i = 0; i < run->count; i++) write_frame(&json, &run->records[i]);
  json_end_array(&json);
  json_break_line(&json);
  write_totals(&json, run);
  json_break_line(&json);
  json_key_array(&json, "meetings");
  for (size_t i = 0; i < run->meetings.count; i++)
    columns_write_object(meeting_columns, 0, &run->meetings.rows[i], &json);
  json_end_array(&json);
  if (run->options->compare_methods) {
    json_break_line(&json);
    write_comparison(&json, run);
  }
  json_break_line(&json);
  write_troubles(&json, run);
  record_end(&json);
}
