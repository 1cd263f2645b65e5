/* Boxes of primitives.
 *
 * Workload: the calls of a divided scene, every primitive once per frame. */
#include "scene/object_boxes.h"

#include "scene/object_lookup.h"
#include "scene/object_positions.h"
#include "scene/scene_numbers.h"

#include <math.h>
#include <string.h>

object_label host_object_label(const host_object *opened) {
  return scene_label(opened->slot, opened->object->name);
}

graze_result host_object_read(const graze_scene *scene, graze_object id, host_object *opened) {
  const scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  *opened = (host_object){.object = object, .slot = id.index};
  opened->source = scene_source_of(scene, id.index);
  opened->source.first_primitive = 0;
  return object->device_positions == NULL ? GRAZE_OK : object_check_on_host(object, host_object_label(opened).text);
}

/* The box of a primitive that is not removed. */
static graze_result measure_box(const graze_scene *scene, const host_object *opened, uint32_t primitive,
                                exact_box *box_out) {
  const object_source *source = &opened->source;
  const corner_list corners = corners_of(source, primitive);
  exact_box box = exact_box_empty();
  double position[3] = {0};
  for (uint32_t i = 0; i < corners.count; i++) {
    fetch_vertex(source, corners.vertices[i], position);
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(position[axis]))
        return scene_fail(scene, GRAZE_NOT_FINITE, "%s: coordinate %c of vertex %u is %g after the pose",
                          host_object_label(opened).text, "xyz"[axis], corners.vertices[i], position[axis]);
    include_posed_vertex(source, corners.vertices[i], position, &box);
  }
  *box_out = box;
  return GRAZE_OK;
}

static inline void measure_triangles(const object_source *source, bool is_double, size_t first, size_t count,
                                     double *boxes_out) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t *corners = source->corners + 3 * (first + i);
    for (size_t axis = 0; axis < 3; axis++) {
      const double a = coordinate_at(source->positions, is_double, corners[0], (int)axis);
      const double b = coordinate_at(source->positions, is_double, corners[1], (int)axis);
      const double c = coordinate_at(source->positions, is_double, corners[2], (int)axis);
      const double low = b < a ? b : a, high = b > a ? b : a;
      boxes_out[6 * i + axis] = c < low ? c : low;
      boxes_out[6 * i + 3 + axis] = c > high ? c : high;
    }
  }
}

/* Measures triangles without a pose, of which none is removed, without a check: the positions of objects are finite.
 * Returns whether the object has only such triangles. */
static bool measure_plain(const object_source *source, size_t first, size_t count, double *boxes_out) {
  if (kind_batch_of(source->kind) != BATCH_TRIANGLES || source->pose != NULL || source->removed != NULL) return false;
  if (source->is_double)
    measure_triangles(source, true, first, count, boxes_out);
  else
    measure_triangles(source, false, first, count, boxes_out);
  return true;
}

graze_result object_boxes_measure(const graze_scene *scene, const host_object *opened, size_t first, size_t count,
                                  double *boxes_out) {
  graze_result result = GRAZE_OK;
  if (measure_plain(&opened->source, first, count, boxes_out)) return GRAZE_OK;
  for (size_t i = 0; i < count && result == GRAZE_OK; i++) {
    exact_box box = exact_box_empty();
    if (!element_is_removed(&opened->source, first + i))
      result = measure_box(scene, opened, (uint32_t)(first + i), &box);
    memcpy(boxes_out + 6 * i, box.min, sizeof box.min);
    memcpy(boxes_out + 6 * i + 3, box.max, sizeof box.max);
  }
  return result;
}
