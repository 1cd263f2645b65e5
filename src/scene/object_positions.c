/* Positions of objects; see object_positions.h.
 *
 * Workload: one object of 10^7 vertices or 10^5 objects of ten, once a frame. */
#include "scene/object_positions.h"

#include "base/workers.h"
#include "scene/scene_change.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

static graze_result fail_coordinate(graze_scene *scene, const object_label *label, size_t vertex, int axis,
                                    double value) {
  return scene_fail(scene, GRAZE_NOT_FINITE, "%s: coordinate %c of vertex %zu is %g", label->text, "xyz"[axis], vertex,
                    value);
}

/* Copies positions into an object with all workers, at the speed of reading them. */
enum { COPY_GRAIN = 16384 };

typedef struct position_copy {
  const graze_view *view;
  bool to_double, plain; /* plain: the same type, tightly packed */
  void *to;
  atomic_bool not_finite; /* only set, never cleared: the order of writers does not matter */
} position_copy;

static position_copy position_copy_of(const graze_view *view, bool to_double, void *to) {
  position_copy copy = {.view = view, .to_double = to_double, .to = to};
  copy.plain =
      to_double == (view->format == GRAZE_FORMAT_DOUBLE3) && view_stride(view) == (ptrdiff_t)view_element_bytes(view);
  atomic_init(&copy.not_finite, false);
  return copy;
}

/* The loops have no early exit, so that they are vectorized; most calls run to the end anyway. */
static bool floats_are_finite(const float *numbers, size_t count) {
  int finite = 1;
  for (size_t i = 0; i < count; i++) finite &= fabsf(numbers[i]) <= FLT_MAX;
  return finite != 0;
}

static bool doubles_are_finite(const double *numbers, size_t count) {
  int finite = 1;
  for (size_t i = 0; i < count; i++) finite &= fabs(numbers[i]) <= DBL_MAX;
  return finite != 0;
}

static bool places_are_finite(const graze_view *view, size_t first, size_t end) {
  const unsigned char *from = view_at(view, first);
  const ptrdiff_t stride = view_stride(view);
  int finite = 1;
  for (size_t i = first; i < end; i++, from += stride) {
    double value[3];
    view_read_place(from, view->format == GRAZE_FORMAT_DOUBLE3, value);
    finite &= (fabs(value[0]) <= DBL_MAX) & (fabs(value[1]) <= DBL_MAX) & (fabs(value[2]) <= DBL_MAX);
  }
  return finite != 0;
}

static void check_range(void *context, size_t first, size_t end, uint32_t worker) {
  position_copy *copy = context;
  const void *from = view_at(copy->view, first);
  (void)worker;
  const bool aligned = (uintptr_t)from % (copy->to_double ? sizeof(double) : sizeof(float)) == 0;
  const bool finite = !copy->plain || !aligned ? places_are_finite(copy->view, first, end)
                      : copy->to_double        ? doubles_are_finite(from, 3 * (end - first))
                                               : floats_are_finite(from, 3 * (end - first));
  if (!finite) atomic_store(&copy->not_finite, true);
}

static void copy_range(void *context, size_t first, size_t end, uint32_t worker) {
  const position_copy *copy = context;
  const unsigned char *from = view_at(copy->view, first);
  const ptrdiff_t stride = view_stride(copy->view);
  const bool is_double = copy->view->format == GRAZE_FORMAT_DOUBLE3;
  (void)worker;
  if (copy->plain) {
    const size_t bytes = view_element_bytes(copy->view);
    unsigned char *to = (unsigned char *)copy->to + first * bytes;
    if (to != from) memcpy(to, from, (end - first) * bytes); /* data from a device is already in place */
    return;
  }
  for (size_t i = first; i < end; i++, from += stride) {
    double value[3];
    view_read_place(from, is_double, value);
    for (int axis = 0; axis < 3; axis++) {
      if (copy->to_double)
        ((double *)copy->to)[3 * i + (size_t)axis] = value[axis];
      else
        ((float *)copy->to)[3 * i + (size_t)axis] = (float)value[axis];
    }
  }
}

static graze_result fail_positions(graze_scene *scene, const object_label *label, const graze_view *view,
                                   size_t first) {
  for (size_t i = 0; i < view->count; i++) {
    double value[3];
    view_read_place(view_at(view, i), view->format == GRAZE_FORMAT_DOUBLE3, value);
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(value[axis])) return fail_coordinate(scene, label, first + i, axis, value[axis]);
  }
  return GRAZE_OK;
}

graze_result scene_set_positions(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                                 bool to_double, void *to) {
  position_copy copy = position_copy_of(view, to_double, to);
  workers_for(scene->workers, view->count, COPY_GRAIN, check_range, &copy);
  if (atomic_load(&copy.not_finite)) return fail_positions(scene, label, view, first);
  workers_for(scene->workers, view->count, COPY_GRAIN, copy_range, &copy);
  return GRAZE_OK;
}

/* Copies and checks in one pass: a coordinate that is not finite never becomes part of an object. */
static void fill_range(void *context, size_t first, size_t end, uint32_t worker) {
  copy_range(context, first, end, worker);
  check_range(context, first, end, worker);
}

graze_result object_fill_positions(graze_scene *scene, const object_label *label, const graze_view *view,
                                   scene_object *object) {
  array *positions = &object->positions;
  if (!array_resize(positions, &scene->memory, view->count)) return scene_fail_memory(scene);
  first_touch(scene->workers, positions->data, view->count * positions->element_bytes);
  position_copy copy = position_copy_of(view, object->is_double, positions->data);
  workers_for(scene->workers, view->count, COPY_GRAIN, fill_range, &copy);
  return atomic_load(&copy.not_finite) ? fail_positions(scene, label, view, 0) : GRAZE_OK;
}

/* Turns an object of floats into one of doubles: the values stay the same. */
bool object_widen_positions(graze_scene *scene, uint32_t index) {
  scene_object *object = &scene_objects(scene)[index];
  array wide;
  array_init(&wide, 3 * sizeof(double));
  if (!array_resize(&wide, &scene->memory, object->positions.count)) return false;
  const float *from = object->positions.data;
  double *to = wide.data;
  for (size_t i = 0; i < 3 * object->positions.count; i++) to[i] = (double)from[i];
  array_release(&object->positions, &scene->memory);
  object->positions = wide;
  object->is_double = true;
  scene_point_source(scene, index);
  return true;
}

void *object_position_at(const scene_object *object, size_t vertex) {
  return (unsigned char *)object->positions.data + vertex * object->positions.element_bytes;
}

graze_result scene_append_positions(graze_scene *scene, uint32_t index, const graze_view *positions) {
  scene_object *object = &scene_objects(scene)[index];
  const object_label label = scene_label(index, object->name);
  graze_result result = view_check(positions, GRAZE_FORMAT_DOUBLE3, "positions");
  if (result == GRAZE_OK) result = object_check_on_host(object, label.text);
  if (result != GRAZE_OK) return result;
  const size_t first = object->positions.count;
  if (positions->count > SCENE_NUMBER_LIMIT - first)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%s: %zu vertices and %zu more; at most %zu can be numbered", label.text,
                      first, positions->count, SCENE_NUMBER_LIMIT);
  if (positions->count == 0) return GRAZE_OK;
  if (positions->format == GRAZE_FORMAT_DOUBLE3 && !object->is_double && !object_widen_positions(scene, index))
    return scene_fail_memory(scene);
  if (!array_resize(&object->positions, &scene->memory, first + positions->count)) return scene_fail_memory(scene);
  scene_point_source(scene, index);
  result = scene_set_positions(scene, &label, positions, first, object->is_double, object_position_at(object, first));
  if (result != GRAZE_OK) {
    object->positions.count = first;
    return result;
  }
  object->has_local_box = false;
  scene_change_object(scene, index, CHANGED_TOPOLOGY);
  return GRAZE_OK;
}

graze_result object_check_on_host(const scene_object *object, const char *label) {
  if (object->device_positions == NULL) return GRAZE_OK;
  return fail(GRAZE_UNSUPPORTED, "%s: its positions are on the device; set all of them to move them to the host",
              label);
}

/* Finds an object whose positions are not on the host; NULL if there is none. */
const scene_object *scene_object_without_host(const graze_scene *scene) {
  for (size_t i = 0; i < scene_object_slots(scene); i++)
    if (scene_objects(scene)[i].device_positions != NULL) return &scene_objects(scene)[i];
  return NULL;
}

graze_result scene_check_on_host(const graze_scene *scene) {
  const scene_object *object = scene_object_without_host(scene);
  if (object == NULL) return GRAZE_OK;
  const uint32_t index = (uint32_t)(object - scene_objects(scene));
  return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: its positions are on the device, but this call runs on the host",
                    scene_label(index, object->name).text);
}
