/* The picture of objects and pairs: marks the primitives of all listed pairs, makes surfaces, and draws them. Needs one
 * byte per primitive and per triangle while drawing. */
#include "pair_picture.h"

#include "backend_options.h"
#include "complaint.h"
#include "graze/regions.h"
#include "mesh_surface.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURE_WIDTH = 1600, PICTURE_HEIGHT = 1200, SNAPSHOT_WIDTH = 800, SNAPSHOT_HEIGHT = 600, MESSAGE_BYTES = 4096 };

/* Parallel to the objects. */
typedef struct drawing {
  uint8_t *marks;         /* of the primitives of all objects */
  size_t *first_mark;     /* the first of each object */
  mesh_surface *surfaces; /* the drawn part: */
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
  for (size_t i = 0; made->surfaces != NULL && i < object_count; i++) mesh_surface_release(&made->surfaces[i]);
  for (size_t i = 0; made->placed != NULL && i < object_count; i++) free(made->placed[i]);
  free(made->placed);
  free(made->marks);
  free(made->first_mark);
  free(made->surfaces);
  free(made->meshes);
  free(made->marked);
}

static void mark_primitives(const object_list *objects, const graze_pairs *pairs, drawing *made) {
  for (size_t i = 0; i < objects->count; i++) {
    made->first_mark[i + 1] = made->first_mark[i] + objects->entries[i].primitive_count;
  }
  for (size_t i = 0; i < pairs->count; i++) {
    const graze_pair *pair = &pairs->pairs[i];
    made->marks[made->first_mark[pair->object_a] + pair->primitive_a] = 1;
    made->marks[made->first_mark[pair->object_b] + pair->primitive_b] = 1;
  }
}

static bool make_surfaces(const object_list *objects, drawing *made) {
  for (size_t i = 0; i < objects->count; i++) {
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

/* ------------------------------------------------------------------------------------------------ focus */

static bool number_exists(const drawing_options *options, size_t count) {
  const bool is_pair = options->zoom_to == ZOOM_TO_PAIR;
  if (options->zoom_number < count) return true;
  return decline("--zoom-to %s=%" PRIu64 ": there %s %s, numbered from 0", is_pair ? "pair" : "region",
                 options->zoom_number, count == 1 ? "is" : "are", counted(count, is_pair ? "pair" : "region").text);
}

/* The box of a region contains the intersections of its pairs; a pair is treated as a region of its own. */
static bool find_focus(const graze_scene *scene, const graze_query *query, const graze_pairs *pairs,
                       const drawing_options *options, picture_box *box_out) {
  const bool is_pair = options->zoom_to == ZOOM_TO_PAIR;
  if (is_pair && !number_exists(options, pairs->count)) return false;
  graze_region_options how = graze_region_options_default();
  how.test = query->test;
  how.depths = how.object_depths = how.curves = false;
  graze_regions regions = {0};
  const graze_result result = graze_scene_make_regions(scene, pairs->pairs + (is_pair ? options->zoom_number : 0),
                                                       is_pair ? 1 : pairs->count, &how, &regions);
  if (result != GRAZE_OK) complain("%s", library_message(result));
  const bool is_found = result == GRAZE_OK && (is_pair || number_exists(options, regions.count));
  if (is_found) {
    const graze_region *region = &regions.regions[is_pair ? 0 : (size_t)options->zoom_number];
    memcpy(box_out->low, region->box_min, sizeof box_out->low);
    memcpy(box_out->high, region->box_max, sizeof box_out->high);
  }
  graze_regions_free(&regions);
  return is_found;
}

/* If nothing intersects, the whole scene is drawn. */
static bool choose_focus(const graze_scene *scene, const graze_query *query, const graze_pairs *pairs,
                         const drawing_options *options, picture_options *how, picture_box *box) {
  const bool pairs_meet = !query->candidates_only && query->clearance == 0.0;
  if (options->zoom_to == ZOOM_TO_ALL || pairs->count == 0 || !pairs_meet) return true;
  if (!find_focus(scene, query, pairs, options, box)) return false;
  how->camera.focus = box;
  return true;
}

bool pair_picture_draw(const object_list *objects, const graze_scene *scene, const graze_query *query,
                       const graze_pairs *pairs, const drawing_options *options, const char *caption,
                       const output_file *file) {
  const size_t object_count = objects->count;
  char message[MESSAGE_BYTES] = "";
  picture_options how = picture_options_default();
  picture_box box;
  how.caption = caption;
  how.camera = options->camera;
  how.crease_degrees = options->crease_degrees;
  if (!choose_focus(scene, query, pairs, options, &how, &box)) return false;
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

bool pair_picture_snapshot(const object_list *objects, const graze_pairs *pairs, const drawing_options *options,
                           const picture_box *focus, FILE *stream, picture_view *view_out) {
  drawing made = {0};
  picture_options how = picture_options_default();
  how.camera = options->camera;
  how.camera.focus = focus;
  how.crease_degrees = options->crease_degrees;
  const bool drawn =
      drawing_make(objects, pairs, &made) &&
      picture_view_choose(made.meshes, objects->count, made.marked, &how.camera, SNAPSHOT_WIDTH, SNAPSHOT_HEIGHT,
                          view_out) &&
      picture_draw_stream(stream, made.meshes, objects->count, made.marked, SNAPSHOT_WIDTH, SNAPSHOT_HEIGHT, &how);
  drawing_release(&made, objects->count);
  return drawn;
}
