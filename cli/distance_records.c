/* Distances as JSON and as CSV. Scripts read these formats, so they are stable. */
#include "csv_text.h"
#include "distance_outcome.h"
#include "json_record.h"

#include <inttypes.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------ JSON */

static void write_numbers(const double *numbers, json_writer *json) {
  json_begin_array(json);
  for (int i = 0; i < 3; ++i) json_double(json, numbers[i]);
  json_end_array(json);
}

static void write_json_side(uint32_t object, uint32_t primitive, const double point[3],
                            const graze_nearest_feature *feature, json_writer *json) {
  json_begin_object(json);
  json_key(json, "object");
  json_unsigned(json, object);
  json_key(json, "primitive");
  json_unsigned(json, primitive);
  json_key(json, "point");
  write_numbers(point, json);
  json_key(json, "feature");
  json_string(json, distance_feature_text(feature));
  json_key(json, "vertices");
  json_begin_array(json);
  for (uint32_t i = 0; i < feature->vertex_count; ++i) json_unsigned(json, feature->vertices[i]);
  json_end_array(json);
  json_end_object(json);
}

static void write_json_row(const graze_nearest *row, const size_t *frame_or_null, json_writer *json) {
  json_break_line(json);
  json_begin_object(json);
  if (frame_or_null != NULL) {
    json_key(json, "frame");
    json_unsigned(json, *frame_or_null + 1);
  }
  json_key(json, "object");
  json_unsigned(json, row->object);
  json_key(json, "distance");
  json_double(json, row->distance);
  json_key(json, "lower");
  json_double(json, row->lower);
  json_key(json, "upper");
  json_double(json, row->upper);
  json_key(json, "certified");
  json_boolean(json, row->certified == 1);
  json_key(json, "normal");
  write_numbers(row->normal, json);
  json_key(json, "a");
  write_json_side(row->pair.object_a, row->pair.primitive_a, row->point_a, &row->feature_a, json);
  json_key(json, "b");
  write_json_side(row->pair.object_b, row->pair.primitive_b, row->point_b, &row->feature_b, json);
  json_end_object(json);
}

static void write_json_inside(const graze_containment *found, const size_t *frame_or_null, json_writer *json) {
  json_break_line(json);
  json_begin_object(json);
  if (frame_or_null != NULL) {
    json_key(json, "frame");
    json_unsigned(json, *frame_or_null + 1);
  }
  json_key(json, "inner");
  json_unsigned(json, found->inner);
  json_key(json, "outer");
  json_unsigned(json, found->outer);
  json_key(json, "entirely");
  json_boolean(json, found->inside_count == found->primitive_count);
  json_end_object(json);
}

static void write_json_frames(const distance_outcome *outcome, json_writer *json) {
  json_key(json, "distances");
  json_begin_array(json);
  for (size_t frame = 0; frame < outcome->frame_count; ++frame)
    for (size_t i = outcome->frames[frame].first_row; i < outcome->frames[frame + 1].first_row; ++i)
      write_json_row(&outcome->rows[i], outcome->has_frames ? &frame : NULL, json);
  json_end_array(json);
  json_key(json, "containments");
  json_begin_array(json);
  for (size_t frame = 0; frame < outcome->frame_count; ++frame)
    for (size_t i = outcome->frames[frame].first_inside; i < outcome->frames[frame + 1].first_inside; ++i)
      write_json_inside(&outcome->insides[i], outcome->has_frames ? &frame : NULL, json);
  json_end_array(json);
}

void distance_outcome_write_json(const distance_outcome *outcome, FILE *stream) {
  const object_list *objects = outcome->objects;
  json_writer json = {.stream = stream};
  json_begin_record(&json, "distance");
  if (outcome->options->units != NULL) {
    json_key(&json, "units");
    json_string(&json, outcome->options->units);
  }
  json_key(&json, "objects");
  json_begin_array(&json);
  for (size_t i = 0; i < objects->count; ++i) {
    const object_entry *entry = &objects->entries[i];
    json_break_line(&json);
    json_begin_object(&json);
    json_key(&json, "name");
    json_string(&json, entry->path != NULL ? entry->file : entry->name);
    json_key(&json, "file");
    json_string(&json, entry->path != NULL ? entry->path : entry->file);
    json_key(&json, "kind");
    json_string(&json, graze_kind_text(entry->kind, 1));
    json_key(&json, "primitives");
    json_unsigned(&json, entry->primitive_count);
    json_key(&json, "skipped");
    json_unsigned(&json, entry->skipped);
    json_end_object(&json);
  }
  json_end_array(&json);
  if (outcome->has_frames) {
    json_key(&json, "frame_count");
    json_unsigned(&json, outcome->frame_count);
  }
  write_json_frames(outcome, &json);
  json_key(&json, "timings_ms");
  json_begin_object(&json);
  json_key(&json, "reading");
  json_decimal(&json, outcome->reading_ms, 3);
  json_key(&json, "searching");
  json_decimal(&json, outcome->search_ms, 3);
  json_end_object(&json);
  json_end_object(&json);
  fputc('\n', stream);
}

/* ------------------------------------------------------------------------------------------------ CSV */

static void write_csv_side(const distance_outcome *outcome, uint32_t object, uint32_t primitive, const double point[3],
                           FILE *stream) {
  char *label = object_list_label(outcome->objects, object);
  fprintf(stream, "%" PRIu32 ",", object);
  csv_write_text(label != NULL ? label : "", stream);
  free(label);
  fprintf(stream, ",%" PRIu32 ",%.17g,%.17g,%.17g", primitive, point[0], point[1], point[2]);
}

static void write_csv_row(const distance_outcome *outcome, const graze_nearest *row, FILE *stream) {
  const bool turned = outcome->options->each && row->object != row->pair.object_a;
  fprintf(stream, "%.17g,%.17g,%.17g,", row->distance, row->lower, row->upper);
  for (int side = 0; side < 2; ++side) {
    const bool of_a = (side == 0) != turned;
    if (side == 1) fputc(',', stream);
    write_csv_side(outcome, of_a ? row->pair.object_a : row->pair.object_b,
                   of_a ? row->pair.primitive_a : row->pair.primitive_b, of_a ? row->point_a : row->point_b, stream);
  }
  const double sign = turned ? -1.0 : 1.0; /* adding 0.0 removes -0 */
  fprintf(stream, ",%.17g,%.17g,%.17g,%" PRIu32 "\n", sign * row->normal[0] + 0.0, sign * row->normal[1] + 0.0,
          sign * row->normal[2] + 0.0, row->certified);
}

void distance_outcome_write_csv(const distance_outcome *outcome, FILE *stream) {
  if (outcome->has_frames) fputs("frame,", stream);
  fputs("distance,lower,upper,object_a,name_a,primitive_a,x_a,y_a,z_a,object_b,name_b,primitive_b,x_b,y_b,z_b,"
        "normal_x,normal_y,normal_z,certified\n",
        stream);
  for (size_t frame = 0; frame < outcome->frame_count; ++frame)
    for (size_t i = outcome->frames[frame].first_row; i < outcome->frames[frame + 1].first_row; ++i) {
      if (outcome->has_frames) fprintf(stream, "%zu,", frame + 1);
      write_csv_row(outcome, &outcome->rows[i], stream);
    }
}
