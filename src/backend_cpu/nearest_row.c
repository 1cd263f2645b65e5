/* Rows of least distances; see nearest_row.h. */
#include "backend_cpu/nearest_row.h"

#include "scene/object_numbers.h"

static graze_nearest_feature feature_of(const nearest_part *part) {
  return (graze_nearest_feature){part->vertex_count, {part->vertices[0], part->vertices[1], part->vertices[2]}};
}

graze_nearest nearest_row_make(const graze_scene *scene, const nearest_best *best, double lower, bool complete) {
  public_number last[2] = {{0}};
  graze_nearest row = {.pair = scene_public_pair(scene, best->ranks, last),
                       .complete = complete,
                       .distance = best->distance,
                       .lower = fmin(lower, best->lower),
                       .upper = best->upper,
                       .feature_a = feature_of(&best->parts[0]),
                       .feature_b = feature_of(&best->parts[1])};
  row.object = row.pair.object_a;
  for (int axis = 0; axis < 3; axis++) {
    row.point_a[axis] = best->points[0][axis];
    row.point_b[axis] = best->points[1][axis];
  }
  return row;
}

graze_nearest nearest_row_empty(double lower) {
  return (graze_nearest){.complete = 1, .distance = HUGE_VAL, .lower = lower, .upper = HUGE_VAL};
}
