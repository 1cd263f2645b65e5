/* Radii of objects of spheres: set, read, and inserted with their centers. Every call succeeds completely or changes
 * nothing. */
#include "backend_cuda/device_backend.h"
#include "base/float_environment.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/object_shape.h"
#include "scene/scene_change.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/sphere_radii.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Turns floats into doubles: the values stay the same. */
static bool widen_radii(graze_scene *scene, uint32_t index) {
  scene_object *object = &scene_objects(scene)[index];
  array wide;
  array_init(&wide, sizeof(double));
  if (!array_resize(&wide, &scene->memory, object->radii.count)) return false;
  for (size_t i = 0; i < wide.count; i++) ARRAY_AS(double, &wide)[i] = (double)ARRAY_AS(float, &object->radii)[i];
  array_release(&object->radii, &scene->memory);
  object->radii = wide;
  scene_point_source(scene, index);
  return true;
}

static bool radii_are_double(const scene_object *object) {
  return object->radii.element_bytes == sizeof(double);
}

static void *radius_place(const scene_object *object, size_t sphere) {
  return (unsigned char *)object->radii.data + sphere * object->radii.element_bytes;
}

/* Finds an object of spheres, or sets a message. */
static graze_result find_spheres(const graze_scene *scene, graze_object id, scene_object **object_out,
                                 object_label *label_out) {
  if (scene == NULL) return scene_fail_null("scene");
  *object_out = scene_find_object(scene, id);
  if (*object_out == NULL) return GRAZE_NO_SUCH_OBJECT;
  *label_out = scene_label(id.index, (*object_out)->name);
  const graze_kind kind = (*object_out)->elements.kind;
  if (!kind_is_ball(kind))
    return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: %s have no radii", label_out->text, graze_kind_text(kind, 2));
  return GRAZE_OK;
}

static graze_result check_range(const graze_scene *scene, const object_label *label, size_t first, size_t count,
                                size_t there, const char *what) {
  if (first <= there && count <= there - first) return GRAZE_OK;
  return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: radii %zu to %zu are %s, but the object has %zu", label->text,
                    first, first + count, what, there);
}

graze_result graze_object_set_radii(graze_scene *scene, graze_object id, size_t first, graze_view radii) {
  GUARD_FLOAT_ENVIRONMENT();
  scene_object *object = NULL;
  object_label label;
  graze_result result = find_spheres(scene, id, &object, &label);
  if (result == GRAZE_OK) result = view_check(&radii, GRAZE_FORMAT_DOUBLE, "radii");
  if (result == GRAZE_OK) result = check_range(scene, &label, first, radii.count, object->radii.count, "set");
  if (result == GRAZE_OK) result = scene_check_radii(scene, &label, &radii, first);
  if (result == GRAZE_OK && radii.count > 0) result = object_unshare(scene, id.index);
  if (result != GRAZE_OK || radii.count == 0) return result;
  if (radii.format == GRAZE_FORMAT_DOUBLE && !radii_are_double(object) && !widen_radii(scene, id.index))
    return scene_fail_memory(scene);
  result = scene_copy_radii(scene, &label, &radii, first, radii_are_double(object), radius_place(object, first));
  if (result == GRAZE_OK) scene_change_object(scene, id.index, CHANGED_POSITIONS | CHANGED_ATTRIBUTES);
  return result;
}

graze_result graze_object_get_radii(const graze_scene *scene, graze_object id, size_t first, graze_output_view radii) {
  GUARD_FLOAT_ENVIRONMENT();
  scene_object *object = NULL;
  object_label label;
  const graze_view view = {radii.data, radii.count, radii.stride_bytes, radii.format};
  graze_result result = find_spheres(scene, id, &object, &label);
  if (result == GRAZE_OK) result = view_check(&view, GRAZE_FORMAT_DOUBLE, "radii");
  if (result == GRAZE_OK) result = check_range(scene, &label, first, radii.count, object->radii.count, "requested");
  if (result != GRAZE_OK) return result;
  const object_source source = {.radii = object->radii.data, .radii_are_double = radii_are_double(object)};
  const bool to_double = radii.format == GRAZE_FORMAT_DOUBLE;
  for (size_t i = first; i < first + radii.count && !to_double; i++)
    if (radius_at(&source, (uint32_t)i) > (double)FLT_MAX)
      return scene_fail(scene, GRAZE_NOT_FINITE, "%s: the radius of sphere %zu is %g, which exceeds the range of float",
                        label.text, i, radius_at(&source, (uint32_t)i));
  for (size_t i = 0; i < radii.count; i++) {
    const double radius = radius_at(&source, (uint32_t)(first + i));
    const float narrow = (float)radius;
    unsigned char *to = (unsigned char *)radii.data + (view_at(&view, i) - (const unsigned char *)view.data);
    memcpy(to, to_double ? (const void *)&radius : (const void *)&narrow, to_double ? sizeof radius : sizeof narrow);
  }
  return GRAZE_OK;
}

/* Reserves memory for everything appended with the centers; it is not visible until the count of spheres changes. */
static bool reserve_spheres(graze_scene *scene, uint32_t index, size_t count) {
  scene_object *object = &scene_objects(scene)[index];
  memory *heap = &scene->memory;
  const bool marks = object->erased.count > 0;
  const bool reserved = array_reserve(&object->radii, heap, count) &&
                        array_reserve(&object->elements.corners, heap, count) &&
                        (!marks || array_reserve(&object->erased, heap, count));
  scene_point_source(scene, index);
  return reserved;
}

static void append_spheres(graze_scene *scene, uint32_t index, size_t count) {
  scene_object *object = &scene_objects(scene)[index];
  object_elements *elements = &object->elements;
  const size_t first = elements->count;
  if (object->erased.count > 0) {
    memset(ARRAY_AS(uint8_t, &object->erased) + first, 0, count);
    object->erased.count = first + count;
  }
  for (size_t i = first; i < first + count; i++) ARRAY_AS(uint32_t, &elements->corners)[i] = (uint32_t)i;
  elements->corners.count = elements->count = object->radii.count = first + count;
  scene_change_object(scene, index, CHANGED_TOPOLOGY);
}

graze_result graze_object_insert_spheres(graze_scene *scene, graze_object id, graze_view positions, graze_view radii,
                                         uint32_t *first_out) {
  GUARD_FLOAT_ENVIRONMENT();
  scene_object *object = NULL;
  object_label label;
  graze_result result = find_spheres(scene, id, &object, &label);
  if (result == GRAZE_OK) result = view_check(&radii, GRAZE_FORMAT_DOUBLE, "radii");
  if (result == GRAZE_OK) result = object_numbers_check_growth(scene, &label, object, true, true);
  if (result != GRAZE_OK) return result;
  const size_t first = object->elements.count;
  if (positions.count != radii.count)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: %zu spheres have %zu radii", label.text, positions.count,
                      radii.count);
  result = scene_check_radii(scene, &label, &radii, first);
  if (result == GRAZE_OK && positions.count > 0) result = object_unshare(scene, id.index);
  if (result != GRAZE_OK) return result;
  if (positions.count > 0) {
    if (radii.format == GRAZE_FORMAT_DOUBLE && !radii_are_double(object) && !widen_radii(scene, id.index))
      return scene_fail_memory(scene);
    if (positions.count <= SCENE_NUMBER_LIMIT - first && !reserve_spheres(scene, id.index, first + positions.count))
      return scene_fail_memory(scene);
    result = scene_append_positions(scene, id.index, &positions); /* the last step that can fail */
    if (result != GRAZE_OK) return result;
    (void)scene_copy_radii(scene, &label, &radii, first, radii_are_double(object), radius_place(object, first));
    append_spheres(scene, id.index, positions.count);
  }
  if (first_out != NULL) *first_out = (uint32_t)first;
  return GRAZE_OK;
}
