/* The picture of objects and pairs: marks the primitives of all listed pairs, makes surfaces to draw, and hands them to
 * the drawing. One byte a primitive and one a triangle, for the duration of the drawing. */
#include "pair_picture.h"

#include "complaint.h"
#include "mesh_surface.h"
#include "picture.h"

#include <stdlib.h>

enum { PICTURE_WIDTH = 1600, PICTURE_HEIGHT = 1200, MESSAGE_BYTES = 4096 };

/* Beside the objects. */
typedef struct drawing {
  uint8_t *marks;         /* of the primitives of all objects */
  size_t *first_mark;     /* where those of each object begin */
  mesh_surface *surfaces; /* and what the drawing takes of them: */
  mesh *meshes;
  double **placed; /* positions of objects that share a mesh; NULL for others */
  const uint8_t **marked;
} drawing;

static bool drawing_reserve(drawing *made, const object_list *objects) {
  made->marks = calloc((size_t)object_list_primitive_count(objects) + 1, 1);
  made->first_mark = calloc(objects->count + 1, sizeof *made->first_mark);
  made->surfaces = calloc(objects->count + 1, sizeof *made->surfaces);
  made->meshes = calloc(objects->count + 1, sizeof *made->meshes);
  made->placed = calloc(objects->count + 1, sizeof *made->placed);
  made->marked = calloc(objects->count + 1, sizeof *made->marked);
  return made->marks != NULL && made->first_mark != NULL && made->surfaces != NULL && made->meshes != NULL &&
         made->placed != NULL && made->marked != NULL;
}

static void drawing_release(drawing *made, size_t object_count) {
  for (size_t i = 0; made->surfaces != NULL && i < object_count; ++i) mesh_surface_release(&made->surfaces[i]);
  for (size_t i = 0; made->placed != NULL && i < object_count; ++i) free(made->placed[i]);
  free(made->placed);
  free(made->marks);
  free(made->first_mark);
  free(made->surfaces);
  free(made->meshes);
  free(made->marked);
}

static void mark_primitives(const object_list *objects, const graze_pairs *pairs, drawing *made) {
  for (size_t i = 0; i < objects->count; ++i) {
    made->first_mark[i + 1] = made->first_mark[i] + objects->entries[i].primitive_count;
  }
  for (size_t i = 0; i < pairs->count; ++i) {
    const graze_pair *pair = &pairs->pairs[i];
    made->marks[made->first_mark[pair->object_a] + pair->primitive_a] = 1;
    made->marks[made->first_mark[pair->object_b] + pair->primitive_b] = 1;
  }
}

static bool make_surfaces(const object_list *objects, drawing *made) {
  for (size_t i = 0; i < objects->count; ++i) {
    mesh whole = objects->meshes[i];
    if (objects->entries[i].shared != NULL) {
      whole.positions = made->placed[i] = object_list_placed_positions(objects, i);
      if (whole.positions == NULL) return false;
    }
    if (!mesh_surface_make(&whole, made->marks + made->first_mark[i], &made->surfaces[i])) return false;
    made->meshes[i] = made->surfaces[i].drawn;
    made->marked[i] = made->surfaces[i].marks;
  }
  return true;
}

static bool drawing_make(const object_list *objects, const graze_pairs *pairs, drawing *made) {
  if (!drawing_reserve(made, objects)) return false;
  mark_primitives(objects, pairs, made);
  return make_surfaces(objects, made);
}

bool pair_picture_draw(const object_list *objects, const graze_pairs *pairs, const char *caption,
                       const output_file *file) {
  const size_t object_count = objects->count;
  char message[MESSAGE_BYTES] = "";
  picture_options how = picture_options_default();
  how.caption = caption;
  drawing made = {0};
  bool drawn = drawing_make(objects, pairs, &made);
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
