/* Lists of a search structure; see structure_list.h. */
#include "broad/structure_list.h"

#include "broad/axis_map.h"

#include <string.h>

void structure_list_count(structure_list *list, uint32_t level, size_t count) {
  list->level_counts[level] += count;
  if (count > 0 && level >= list->level_count) list->level_count = level + 1;
}

bool structure_list_reserve(structure_list *list, size_t node_count, size_t member_count) {
  list->nodes = answer_list_reserve(list->memory, BLOCK_STRUCTURE_NODES, node_count, sizeof *list->nodes);
  if (list->nodes == NULL || !list->options->members) return list->nodes != NULL;
  list->members = answer_list_reserve(list->memory, BLOCK_STRUCTURE_MEMBERS, member_count, sizeof *list->members);
  return list->members != NULL;
}

graze_structure_node *structure_list_add(structure_list *list, uint32_t level, const exact_box *box) {
  graze_structure_node *node = &list->nodes[list->node_count++];
  *node = (graze_structure_node){.first_member = list->member_count, .level = level, .object = UINT32_MAX};
  memcpy(node->min, box->min, sizeof node->min);
  memcpy(node->max, box->max, sizeof node->max);
  memcpy(node->cell_min, box->min, sizeof node->cell_min);
  memcpy(node->cell_max, box->max, sizeof node->cell_max);
  return node;
}

void structure_list_add_members(structure_list *list, const uint32_t *primitives, size_t count) {
  list->nodes[list->node_count - 1].member_count += count;
  if (list->members != NULL)
    for (size_t i = 0; i < count; i++) list->members[list->member_count + i].primitive = primitives[i];
  list->member_count += count;
}

/* ---------------------------------------------------------------------------------------------- boxes */

/* Boxes of a search structure in coordinates of the scene or of an object.
 *
 * A box contains coordinates that are doubles. A bound of such a coordinate that is rounded to the nearest double still
 * bounds it. So the last sum needs no outward rounding, and the division by a power of two before it is exact, or as
 * coarse as the coordinates are. */

double unscaled(double origin, double value, double scale) {
  return fmin(fmax(origin + value / scale, -DBL_MAX), DBL_MAX);
}

/* The last segment whose image does not begin above `image`. */
static const axis_segment *segment_of_image(const axis_map *map, int axis, double image) {
  const axis_segment *segment = map->segments[axis];
  for (uint32_t i = 1; i < map->count[axis] && map->segments[axis][i].base <= image; i++) segment++;
  return segment;
}

/* A bound of the coordinates with images up to this one, or from it on. No coordinate has an image between two
 * segments. The rounding error of a difference of images is below 2^-52. */
static double unmapped_up(const axis_map *map, int axis, double image) {
  const axis_segment *segment = segment_of_image(map, axis, image);
  const double above = fmax(image - segment->base, 0.0) + 0x1p-52;
  return fmin(unscaled(segment->start, above, segment->scale), segment[1].start);
}
static double unmapped_down(const axis_map *map, int axis, double image) {
  const axis_segment *segment = segment_of_image(map, axis, image);
  const double above = fmax(image - segment->base - 0x1p-52, 0.0);
  if (segment == map->segments[axis] && above == 0.0) return -DBL_MAX;
  return fmin(unscaled(segment->start, above, segment->scale), segment[1].start);
}

exact_box box_in_scene(const primitive_view *view, const double min[3], const double max[3]) {
  const normalizing_transform *normalization = view->normalization;
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    if (view->map != NULL) {
      box.min[axis] = unmapped_down(view->map, axis, min[axis]);
      box.max[axis] = unmapped_up(view->map, axis, max[axis]);
    } else {
      box.min[axis] = unscaled(normalization->origin[axis], min[axis], normalization->scale);
      box.max[axis] = unscaled(normalization->origin[axis], max[axis], normalization->scale);
    }
  }
  return box;
}
