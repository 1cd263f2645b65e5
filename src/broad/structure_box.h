/* Boxes of a search structure in coordinates of the scene or of an object.
 *
 * A box contains coordinates that are doubles. A bound of such a coordinate that is rounded to the nearest double still
 * bounds it. So the last sum needs no outward rounding, and the division by a power of two before it is exact, or as
 * coarse as the coordinates are. */
#ifndef GRAZE_BROAD_STRUCTURE_BOX_H
#define GRAZE_BROAD_STRUCTURE_BOX_H

#include "broad/axis_map.h"
#include "geometry/exact_box.h"

/* origin + value / scale, clamped to the range of double. The scale is a power of two. */
static inline double unscaled(double origin, double value, double scale) {
  return fmin(fmax(origin + value / scale, -DBL_MAX), DBL_MAX);
}

/* The last segment whose image does not begin above `image`. */
static inline const axis_segment *segment_of_image(const axis_map *map, int axis, double image) {
  const axis_segment *segment = map->segments[axis];
  for (uint32_t i = 1; i < map->count[axis] && map->segments[axis][i].base <= image; i++) segment++;
  return segment;
}

/* A bound of the coordinates with images up to this one, or from it on. No coordinate has an image between two
 * segments. The rounding error of a difference of images is below 2^-52. */
static inline double unmapped_up(const axis_map *map, int axis, double image) {
  const axis_segment *segment = segment_of_image(map, axis, image);
  const double above = fmax(image - segment->base, 0.0) + 0x1p-52;
  return fmin(unscaled(segment->start, above, segment->scale), segment[1].start);
}
static inline double unmapped_down(const axis_map *map, int axis, double image) {
  const axis_segment *segment = segment_of_image(map, axis, image);
  const double above = fmax(image - segment->base - 0x1p-52, 0.0);
  if (segment == map->segments[axis] && above == 0.0) return -DBL_MAX;
  return fmin(unscaled(segment->start, above, segment->scale), segment[1].start);
}

/* Converts a box from normalized coordinates to those of the scene. */
static inline exact_box box_in_scene(const primitive_view *view, const double min[3], const double max[3]) {
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

#endif
