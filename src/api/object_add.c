/* Creates, finds and removes objects, with checked copying of positions. */
#include "api/object_add.h"

#include "api/definitions.h"
#include "base/first_touch.h"
#include "base/float_environment.h"
#include "base/view.h"
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
static graze_result fill_rest(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                              scene_object *object) {
  object->rule = (object_rule){def->category, def->mask, def->self, false, 0};
  object->user_data = def->user_data;
  const graze_result result = object_numbers_fill(scene, label, def, object);
  if (result != GRAZE_OK || def->name == NULL) return result;
  object->name_bytes = strlen(def->name) + 1;
  object->name = memory_allocate(&scene->memory, object->name_bytes, 1);
  if (object->name == NULL) return scene_fail_memory(scene);
  memcpy(object->name, def->name, object->name_bytes);
  return GRAZE_OK;
}

static graze_result fill_object(graze_scene *scene, const graze_mesh_def *def, graze_kind kind, const cut_elements *cut,
                                uint32_t index, scene_object *object) {
  const object_label label = scene_label(index, def->name);
  object->is_double = def->positions.format == GRAZE_FORMAT_DOUBLE3;
  array_init(&object->positions, 3 * (object->is_double ? sizeof(double) : sizeof(float)));
  array_init(&object->radii, def->radii.format == GRAZE_FORMAT_DOUBLE ? sizeof(double) : sizeof(float));
  array_init(&object->erased, sizeof(uint8_t));
  object_elements_init(&object->elements, kind);
  graze_result result = object_fill_positions(scene, &label, &def->positions, object);
  if (result == GRAZE_OK)
    result = cut != NULL ? object_elements_take(scene, &label, cut, object)
                         : object_elements_fill(scene, &label, def, object);
  return result == GRAZE_OK ? fill_rest(scene, &label, def, object) : result;
}

static graze_result fill_from_shape(graze_scene *scene, graze_shape *shape, const graze_object_def *def, uint32_t index,
                                    scene_object *object) {
  const object_label label = scene_label(index, def->name);
  object_share(object, shape);
  array_init(&object->erased, sizeof(uint8_t));
  graze_mesh_def rest = graze_mesh_def_default();
  rest.name = def->name;
  rest.category = def->category;
  rest.mask = def->mask;
  rest.self = def->self;
  rest.user_data = def->user_data;
  rest.global_numbers = def->global_numbers;
  rest.global_object = def->global_object;
  rest.global_primitive = def->global_primitive;
  rest.global_vertex = def->global_vertex;
  return fill_rest(scene, &label, &rest, object);
}

/* Checks the views that a kind reads. */
static graze_result check_views(const graze_mesh_def *def, graze_kind kind) {
  const graze_result result = view_check(&def->positions, GRAZE_FORMAT_DOUBLE3, "positions");
  return result == GRAZE_OK ? object_elements_check(def, kind) : result;
}

/* Keeps an object if filling it succeeded, or releases it. */
static graze_result keep_object(graze_scene *scene, size_t slot, scene_object *made, graze_result filled,
                                graze_object *object_out) {
  if (filled != GRAZE_OK) {
    scene_object_release(scene, made);
    return filled;
  }
  const uint32_t generation = scene_keep_slot(scene, slot, made);
  scene->alive_count++;
  scene_change_object(scene, (uint32_t)slot, CHANGED_ALL);
  if (object_out != NULL) *object_out = (graze_object){(uint32_t)slot, generation};
  return GRAZE_OK;
}

graze_result scene_add_mesh(graze_scene *scene, const graze_mesh_def *def, graze_kind kind, const cut_elements *cut,
                            graze_object *object_out) {
  const size_t slot = scene_find_slot(scene);
  if (slot == SIZE_MAX) return scene_fail_memory(scene);
  scene_object made = {0};
  const graze_result result = fill_object(scene, def, kind, cut, (uint32_t)slot, &made);
  return keep_object(scene, slot, &made, result, object_out);
}

static graze_result add_object(graze_scene *scene, const graze_mesh_def *def_in, graze_kind kind,
                               graze_object *object_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  graze_mesh_def def;
  graze_result result = definition_read(&mesh_definition, def_in, false, &def);
  if (result == GRAZE_OK) result = check_views(&def, kind);
  return result == GRAZE_OK ? scene_add_mesh(scene, &def, kind, NULL, object_out) : result;
}

graze_result graze_scene_add_object(graze_scene *scene, graze_shape *shape, const graze_object_def *given,
                                    graze_object *object_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (shape == NULL) return scene_fail_null("shape");
  graze_object_def def;
  graze_result result = definition_read(&object_definition, given, true, &def);
  if (result != GRAZE_OK) return result;
  const size_t slot = scene_find_slot(scene);
  if (slot == SIZE_MAX) return scene_fail_memory(scene);
  if (def.pose != NULL && !pose_is_sound(def.pose))
    return fail_labeled_pose(scene, scene_label((uint32_t)slot, def.name).text, def.pose);
  scene_object made = {0};
  result = fill_from_shape(scene, shape, &def, (uint32_t)slot, &made);
  result = keep_object(scene, slot, &made, result, object_out);
  if (result != GRAZE_OK || def.pose == NULL) return result;
  scene_poses(scene)[slot] = *def.pose;
  scene_slots(scene)[slot].posed = !pose_is_identity(def.pose);
  return GRAZE_OK;
}

graze_result graze_scene_add_triangles(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_TRIANGLE, object_out);
}

graze_result graze_scene_add_polygons(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_POLYGON, object_out);
}

graze_result graze_scene_add_tetrahedra(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_TETRAHEDRON, object_out);
}

graze_result graze_scene_add_polyhedra(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_POLYHEDRON, object_out);
}

graze_result graze_scene_add_spheres(graze_scene *scene, const graze_mesh_def *def, graze_object *object_out) {
  return add_object(scene, def, GRAZE_KIND_SPHERE, object_out);
}

graze_result graze_scene_remove_object(graze_scene *scene, graze_object id) {
  if (scene == NULL) return scene_fail_null("scene");
  scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return GRAZE_NO_SUCH_OBJECT;
  scene_include_all(scene, id.index);
  scene_object_release(scene, object);
  scene_slots(scene)[id.index] = (object_slot){.generation = id.generation};
  scene->alive_count--;
  number_heap_add(&scene->free_slots, id.index);
  scene_change_object(scene, id.index, CHANGED_ALL);
  return GRAZE_OK;
}
