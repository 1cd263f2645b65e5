/* Distances as text: the nearest two objects in one line, the place, and a line for each other distance or frame. */
#include "distance_outcome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* More lines than anyone would read. */
enum { ROWS_SHOWN = 40, NOTES_SHOWN = 5 };

const char *distance_feature_text(const graze_feature *feature) {
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

/* The label, with the number of the object if another one has the same. */
static void write_name(const object_list *objects, uint32_t object, FILE *stream) {
  const object_entry *own = &objects->entries[object];
  bool repeated = false;
  for (size_t i = 0; i < objects->count && !repeated; i++)
    repeated = i != object && strcmp(objects->entries[i].file, own->file) == 0 &&
               (!objects->separate || strcmp(objects->entries[i].name, own->name) == 0);
  object_list_write_label(objects, object, stream);
  if (repeated) fprintf(stream, " (object %" PRIu32 ")", object);
}

static void write_side(const distance_outcome *outcome, uint32_t object, uint32_t primitive, const double point[3],
                       const graze_feature *feature, FILE *stream) {
  fputs("  ", stream);
  write_name(outcome->objects, object, stream);
  fprintf(stream, ": %s %" PRIu32, graze_kind_text(outcome->objects->entries[object].kind, 1), primitive);
  if (feature->vertex_count > 0) fprintf(stream, ", %s", distance_feature_text(feature));
  fprintf(stream, ", at (%.9g, %.9g, %.9g)\n", point[0], point[1], point[2]);
}

static void write_names(const distance_outcome *outcome, const graze_pair *pair, FILE *stream) {
  fputs(" between ", stream);
  write_name(outcome->objects, pair->object_a, stream);
  fputs(" and ", stream);
  write_name(outcome->objects, pair->object_b, stream);
}

static void write_best(const distance_outcome *outcome, FILE *stream) {
  const graze_nearest *row = &outcome->rows[outcome->best];
  fputs("nearest ", stream);
  write_distance(outcome, row->distance, stream);
  if (outcome->has_frames) fprintf(stream, " in frame %zu", distance_outcome_frame_of(outcome, outcome->best) + 1);
  write_names(outcome, &row->pair, stream);
  fputs(row->distance <= 0.0 ? ": they touch or overlap\n" : "\n", stream);
  write_side(outcome, row->pair.object_a, row->pair.primitive_a, row->point_a, &row->feature_a, stream);
  write_side(outcome, row->pair.object_b, row->pair.primitive_b, row->point_b, &row->feature_b, stream);
  if (row->distance >= 0.0) return;
  fputs("  to separate them, move the second by ", stream);
  write_distance(outcome, -row->distance, stream);
  fprintf(stream, " along (%.9g, %.9g, %.9g); this is an estimate\n", row->normal[0], row->normal[1], row->normal[2]);
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

/* The least distance of a frame. */
static void write_frame(const distance_outcome *outcome, size_t frame, FILE *stream) {
  const graze_nearest *first = outcome->rows + outcome->frames[frame].first_row;
  const graze_nearest *end = outcome->rows + outcome->frames[frame + 1].first_row, *best = first;
  fprintf(stream, "  frame %zu: ", frame + 1);
  for (const graze_nearest *row = first; row < end; row++)
    if (row->distance < best->distance) best = row;
  if (first == end) {
    fputs("no distance\n", stream);
    return;
  }
  write_distance(outcome, best->distance, stream);
  write_names(outcome, &best->pair, stream);
  fputc('\n', stream);
}

static void write_list(const distance_outcome *outcome, FILE *stream) {
  const size_t count = outcome->has_frames ? outcome->frame_count : outcome->row_count;
  if (count < 2) return;
  for (size_t i = 0; i < count && i < ROWS_SHOWN; i++)
    if (outcome->has_frames)
      write_frame(outcome, i, stream);
    else
      write_line(outcome, &outcome->rows[i], stream);
  if (count > ROWS_SHOWN)
    fprintf(stream, "  and %s more; --csv and --json list them all\n", grouped_number(count - ROWS_SHOWN).text);
}

/* An object inside a surface has a positive distance from it, which is easily overlooked. */
static void write_insides(const distance_outcome *outcome, FILE *stream) {
  size_t frame = 0;
  for (size_t i = 0; i < outcome->inside_count && i < NOTES_SHOWN; i++) {
    const graze_containment *found = &outcome->insides[i];
    while (outcome->frames[frame + 1].first_inside <= i) frame++;
    fputs("note  ", stream);
    if (outcome->has_frames) fprintf(stream, "frame %zu: ", frame + 1);
    write_name(outcome->objects, found->inner, stream);
    fputs(found->inside_count == found->primitive_count ? " lies entirely inside " : " lies partly inside ", stream);
    write_name(outcome->objects, found->outer, stream);
    fputs("; the distance is that of their surfaces\n", stream);
  }
  if (outcome->inside_count > NOTES_SHOWN)
    fprintf(stream, "note  and %s more; --json lists them\n", grouped_number(outcome->inside_count - NOTES_SHOWN).text);
}

void distance_outcome_write_words(const distance_outcome *outcome, FILE *stream) {
  if (outcome->best < outcome->row_count) {
    write_best(outcome, stream);
    write_list(outcome, stream);
  } else {
    fputs("no distances: no two objects are near enough, or all are excluded\n", stream);
  }
  write_insides(outcome, stream);
}

/* ------------------------------------------------------------------------------------------------ the outcome */

size_t distance_outcome_frame_of(const distance_outcome *outcome, size_t row) {
  size_t low = 0, high = outcome->frame_count; /* the frame is in [low, high) */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (outcome->frames[middle].first_row <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void distance_outcome_release(distance_outcome *outcome) {
  free(outcome->frames);
  free(outcome->rows);
  free(outcome->insides);
}
