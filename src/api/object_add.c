/* Creates, finds and removes objects, with checked copying of positions. */
#include "api/object_add.h"

#include "api/definitions.h"
#include "base/float_environment.h"
#include "base/view.h"
#include "base/workers.h"
#include "broad/kind_table.h"
#include "graze/shape.h"
#include "scene/object_exclusions.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_change.h"
#include "scene/scene_data.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Fills the fields of an object other than its positions and elements, which are filled before. */
static graze_result fill_rest(graze_scene *scene, const object_label *label, const graze_object_def *def,
                              const char *name, scene_object *object) {
  object->rule = (object_rule){def->category, def->mask, def->self, false, 0};
  object->user_data = def->user_data;
  const graze_result result = object_numbers_fill(scene, label, def, object);
  if (result != GRAZE_OK || name == NULL) return result;
  object->name_bytes = strlen(name) + 1;
  object->name = memory_allocate(&scene->memory, object->name_bytes, 1);
  if (object->name == NULL) return scene_fail_memory(scene);
  memcpy(object->name, name, object->name_bytes);
  return GRAZE_OK;
}

static graze_result fill_object(graze_scene *scene, graze_kind kind, const graze_mesh_def *mesh,
                                const graze_object_def *def, const cut_elements *cut, uint32_t index,
                                scene_object *object) {
  const char *name = def->name != NULL ? def->name : mesh->name;
  const object_label label = scene_label(index, name);
  object->is_double = mesh->positions.format == GRAZE_FORMAT_DOUBLE3;
  array_init(&object->positions, 3 * (object->is_double ? sizeof(double) : sizeof(float)));
  array_init(&object->radii, mesh->radii.format == GRAZE_FORMAT_DOUBLE ? sizeof(double) : sizeof(float));
  array_init(&object->removed, sizeof(uint8_t));
  object_elements_init(&object->elements, kind);
  graze_result result = object_fill_positions(scene, &label, &mesh->positions, object);
  if (result == GRAZE_OK)
    result = cut != NULL ? object_elements_take(scene, &label, cut, object)
                         : object_elements_fill(scene, &label, mesh, object);
  return result == GRAZE_OK ? fill_rest(scene, &label, def, name, object) : result;
}

static graze_result fill_from_shape(graze_scene *scene, graze_shape *shape, const graze_object_def *def, uint32_t index,
                                    scene_object *object) {
  const object_label label = scene_label(index, def->name);
  object_share(object, shape);
  array_init(&object->removed, sizeof(uint8_t));
  if (def->global_numbers && (def->global_primitives.count > 0 || def->global_vertices.count > 0))
    return scene_fail(scene, GRAZE_UNSUPPORTED,
                      "%s: an object that shares a shape has no number for each primitive or vertex", label.text);
  return fill_rest(scene, &label, def, def->name, object);
}

/* Checks the views that a kind reads. */
static graze_result check_views(const graze_mesh_def *def, graze_kind kind) {
  const graze_result result = view_check(&def->positions, GRAZE_FORMAT_DOUBLE3, "positions");
  return result == GRAZE_OK ? object_elements_check(def, kind) : result;
}

/* Keeps an object in its pose if filling it succeeded, or releases it. */
static graze_result keep_object(graze_scene *scene, size_t slot, scene_object *made, const graze_pose *pose_or_null,
                                graze_result filled, graze_object *object_out) {
  if (filled != GRAZE_OK) {
    scene_object_release(scene, made);
    return filled;
  }
  const uint32_t generation = scene_keep_slot(scene, slot, made);
  scene->alive_count++;
  scene_change_object(scene, (uint32_t)slot, CHANGED_ALL);
  if (pose_or_null != NULL) {
    scene_poses(scene)[slot] = *pose_or_null;
    scene_slots(scene)[slot].posed = !pose_is_identity(pose_or_null);
  }
  if (object_out != NULL) *object_out = (graze_object){(uint32_t)slot, generation};
  return GRAZE_OK;
}

/* Reads the definition of the object in a slot, and checks its pose. */
static graze_result read_definition(const graze_scene *scene, size_t slot, const graze_object_def *given_or_null,
                                    graze_object_def *def_out) {
  const graze_result result = definition_read(&object_definition, given_or_null, true, def_out);
  if (result != GRAZE_OK || def_out->pose == NULL || pose_is_sound(def_out->pose)) return result;
  return fail_labeled_pose(scene, scene_label((uint32_t)slot, def_out->name).text, def_out->pose);
}

graze_result scene_add_mesh(graze_scene *scene, graze_kind kind, const graze_mesh_def *mesh,
                            const graze_object_def *given_or_null, const cut_elements *cut, graze_object *object_out) {
  const size_t slot = scene_find_slot(scene);
  if (slot == SIZE_MAX) return scene_fail_memory(scene);
  graze_object_def def;
  graze_result result = read_definition(scene, slot, given_or_null, &def);
  if (result != GRAZE_OK) return result;
  scene_object made = {0};
  result = fill_object(scene, kind, mesh, &def, cut, (uint32_t)slot, &made);
  return keep_object(scene, slot, &made, def.pose, result, object_out);
}

graze_result graze_scene_add(graze_scene *scene, graze_kind kind, const graze_mesh_def *given_mesh,
                             const graze_object_def *given, graze_object *object_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (kind_row_of(kind).support == 0) /* the row of no kind */
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "unknown kind number %d", (int)kind);
  graze_mesh_def mesh;
  graze_result result = definition_read(&mesh_definition, given_mesh, false, &mesh);
  if (result == GRAZE_OK) result = check_views(&mesh, kind);
  return result == GRAZE_OK ? scene_add_mesh(scene, kind, &mesh, given, NULL, object_out) : result;
}

graze_result graze_scene_add_shape(graze_scene *scene, graze_shape *shape, const graze_object_def *given,
                                   graze_object *object_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (shape == NULL) return scene_fail_null("shape");
  const size_t slot = scene_find_slot(scene);
  if (slot == SIZE_MAX) return scene_fail_memory(scene);
  graze_object_def def;
  graze_result result = read_definition(scene, slot, given, &def);
  if (result != GRAZE_OK) return result;
  scene_object made = {0};
  result = fill_from_shape(scene, shape, &def, (uint32_t)slot, &made);
  return keep_object(scene, slot, &made, def.pose, result, object_out);
}

graze_result graze_scene_remove_object(graze_scene *scene, graze_object id) {
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  scene_include_all(scene, id.index);
  scene_object_release(scene, object);
  scene_slots(scene)[id.index] = (object_slot){.generation = id.generation};
  scene->alive_count--;
  number_heap_add(&scene->free_slots, id.index);
  scene_change_object(scene, id.index, CHANGED_ALL);
  return GRAZE_OK;
}
