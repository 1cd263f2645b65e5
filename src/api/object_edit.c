/* Changes objects: positions, pose, filter, inserted and removed primitives. Every call succeeds completely or changes
 * nothing. */
#include "backend_cuda/device_backend.h"
#include "base/float_environment.h"
#include "scene/object_elements.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_change.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { POSE_GRAIN = 1024 };

graze_result graze_object_set_positions(graze_scene *scene, graze_object id, size_t first, graze_view positions) {
  GUARD_FLOAT_ENVIRONMENT();
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  const object_label label = scene_label(id.index, object->name);
  graze_result result = view_check(&positions, GRAZE_FORMAT_DOUBLE3, "positions");
  if (result != GRAZE_OK) return result;
  if (first > object->positions.count || positions.count > object->positions.count - first)
    return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: positions %zu to %zu are out of range; the object has %zu",
                      label.text, first, first + positions.count, object->positions.count);
  if (positions.count == 0) return GRAZE_OK;
  if (positions.count < object->positions.count) result = object_check_on_host(object, label.text);
  if (result == GRAZE_OK) result = object_unshare(scene, id.index);
  if (result != GRAZE_OK) return result;
  if (positions.format == GRAZE_FORMAT_DOUBLE3 && !object->is_double && !object_widen_positions(scene, id.index))
    return scene_fail_memory(scene);
  result = scene_set_positions(scene, &label, &positions, first, object->is_double, object_position_at(object, first));
  if (result != GRAZE_OK) return result;
  object->has_local_box = false;
  object->device_positions = NULL;
  scene_change_object(scene, id.index, CHANGED_POSITIONS);
  return GRAZE_OK;
}

graze_result graze_object_append_positions(graze_scene *scene, graze_object id, graze_view positions,
                                           uint32_t *first_out) {
  GUARD_FLOAT_ENVIRONMENT();
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  if (kind_is_ball(object->elements.kind))
    return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: spheres need radii; use graze_object_append_spheres",
                      scene_label(id.index, object->name).text);
  const size_t first = object->positions.count;
  const object_label label = scene_label(id.index, object->name);
  graze_result result = object_numbers_check_growth(scene, &label, object, false, true);
  if (result == GRAZE_OK) result = object_unshare(scene, id.index);
  if (result == GRAZE_OK) result = scene_append_positions(scene, id.index, &positions);
  if (result == GRAZE_OK && first_out != NULL) *first_out = (uint32_t)first;
  return result;
}

/* The part of scene_change_object for one object. Setting an equal pose is not a change for a device. */
static void place_object(graze_scene *scene, uint32_t index, const rigid_pose *given) {
  object_slot *slot = &scene_slots(scene)[index];
  rigid_pose *pose = &scene_poses(scene)[index];
  slot->changes |= CHANGED_POSE;
  if (memcmp(pose, given, sizeof *pose) == 0) return;
  *pose = *given;
  slot->changed = scene->stamps.changed + 1; /* the stamp that note_poses takes */
  slot->posed = !pose_is_identity(pose);
  if (scene_is_numbered(scene)) scene->sources[index].pose = slot->posed ? pose : NULL;
  slot->device_changes |= CHANGED_POSE;
}

static void note_poses(graze_scene *scene) {
  scene->device_change_union |= CHANGED_POSE;
  scene_touch(scene, false);
}

graze_result graze_object_set_pose(graze_scene *scene, graze_object id, const graze_pose *pose) {
  GUARD_FLOAT_ENVIRONMENT();
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  if (pose == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the pose is NULL", scene_label(id.index, object->name).text);
  if (!pose_is_sound(pose)) return fail_pose(scene, id, NULL, 0, pose);
  place_object(scene, id.index, pose);
  note_poses(scene);
  return GRAZE_OK;
}

/* Sets poses of many objects, up to 10^5 a frame, with all workers. */
typedef struct pose_list {
  graze_scene *scene;
  const graze_object *objects;
  const graze_pose *poses;
  _Atomic(size_t) refused;     /* the lowest that cannot be set; only decreases */
  _Atomic(bool) not_ascending; /* an object may be listed twice; never cleared */
} pose_list;

static void check_poses(void *context, size_t first, size_t end, uint32_t worker) {
  pose_list *list = context;
  (void)worker;
  bool ascending = true;
  for (size_t i = first; i < end; i++) {
    ascending = ascending && (i == 0 || list->objects[i - 1].index < list->objects[i].index);
    if (scene_peek_object(list->scene, list->objects[i]) != NULL && pose_is_sound(&list->poses[i])) continue;
    size_t lowest = atomic_load(&list->refused);
    while (i < lowest && !atomic_compare_exchange_weak(&list->refused, &lowest, i)) {
    }
    return;
  }
  if (!ascending) atomic_store(&list->not_ascending, true);
}

static void place_poses(void *context, size_t first, size_t end, uint32_t worker) {
  const pose_list *list = context;
  (void)worker;
  for (size_t i = first; i < end; i++) place_object(list->scene, list->objects[i].index, &list->poses[i]);
}

static graze_result fail_poses(const pose_list *list, size_t place) {
  const graze_object id = list->objects[place];
  if (scene_peek_object(list->scene, id) == NULL)
    return scene_fail(list->scene, GRAZE_NO_SUCH_OBJECT, "pose %zu: object %u of generation %u is not in the scene",
                      place, id.index, id.generation);
  return fail_pose(list->scene, id, "pose", place, &list->poses[place]);
}

graze_result graze_scene_set_poses(graze_scene *scene, const graze_object *objects, size_t count,
                                   const graze_pose *poses) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (count == 0) return GRAZE_OK;
  if (objects == NULL || poses == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the %s of %zu objects are NULL",
                      objects == NULL ? "ids" : "poses", count);
  pose_list list = {scene, objects, poses, count, false};
  workers_for(scene->workers, count, POSE_GRAIN, check_poses, &list);
  const size_t refused = atomic_load(&list.refused);
  if (refused < count) return fail_poses(&list, refused);
  /* If an object is listed twice, its last pose applies, so only one thread may set them. */
  if (atomic_load(&list.not_ascending))
    place_poses(&list, 0, count, 0);
  else
    workers_for(scene->workers, count, POSE_GRAIN, place_poses, &list);
  note_poses(scene);
  return GRAZE_OK;
}

graze_result graze_object_set_user_data(graze_scene *scene, graze_object id, void *user_data) {
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  object->user_data = user_data;
  return GRAZE_OK;
}

graze_result graze_object_set_filter(graze_scene *scene, graze_object id, uint64_t category, uint64_t mask, bool self) {
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  object->rule = (object_rule){category, mask, self, object->rule.excludes, object->rule.part_of};
  scene_change_object(scene, id.index, CHANGED_FILTER);
  return GRAZE_OK;
}

/* Appends elements; on failure the counts are unchanged. */
static graze_result append_elements(graze_scene *scene, uint32_t index, const graze_view *more) {
  scene_object *object = &scene_objects(scene)[index];
  object_elements *elements = &object->elements;
  const object_label label = scene_label(index, object->name);
  const size_t first = elements->count;
  const bool marks = object->removed.count > 0;
  graze_result result = GRAZE_OK;
  if (!array_resize(&elements->corners, &scene->memory, first + more->count)) return scene_fail_memory(scene);
  scene_point_source(scene, index);
  if (marks && !array_resize(&object->removed, &scene->memory, first + more->count)) result = scene_fail_memory(scene);
  scene_point_source(scene, index);
  if (result == GRAZE_OK)
    result = object_elements_copy(
        scene, &label, more, elements->kind, first, object->positions.count,
        (uint32_t *)(void *)((unsigned char *)elements->corners.data + first * elements->corners.element_bytes));
  if (result != GRAZE_OK) {
    elements->corners.count = first;
    if (marks) object->removed.count = first;
    return result;
  }
  if (marks) memset(ARRAY_AS(uint8_t, &object->removed) + first, 0, more->count);
  elements->count = first + more->count;
  scene_change_object(scene, index, CHANGED_TOPOLOGY);
  return GRAZE_OK;
}

graze_result graze_object_append_primitives(graze_scene *scene, graze_object id, graze_view more, uint32_t *first_out) {
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  const object_label label = scene_label(id.index, object->name);
  const graze_kind kind = object->elements.kind;
  const char *words = graze_kind_text(kind, 2);
  const int format = kind_row_of(kind).insert_format;
  if (format == CANNOT_INSERT)
    return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: %s cannot be inserted; create a new object", label.text, words);
  graze_result result = view_check(&more, (graze_format)format, words);
  if (result == GRAZE_OK) result = object_numbers_check_growth(scene, &label, object, true, false);
  if (result != GRAZE_OK) return result;
  const size_t first = object->elements.count;
  if (more.count > SCENE_NUMBER_LIMIT - first)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%s: %zu %s and %zu more; at most %zu can be numbered", label.text, first,
                      words, more.count, SCENE_NUMBER_LIMIT);
  if (more.count > 0) result = object_unshare(scene, id.index);
  if (result == GRAZE_OK && more.count > 0) result = append_elements(scene, id.index, &more);
  if (result == GRAZE_OK && first_out != NULL) *first_out = (uint32_t)first;
  return result;
}

/* Marks primitives as removed until one cannot be; returns the number of marked ones. */
static size_t mark_removed(uint8_t *removed, size_t element_count, const uint32_t *primitives, size_t count) {
  size_t done = 0;
  while (done < count && primitives[done] < element_count && removed[primitives[done]] == 0)
    removed[primitives[done++]] = 1;
  return done;
}

/* Reuses removed numbers at the end, if elements can be appended to the object. */
static void drop_last_removed(scene_object *object) {
  object_elements *elements = &object->elements;
  if (kind_row_of(elements->kind).insert_format == CANNOT_INSERT) return;
  const uint8_t *removed = object->removed.data;
  while (elements->count > 0 && removed[elements->count - 1] != 0) {
    elements->count--;
    object->removed_count--;
  }
  elements->corners.count = object->removed.count = elements->count;
}

graze_result graze_object_remove_primitives(graze_scene *scene, graze_object id, const uint32_t *primitives,
                                            size_t count) {
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  const object_label label = scene_label(id.index, object->name);
  const graze_kind kind = object->elements.kind;
  if (count == 0) return GRAZE_OK;
  if (primitives == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu %s to remove is NULL", count,
                      graze_kind_text(kind, 2));
  const graze_result own = object_unshare(scene, id.index);
  if (own != GRAZE_OK) return own;
  const size_t element_count = object->elements.count;
  if (object->removed.count == 0 && element_count > 0) {
    if (!array_resize(&object->removed, &scene->memory, element_count)) return scene_fail_memory(scene);
    memset(object->removed.data, 0, element_count);
  }
  uint8_t *removed = object->removed.data;
  const size_t done = mark_removed(removed, element_count, primitives, count);
  if (done < count) {
    for (size_t i = 0; i < done; i++) removed[primitives[i]] = 0;
    return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: %s %u cannot be removed: %s", label.text,
                      graze_kind_text(kind, 1), primitives[done],
                      primitives[done] < element_count ? "it is already removed" : "there is none");
  }
  object->removed_count += count;
  drop_last_removed(object);
  scene_change_object(scene, id.index, CHANGED_TOPOLOGY);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- radii */

/* Radii of objects of spheres: set, read, and inserted with their centers. Every call succeeds completely or changes
 * nothing. */

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
  *object_out = scene_find_object(scene, id);
  if (*object_out == NULL) return scene_lookup_failure(scene);
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
  const bool marks = object->removed.count > 0;
  const bool reserved = array_reserve(&object->radii, heap, count) &&
                        array_reserve(&object->elements.corners, heap, count) &&
                        (!marks || array_reserve(&object->removed, heap, count));
  scene_point_source(scene, index);
  return reserved;
}

static void append_spheres(graze_scene *scene, uint32_t index, size_t count) {
  scene_object *object = &scene_objects(scene)[index];
  object_elements *elements = &object->elements;
  const size_t first = elements->count;
  if (object->removed.count > 0) {
    memset(ARRAY_AS(uint8_t, &object->removed) + first, 0, count);
    object->removed.count = first + count;
  }
  for (size_t i = first; i < first + count; i++) ARRAY_AS(uint32_t, &elements->corners)[i] = (uint32_t)i;
  elements->corners.count = elements->count = object->radii.count = first + count;
  scene_change_object(scene, index, CHANGED_TOPOLOGY);
}

graze_result graze_object_append_spheres(graze_scene *scene, graze_object id, graze_view positions, graze_view radii,
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
