/* The outcome of an analysis as JSON and CSV. Scripts read these formats, so they are stable. */
#include "analyze_outcome.h"
#include "record_columns.h"

uint64_t mesh_measure_paper_factor(const mesh_measure *measure) {
  static const uint8_t factors[] = {[GRAZE_KIND_TRIANGLE] = 3,
                                    [GRAZE_KIND_POLYGON] = 7,
                                    [GRAZE_KIND_TETRAHEDRON] = 4,
                                    [GRAZE_KIND_POLYHEDRON] = 21,
                                    [GRAZE_KIND_SPHERE] = 21};
  return (size_t)measure->crowding.kind < sizeof factors ? factors[measure->crowding.kind] : 0;
}

uint64_t mesh_measure_bound(const mesh_measure *measure, uint64_t factor) {
  const uint64_t of_one = (uint64_t)factor * measure->crowding.k;
  const uint64_t count = measure->crowding.primitive_count;
  return of_one != 0 && count > UINT64_MAX / of_one ? UINT64_MAX : of_one * count;
}

COLUMN_FINDER(find_kind, const char *, mesh_measure, graze_kind_text(row->crowding.kind, 2))
COLUMN_FINDER(find_bound, uint64_t, mesh_measure, mesh_measure_bound(row, row->crowding.bound_factor))
COLUMN_FINDER(find_paper_factor, uint64_t, mesh_measure, mesh_measure_paper_factor(row))
COLUMN_FINDER(find_paper_bound, uint64_t, mesh_measure, mesh_measure_bound(row, mesh_measure_paper_factor(row)))

static const record_column measure_columns[] = {COLUMN("file", mesh_measure, file),
                                                COLUMN_FOUND("kind", COLUMN_TEXT, find_kind),
                                                COLUMN("vertices", mesh_measure, vertex_count),
                                                COLUMN("primitives", mesh_measure, crowding.primitive_count),
                                                COLUMN("k", mesh_measure, crowding.k),
                                                COLUMN("mean", mesh_measure, crowding.mean),
                                                COLUMN("deviation", mesh_measure, crowding.deviation),
                                                COLUMN("neighbor_mean", mesh_measure, crowding.neighbor_mean),
                                                COLUMN("neighbor_deviation", mesh_measure, crowding.neighbor_deviation),
                                                COLUMN("smallest", mesh_measure, crowding.smallest),
                                                COLUMN("largest", mesh_measure, crowding.largest),
                                                COLUMN("height", mesh_measure, crowding.height),
                                                COLUMN("levels", mesh_measure, crowding.levels),
                                                COLUMN("within_bound", mesh_measure, near_pairs),
                                                COLUMN("bound_factor", mesh_measure, crowding.bound_factor),
                                                COLUMN_FOUND("bound", COLUMN_U64, find_bound),
                                                COLUMN_FOUND("paper_factor", COLUMN_U64, find_paper_factor),
                                                COLUMN_FOUND("paper_bound", COLUMN_U64, find_paper_bound),
                                                {0}};

static const record_column reading_columns[] = {
    COLUMN("skipped", mesh_measure, skipped), COLUMN("unknown_lines", mesh_measure, unknown_lines), {0}};

static const record_column time_columns[] = {
    COLUMN("reading", mesh_measure, reading_ms), COLUMN("measuring", mesh_measure, measuring_ms), {0}};

static const record_column trouble_columns[] = {
    COLUMN("file", mesh_measure, file), COLUMN("trouble", mesh_measure, trouble), {0}};

static void write_worst(const mesh_measure *measure, json_writer *json) {
  json_key_array(json, "worst");
  for (size_t i = 0; i < measure->worst_count; i++) {
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
  columns_write_members(measure_columns, 0, measure, json);
  write_worst(measure, json);
  columns_write_members(reading_columns, 0, measure, json);
  json_key_object(json, "timings_ms");
  columns_write_members(time_columns, 0, measure, json);
  json_end_object(json);
  json_end_object(json);
}

void analyze_outcome_write_json(const analyze_outcome *outcome, FILE *stream) {
  json_writer json = record_begin("analyze", stream);
  json_break_line(&json);
  json_key_array(&json, "files");
  for (size_t i = 0; i < outcome->count; i++)
    if (outcome->measures[i].trouble == NULL) write_measure(&outcome->measures[i], &json);
  json_end_array(&json);
  json_break_line(&json);
  json_key_array(&json, "skipped");
  for (size_t i = 0; i < outcome->count; i++)
    if (outcome->measures[i].trouble != NULL) columns_write_object(trouble_columns, 0, &outcome->measures[i], &json);
  json_end_array(&json);
  record_end(&json);
}

void analyze_outcome_write_csv(const analyze_outcome *outcome, FILE *stream) {
  columns_write_header(measure_columns, 0, stream);
  fputc('\n', stream);
  for (size_t i = 0; i < outcome->count; i++) {
    if (outcome->measures[i].trouble != NULL) continue;
    columns_write_cells(measure_columns, 0, 0, &outcome->measures[i], stream);
    fputc('\n', stream);
  }
}
