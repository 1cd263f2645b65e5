/* The picture of distances: the nearest primitives are marked, and thin bars connect their nearest points.
 *
 * Bars are ordinary meshes, so the drawing needs no special case. */
#include "complaint.h"
#include "distance_outcome.h"
#include "pair_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bar has three sides of two triangles. Its thickness is this fraction of the size of the scene. */
enum { BAR_VERTICES = 6, BAR_TRIANGLES = 6 };
#define BAR_PART 0.004

static double scene_size(const object_list *objects) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size = 0.0;
  for (size_t i = 0; i < objects->count; i++)
    for (size_t j = 0; j < objects->entries[i].vertex_count; j++) {
      double at[3];
      object_list_fetch_vertex(objects, i, j, at);
      for (int axis = 0; axis < 3; axis++) {
        low[axis] = fmin(low[axis], at[axis]);
        high[axis] = fmax(high[axis], at[axis]);
      }
    }
  for (int axis = 0; axis < 3; axis++) size = fmax(size, high[axis] - low[axis]);
  return size;
}

/* Two triangles across the segment, joined. */
static void make_bar(const graze_nearest *row, double thickness, double positions_out[3 * BAR_VERTICES]) {
  double way[3], across[3], other[3], length = 0.0, width = 0.0;
  int least = 0;
  for (int axis = 0; axis < 3; axis++) {
    way[axis] = row->point_b[axis] - row->point_a[axis];
    length += way[axis] * way[axis];
    if (fabs(way[axis]) < fabs(way[least])) least = axis;
  }
  for (int axis = 0; axis < 3; axis++) {
    across[axis] = (axis == least) - way[axis] * way[least] / length;
    width += across[axis] * across[axis];
  }
  for (int axis = 0; axis < 3; axis++) across[axis] *= thickness / sqrt(width);
  for (int axis = 0; axis < 3; axis++) {
    const int p = (axis + 1) % 3, q = (axis + 2) % 3;
    other[axis] = (way[p] * across[q] - way[q] * across[p]) / sqrt(length);
  }
  for (int corner = 0; corner < 3; corner++) {
    const double u = cos(corner * 2.0943951023931953), v = sin(corner * 2.0943951023931953);
    for (int axis = 0; axis < 3; axis++) {
      const double aside = u * across[axis] + v * other[axis];
      positions_out[3 * corner + axis] = row->point_a[axis] + aside;
      positions_out[9 + 3 * corner + axis] = row->point_b[axis] + aside;
    }
  }
}

static bool add_bar(object_list *objects, const graze_nearest *row, double thickness) {
  static uint32_t triangles[3 * BAR_TRIANGLES] = {0, 1, 3, 1, 4, 3, 1, 2, 4, 2, 5, 4, 2, 0, 5, 0, 3, 5};
  static char name[] = "way";
  double positions[3 * BAR_VERTICES];
  make_bar(row, thickness, positions);
  const mesh bar = {.name = name,
                    .positions = positions,
                    .vertex_count = BAR_VERTICES,
                    .polygon_count = BAR_TRIANGLES,
                    .triangles = triangles,
                    .triangle_count = BAR_TRIANGLES};
  return object_list_copy(objects, name, &bar, 1);
}

/* Marks the primitives of the rows of a frame, and their bars. */
static bool mark_frame(const distance_outcome *outcome, size_t frame, graze_pair *pairs, size_t *count_out) {
  const double thickness = BAR_PART * scene_size(outcome->objects);
  size_t count = 0;
  for (size_t i = outcome->frames[frame].first_row; i < outcome->frames[frame + 1].first_row; i++) {
    const graze_nearest *row = &outcome->rows[i];
    pairs[count++] = row->pair;
    if (!(row->distance > 0.0)) continue;
    const uint32_t bar = (uint32_t)outcome->objects->count;
    if (!add_bar(outcome->objects, row, thickness)) return false;
    for (uint32_t j = 0; j < BAR_TRIANGLES; j += 2) pairs[count++] = (graze_pair){bar, j, bar, j + 1};
  }
  *count_out = count;
  return true;
}

bool distance_outcome_draw(const distance_outcome *outcome, const graze_scene *scene, const output_file *file) {
  const bool any = outcome->best < outcome->row_count;
  const size_t frame = any ? distance_outcome_frame_of(outcome, outcome->best) : 0;
  const size_t rows = any ? outcome->frames[frame + 1].first_row - outcome->frames[frame].first_row : 0;
  graze_pair *pairs = calloc(rows + 1, (1 + BAR_TRIANGLES / 2) * sizeof *pairs);
  graze_pairs marked = {.pairs = pairs};
  const drawing_options drawing = drawing_options_start();
  graze_query query = graze_query_default();
  char caption[128] = "no distances";
  query.candidates_only = true; /* there is no intersection to zoom to */
  if (any) {
    const char *units = outcome->options->units;
    int length = snprintf(caption, sizeof caption, "nearest %.9g%s%.40s", outcome->rows[outcome->best].distance,
                          units != NULL ? " " : "", units != NULL ? units : "");
    if (outcome->has_frames) snprintf(caption + length, sizeof caption - (size_t)length, " in frame %zu", frame + 1);
  }
  if (pairs == NULL) complain("%s: out of memory", file->path);
  const bool drawn = pairs != NULL && (!any || mark_frame(outcome, frame, pairs, &marked.count)) &&
                     pair_picture_draw(outcome->objects, scene, &query, &marked, &drawing, caption, file);
  free(pairs);
  return drawn;
}
