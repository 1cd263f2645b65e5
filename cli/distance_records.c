/* Distances in words, as JSON and as CSV. The form of the last two is a promise: scripts read it. */
#include "csv_text.h"
#include "distance_outcome.h"
#include "json_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* More than anyone reads through. */
enum { ROWS_SHOWN = 40 };

/* ------------------------------------------------------------------------------------------------ words */

static const char *feature_text(const graze_nearest_feature *feature) {
  static const char *const names[] = {"inside", "corner", "edge", "face"};
  return names[feature->vertex_count & 3];
}

static void write_distance(const distance_outcome *outcome, double distance, FILE *stream) {
  const char *units = outcome->options->units;
  fprintf(stream, "%.9g", distance);
  if (units == NULL) return;
  fputc(' ', stream);
  write_harmless(stream, units);
}

/* The label, with the object's number where another one has the same. */
static void write_name(const object_list *objects, uint32_t object, FILE *stream) {
  const object_entry *own = &objects->entries[object];
  bool repeated = false;
  for (size_t i = 0; i < objects->count && !repeated; ++i)
    repeated = i != object && strcmp(objects->entries[i].file, own->file) == 0 &&
               (!objects->separate || strcmp(objects->entries[i].name, own->name) == 0);
  object_list_write_label(objects, object, stream);
  if (repeated) fprintf(stream, " (object %" PRIu32 ")", object);
}

static void write_side(const distance_outcome *outcome, uint32_t object, uint32_t primitive, const double point[3],
                       const graze_nearest_feature *feature, FILE *stream) {
  fputs("  ", stream);
  write_name(outcome->objects, object, stream);
  fprintf(stream, ": %s %" PRIu32, graze_kind_text(outcome->objects->entries[object].kind, 1), primitive);
  if (feature->vertex_count > 0) fprintf(stream, ", %s", feature_text(feature));
  fprintf(stream, ", at (%.9g, %.9g, %.9g)\n", point[0], point[1], point[2]);
}

static void write_row(const distance_outcome *outcome, const graze_nearest *row, FILE *stream) {
  fputs("nearest ", stream);
  write_distance(outcome, row->distance, stream);
  fputs(" between ", stream);
  write_name(outcome->objects, row->pair.object_a, stream);
  fputs(" and ", stream);
  write_name(outcome->objects, row->pair.object_b, stream);
  fputs(row->distance == 0.0 ? ": they touch or overlap\n" : "\n", stream);
  write_side(outcome, row->pair.object_a, row->pair.primitive_a, row->point_a, &row->feature_a, stream);
  write_side(outcome, row->pair.object_b, row->pair.primitive_b, row->point_b, &row->feature_b, stream);
}

static void write_line(const distance_outcome *outcome, const graze_nearest *row, FILE *stream) {
  const uint32_t a = outcome->options->each ? row->object : row->pair.object_a;
  const uint32_t b = a == row->pair.object_a ? row->pair.object_b : row->pair.object_a;
  fputs("  ", stream);
  write_name(outcome->objects, a, stream);
  fputs(outcome->options->each ? " is nearest to " : " and ", stream);
  write_name(outcome->objects, b, stream);
  fputs(": ", stream);
  write_distance(outcome, row->distance, stream);
  fputc('\n', stream);
}

static const graze_nearest *nearest_row(const graze_nearests *found) {
  const graze_nearest *best = found->nearests;
  for (size_t i = 1; i < found->count; ++i)
    if (found->nearests[i].distance < best->distance) best = &found->nearests[i];
  return best;
}

void distance_outcome_write_words(const distance_outcome *outcome, FILE *stream) {
  const graze_nearests *found = &outcome->nearests;
  if (found->count == 0) {
    fputs("no distances: no two objects are near enough, or all of them are excluded\n", stream);
    return;
  }
  write_row(outcome, nearest_row(found), stream);
  for (size_t i = 0; found->count > 1 && i < found->count && i < ROWS_SHOWN; ++i)
    write_line(outcome, &found->nearests[i], stream);
  if (found->count > ROWS_SHOWN)
    fprintf(stream, "  and %s more; --csv and --json have them all\n", grouped_number(found->count - ROWS_SHOWN).text);
}

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
  json_string(json, feature_text(feature));
  json_key(json, "vertices");
  json_begin_array(json);
  for (uint32_t i = 0; i < feature->vertex_count; ++i) json_unsigned(json, feature->vertices[i]);
  json_end_array(json);
  json_end_object(json);
}

static void write_json_row(const graze_nearest *row, json_writer *json) {
  json_break_line(json);
  json_begin_object(json);
  json_key(json, "object");
  json_unsigned(json, row->object);
  json_key(json, "distance");
  json_double(json, row->distance);
  json_key(json, "lower");
  json_double(json, row->lower);
  json_key(json, "upper");
  json_double(json, row->upper);
  json_key(json, "a");
  write_json_side(row->pair.object_a, row->pair.primitive_a, row->point_a, &row->feature_a, json);
  json_key(json, "b");
  write_json_side(row->pair.object_b, row->pair.primitive_b, row->point_b, &row->feature_b, json);
  json_end_object(json);
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
    json_end_object(&json);
  }
  json_end_array(&json);
  json_key(&json, "distances");
  json_begin_array(&json);
  for (size_t i = 0; i < outcome->nearests.count; ++i) write_json_row(&outcome->nearests.nearests[i], &json);
  json_end_array(&json);
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

void distance_outcome_write_csv(const distance_outcome *outcome, FILE *stream) {
  fputs("distance,lower,upper,object_a,name_a,primitive_a,x_a,y_a,z_a,object_b,name_b,primitive_b,x_b,y_b,z_b\n",
        stream);
  for (size_t i = 0; i < outcome->nearests.count; ++i) {
    const graze_nearest *row = &outcome->nearests.nearests[i];
    const bool turned = outcome->options->each && row->object != row->pair.object_a;
    fprintf(stream, "%.17g,%.17g,%.17g,", row->distance, row->lower, row->upper);
    for (int side = 0; side < 2; ++side) {
      const bool of_a = (side == 0) != turned;
      if (side == 1) fputc(',', stream);
      write_csv_side(outcome, of_a ? row->pair.object_a : row->pair.object_b,
                     of_a ? row->pair.primitive_a : row->pair.primitive_b, of_a ? row->point_a : row->point_b, stream);
    }
    fputc('\n', stream);
  }
}
