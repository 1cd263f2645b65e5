/* Distances as JSON and as CSV. Scripts read these formats, so they are stable. */
#include "distance_outcome.h"
#include "record_columns.h"

#include <stdlib.h>

enum { FRAMES = COLUMN_OTHER };

/* ------------------------------------------------------------------------------------------------ columns */

COLUMN_FINDER(find_name, const char *, object_entry, row->path != NULL ? row->file : row->name)

static const record_column object_columns[] = {COLUMN_FOUND("name", COLUMN_TEXT, find_name),
                                               COLUMN_FOUND("file", COLUMN_TEXT, object_entry_find_file),
                                               COLUMN_FOUND("kind", COLUMN_TEXT, object_entry_find_kind),
                                               COLUMN("primitives", object_entry, primitive_count),
                                               COLUMN("skipped", object_entry, skipped),
                                               {0}};

/* A distance in a frame. */
typedef struct distance_record {
  size_t frame; /* from 1 */
  graze_nearest nearest;
  char *name_a, *name_b; /* only for CSV */
} distance_record;

COLUMN_FINDER(find_certified, uint32_t, distance_record, row->nearest.distance >= 0.0)

/* JSON has objects for both sides. */
static const record_column distance_columns[] = {
    COLUMN_IN(FRAMES, "frame", distance_record, frame),
    COLUMN_IN(COLUMN_JSON, "object", distance_record, nearest.object),
    COLUMN("distance", distance_record, nearest.distance),
    COLUMN("lower", distance_record, nearest.lower),
    COLUMN("upper", distance_record, nearest.upper),
    COLUMN_FOUND_IN(COLUMN_JSON, "certified", COLUMN_FLAG32, find_certified),
    COLUMN_IN(COLUMN_CSV, "object_a", distance_record, nearest.pair.object_a),
    COLUMN_IN(COLUMN_CSV, "name_a", distance_record, name_a),
    COLUMN_IN(COLUMN_CSV, "primitive_a", distance_record, nearest.pair.primitive_a),
    COLUMN_IN(COLUMN_CSV, "x_a", distance_record, nearest.point_a[0]),
    COLUMN_IN(COLUMN_CSV, "y_a", distance_record, nearest.point_a[1]),
    COLUMN_IN(COLUMN_CSV, "z_a", distance_record, nearest.point_a[2]),
    COLUMN_IN(COLUMN_CSV, "object_b", distance_record, nearest.pair.object_b),
    COLUMN_IN(COLUMN_CSV, "name_b", distance_record, name_b),
    COLUMN_IN(COLUMN_CSV, "primitive_b", distance_record, nearest.pair.primitive_b),
    COLUMN_IN(COLUMN_CSV, "x_b", distance_record, nearest.point_b[0]),
    COLUMN_IN(COLUMN_CSV, "y_b", distance_record, nearest.point_b[1]),
    COLUMN_IN(COLUMN_CSV, "z_b", distance_record, nearest.point_b[2]),
    COLUMN("normal", distance_record, nearest.normal),
    COLUMN_FOUND_IN(COLUMN_CSV, "certified", COLUMN_U32, find_certified),
    {0}};

/* An object inside another in a frame. */
typedef struct inside_record {
  size_t frame;
  graze_containment inside;
} inside_record;

COLUMN_FINDER(find_entirely, bool, inside_record, row->inside.inside_count == row->inside.primitive_count)

static const record_column inside_columns[] = {COLUMN_IN(FRAMES, "frame", inside_record, frame),
                                               COLUMN("inner", inside_record, inside.inner),
                                               COLUMN("outer", inside_record, inside.outer),
                                               COLUMN_FOUND("entirely", COLUMN_BOOL, find_entirely),
                                               {0}};

/* ------------------------------------------------------------------------------------------------ JSON */

static void write_side(const char *key, uint32_t object, uint32_t primitive, const double point[3],
                       const graze_feature *feature, json_writer *json) {
  json_key_object(json, key);
  json_key(json, "object");
  json_unsigned(json, object);
  json_key(json, "primitive");
  json_unsigned(json, primitive);
  json_key(json, "point");
  json_doubles(json, point, 3);
  json_key(json, "feature");
  json_string(json, distance_feature_text(feature));
  json_key_array(json, "vertices");
  for (uint32_t i = 0; i < feature->vertex_count; i++) json_unsigned(json, feature->vertices[i]);
  json_end_array(json);
  json_end_object(json);
}

static void write_distance(const graze_nearest *nearest, size_t frame, unsigned wanted, json_writer *json) {
  const distance_record row = {.frame = frame, .nearest = *nearest};
  const graze_pair *pair = &nearest->pair;
  json_break_line(json);
  json_begin_object(json);
  columns_write_members(distance_columns, wanted, &row, json);
  write_side("a", pair->object_a, pair->primitive_a, nearest->point_a, &nearest->feature_a, json);
  write_side("b", pair->object_b, pair->primitive_b, nearest->point_b, &nearest->feature_b, json);
  json_end_object(json);
}

static void write_frames(const distance_outcome *outcome, json_writer *json) {
  const unsigned wanted = outcome->has_frames ? FRAMES : 0;
  json_key_array(json, "distances");
  for (size_t frame = 0; frame < outcome->frame_count; frame++)
    for (size_t i = outcome->frames[frame].first_row; i < outcome->frames[frame + 1].first_row; i++)
      write_distance(&outcome->rows[i], frame + 1, wanted, json);
  json_end_array(json);
  json_key_array(json, "containments");
  for (size_t frame = 0; frame < outcome->frame_count; frame++)
    for (size_t i = outcome->frames[frame].first_inside; i < outcome->frames[frame + 1].first_inside; i++) {
      const inside_record row = {frame + 1, outcome->insides[i]};
      columns_write_object(inside_columns, wanted, &row, json);
    }
  json_end_array(json);
}

void distance_outcome_write_json(const distance_outcome *outcome, FILE *stream) {
  json_writer json = record_begin("distance", stream);
  if (outcome->options->units != NULL) {
    json_key(&json, "units");
    json_string(&json, outcome->options->units);
  }
  json_key_array(&json, "objects");
  for (size_t i = 0; i < outcome->objects->count; i++)
    columns_write_object(object_columns, 0, &outcome->objects->entries[i], &json);
  json_end_array(&json);
  if (outcome->has_frames) {
    json_key(&json, "frame_count");
    json_unsigned(&json, outcome->frame_count);
  }
  write_frames(outcome, &json);
  json_key_object(&json, "timings_ms");
  json_key(&json, "reading");
  json_decimal(&json, outcome->reading_ms, 3);
  json_key(&json, "searching");
  json_decimal(&json, outcome->search_ms, 3);
  json_end_object(&json);
  record_end(&json);
}

/* ------------------------------------------------------------------------------------------------ CSV */

/* With b first. */
static graze_nearest turned(const graze_nearest *nearest) {
  graze_nearest other = *nearest;
  other.pair = (graze_pair){nearest->pair.object_b, nearest->pair.primitive_b, nearest->pair.object_a,
                            nearest->pair.primitive_a};
  for (int axis = 0; axis < 3; axis++) {
    other.point_a[axis] = nearest->point_b[axis];
    other.point_b[axis] = nearest->point_a[axis];
    other.normal[axis] = -nearest->normal[axis];
  }
  return other;
}

/* With --each, the object of the row is the first. */
static void write_line(const distance_outcome *outcome, const graze_nearest *nearest, size_t frame, FILE *stream) {
  const bool is_turned = outcome->options->each && nearest->object != nearest->pair.object_a;
  distance_record row = {.frame = frame, .nearest = is_turned ? turned(nearest) : *nearest};
  for (int axis = 0; axis < 3; axis++) row.nearest.normal[axis] += 0.0; /* removes -0 */
  row.name_a = object_list_label(outcome->objects, row.nearest.pair.object_a);
  row.name_b = object_list_label(outcome->objects, row.nearest.pair.object_b);
  columns_write_cells(distance_columns, outcome->has_frames ? FRAMES : 0, FRAMES, &row, stream);
  fputc('\n', stream);
  free(row.name_a);
  free(row.name_b);
}

void distance_outcome_write_csv(const distance_outcome *outcome, FILE *stream) {
  columns_write_header(distance_columns, outcome->has_frames ? FRAMES : 0, stream);
  fputc('\n', stream);
  for (size_t frame = 0; frame < outcome->frame_count; frame++)
    for (size_t i = outcome->frames[frame].first_row; i < outcome->frames[frame + 1].first_row; i++)
      write_line(outcome, &outcome->rows[i], frame + 1, stream);
}
