/* The outcome of an analysis as JSON and CSV. Scripts read these formats, so they are stable. */
#include "analyze_outcome.h"
#include "csv_text.h"
#include "json_record.h"

#include <inttypes.h>

uint64_t mesh_measure_bound(const mesh_measure *measure, uint64_t factor) {
  const uint64_t of_one = (uint64_t)factor * measure->crowding.k;
  const uint64_t count = measure->crowding.primitive_count;
  return of_one != 0 && count > UINT64_MAX / of_one ? UINT64_MAX : of_one * count;
}

/* The numbers of a measure, for JSON and CSV: name, kind of number, value. */
#define MEASURE_LIST(X)                                                                                                \
  X(vertices, unsigned, measure->vertex_count)                                                                         \
  X(primitives, unsigned, measure->crowding.primitive_count)                                                           \
  X(k, unsigned, measure->crowding.k)                                                                                  \
  X(mean, double, measure->crowding.mean)                                                                              \
  X(deviation, double, measure->crowding.deviation)                                                                    \
  X(neighbor_mean, double, measure->crowding.neighbor_mean)                                                            \
  X(neighbor_deviation, double, measure->crowding.neighbor_deviation)                                                  \
  X(smallest, double, measure->crowding.smallest)                                                                      \
  X(largest, double, measure->crowding.largest)                                                                        \
  X(height, double, measure->crowding.height)                                                                          \
  X(levels, unsigned, measure->crowding.levels)                                                                        \
  X(within_bound, unsigned, measure->near_pairs)                                                                       \
  X(bound_factor, unsigned, measure->crowding.bound_factor)                                                            \
  X(bound, unsigned, mesh_measure_bound(measure, measure->crowding.bound_factor))                                      \
  X(paper_factor, unsigned, measure->crowding.paper_factor)                                                            \
  X(paper_bound, unsigned, mesh_measure_bound(measure, measure->crowding.paper_factor))

static void write_worst(const mesh_measure *measure, json_writer *json) {
  json_key(json, "worst");
  json_begin_array(json);
  for (size_t i = 0; i < measure->worst_count; ++i) {
    json_begin_array(json);
    json_unsigned(json, measure->worst[i].number);
    json_unsigned(json, measure->worst[i].k);
    json_unsigned(json, measure->worst[i].neighbors);
    json_end_array(json);
  }
  json_end_array(json);
}

static void write_measure(const mesh_measure *measure, json_writer *json) {
  json_break_line(json);
  json_begin_object(json);
  json_key(json, "file");
  json_string(json, measure->file);
  json_key(json, "kind");
  json_string(json, graze_kind_text(measure->crowding.kind, 2));
#define WRITE_JSON(name, kind, value)                                                                                  \
  json_key(json, #name);                                                                                               \
  json_##kind(json, value);
  MEASURE_LIST(WRITE_JSON)
#undef WRITE_JSON
  write_worst(measure, json);
  json_key(json, "skipped");
  json_unsigned(json, measure->skipped);
  json_key(json, "unknown_lines");
  json_unsigned(json, measure->unknown_lines);
  json_key(json, "timings_ms");
  json_begin_object(json);
  json_key(json, "reading");
  json_double(json, measure->reading_ms);
  json_key(json, "measuring");
  json_double(json, measure->measuring_ms);
  json_end_object(json);
  json_end_object(json);
}

static void write_skipped(const mesh_measure *measure, json_writer *json) {
  json_break_line(json);
  json_begin_object(json);
  json_key(json, "file");
  json_string(json, measure->file);
  json_key(json, "trouble");
  json_string(json, measure->trouble);
  json_end_object(json);
}

void analyze_outcome_write_json(const analyze_outcome *outcome, FILE *stream) {
  json_writer json = {.stream = stream};
  json_begin_record(&json, "analyze");
  json_break_line(&json);
  json_key(&json, "files");
  json_begin_array(&json);
  for (size_t i = 0; i < outcome->count; ++i)
    if (outcome->measures[i].trouble == NULL) write_measure(&outcome->measures[i], &json);
  json_end_array(&json);
  json_break_line(&json);
  json_key(&json, "skipped");
  json_begin_array(&json);
  for (size_t i = 0; i < outcome->count; ++i)
    if (outcome->measures[i].trouble != NULL) write_skipped(&outcome->measures[i], &json);
  json_end_array(&json);
  json_end_object(&json);
  fputc('\n', stream);
}

/* ---------------------------------------------------------------------------------------------- CSV */

static void csv_unsigned(FILE *stream, uint64_t number) {
  fprintf(stream, ",%" PRIu64, number);
}

static void csv_double(FILE *stream, double number) {
  fprintf(stream, ",%.17g", number);
}

void analyze_outcome_write_csv(const analyze_outcome *outcome, FILE *stream) {
#define WRITE_HEADER(name, kind, value) "," #name
  fputs("file,kind" MEASURE_LIST(WRITE_HEADER) "\n", stream);
#undef WRITE_HEADER
  for (size_t i = 0; i < outcome->count; ++i) {
    const mesh_measure *measure = &outcome->measures[i];
    if (measure->trouble != NULL) continue;
    csv_write_text(measure->file, stream);
    fprintf(stream, ",%s", graze_kind_text(measure->crowding.kind, 2));
#define WRITE_CSV(name, kind, value) csv_##kind(stream, value);
    MEASURE_LIST(WRITE_CSV)
#undef WRITE_CSV
    fputc('\n', stream);
  }
}
