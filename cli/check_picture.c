/* The picture of a check: marks the triangles of all listed pairs and hands the scene to the drawing. One byte a
 * triangle, for the duration of the drawing. */
#include "check_outcome.h"
#include "picture.h"

#include <stdlib.h>

enum { PICTURE_WIDTH = 1600, PICTURE_HEIGHT = 1200, CAPTION_BYTES = 128, SENTENCE_BYTES = 4096 };

/* Marks of all objects in one array, and where those of each object begin. */
typedef struct mark_table {
  uint8_t *marks;
  const uint8_t **of_object;
} mark_table;

static bool mark_triangles(const check_outcome *outcome, mark_table *table) {
  const object_list *objects = outcome->objects;
  table->marks = calloc((size_t)object_list_triangle_count(objects) + 1, 1);
  table->of_object = calloc(objects->count + 1, sizeof *table->of_object);
  if (table->marks == NULL || table->of_object == NULL) return false;
  size_t first = 0;
  for (size_t i = 0; i < objects->count; ++i) {
    table->of_object[i] = table->marks + first;
    first += objects->entries[i].triangle_count;
  }
  for (size_t i = 0; i < outcome->pairs.count; ++i) {
    const graze_pair *pair = &outcome->pairs.pairs[i];
    table->marks[(size_t)(table->of_object[pair->object_a] - table->marks) + pair->primitive_a] = 1;
    table->marks[(size_t)(table->of_object[pair->object_b] - table->marks) + pair->primitive_b] = 1;
  }
  return true;
}

static void write_caption(const check_outcome *outcome, char caption[CAPTION_BYTES]) {
  snprintf(caption, CAPTION_BYTES, "%s%s, %s", outcome->pairs.limit_reached ? "more than " : "",
           counted(outcome->pairs.count, outcome->options->query.candidates_only ? "candidate pair" : "pair").text,
           counted(object_list_triangle_count(outcome->objects), "triangle").text);
}

bool check_outcome_draw(const check_outcome *outcome, const output_file *file) {
  const object_list *objects = outcome->objects;
  char caption[CAPTION_BYTES], sentence[SENTENCE_BYTES] = "";
  write_caption(outcome, caption);
  picture_options how = picture_options_default();
  how.caption = caption;
  mark_table table = {0};
  bool drawn = mark_triangles(outcome, &table);
  if (!drawn) {
    complain("%s: out of memory", file->path);
  } else {
    drawn = picture_draw(file->partial_path, objects->meshes, objects->count, table.of_object, PICTURE_WIDTH,
                         PICTURE_HEIGHT, &how, sentence, sizeof sentence);
    if (!drawn) output_file_complain(file, sentence);
  }
  free(table.marks);
  free(table.of_object);
  return drawn;
}
