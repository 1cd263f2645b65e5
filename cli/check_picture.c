/* The picture of a check: marks the primitives of all listed pairs, makes surfaces to draw, and hands them to the
 * drawing. One byte a primitive and one a triangle, for the duration of the drawing. */
#include "check_outcome.h"
#include "mesh_surface.h"
#include "picture.h"

#include <stdlib.h>

enum { PICTURE_WIDTH = 1600, PICTURE_HEIGHT = 1200, CAPTION_BYTES = 128, MESSAGE_BYTES = 4096 };

/* Beside the objects. */
typedef struct drawing {
  uint8_t *marks;         /* of the primitives of all objects */
  size_t *first_mark;     /* where those of each object begin */
  mesh_surface *surfaces; /* and what the drawing takes of them: */
  mesh *meshes;
  const uint8_t **marked;
} drawing;

static bool drawing_reserve(drawing *made, const object_list *objects) {
  made->marks = calloc((size_t)object_list_primitive_count(objects) + 1, 1);
  made->first_mark = calloc(objects->count + 1, sizeof *made->first_mark);
  made->surfaces = calloc(objects->count + 1, sizeof *made->surfaces);
  made->meshes = calloc(objects->count + 1, sizeof *made->meshes);
  made->marked = calloc(objects->count + 1, sizeof *made->marked);
  return made->marks != NULL && made->first_mark != NULL && made->surfaces != NULL && made->meshes != NULL &&
         made->marked != NULL;
}

static void drawing_release(drawing *made, size_t object_count) {
  for (size_t i = 0; made->surfaces != NULL && i < object_count; ++i) mesh_surface_release(&made->surfaces[i]);
  free(made->marks);
  free(made->first_mark);
  free(made->surfaces);
  free(made->meshes);
  free(made->marked);
}

static void mark_primitives(const check_outcome *outcome, drawing *made) {
  const object_list *objects = outcome->objects;
  for (size_t i = 0; i < objects->count; ++i) {
    made->first_mark[i + 1] = made->first_mark[i] + objects->entries[i].primitive_count;
  }
  for (size_t i = 0; i < outcome->pairs.count; ++i) {
    const graze_pair *pair = &outcome->pairs.pairs[i];
    made->marks[made->first_mark[pair->object_a] + pair->primitive_a] = 1;
    made->marks[made->first_mark[pair->object_b] + pair->primitive_b] = 1;
  }
}

static bool make_surfaces(const object_list *objects, drawing *made) {
  for (size_t i = 0; i < objects->count; ++i) {
    if (!mesh_surface_make(&objects->meshes[i], made->marks + made->first_mark[i], &made->surfaces[i])) return false;
    made->meshes[i] = made->surfaces[i].drawn;
    made->marked[i] = made->surfaces[i].marks;
  }
  return true;
}

static bool drawing_make(const check_outcome *outcome, drawing *made) {
  if (!drawing_reserve(made, outcome->objects)) return false;
  mark_primitives(outcome, made);
  return make_surfaces(outcome->objects, made);
}

static void write_caption(const check_outcome *outcome, char caption[CAPTION_BYTES]) {
  snprintf(caption, CAPTION_BYTES, "%s%s, %s", outcome->pairs.limit_reached ? "more than " : "",
           counted(outcome->pairs.count, outcome->options->query.candidates_only ? "candidate pair" : "pair").text,
           object_list_amount(outcome->objects).text);
}

bool check_outcome_draw(const check_outcome *outcome, const output_file *file) {
  const size_t object_count = outcome->objects->count;
  char caption[CAPTION_BYTES], message[MESSAGE_BYTES] = "";
  write_caption(outcome, caption);
  picture_options how = picture_options_default();
  how.caption = caption;
  drawing made = {0};
  bool drawn = drawing_make(outcome, &made);
  if (!drawn) {
    complain("%s: out of memory", file->path);
  } else {
    drawn = picture_draw(file->partial_path, made.meshes, object_count, made.marked, PICTURE_WIDTH, PICTURE_HEIGHT,
                         &how, message, sizeof message);
    if (!drawn) output_file_complain(file, message);
  }
  drawing_release(&made, object_count);
  return drawn;
}
