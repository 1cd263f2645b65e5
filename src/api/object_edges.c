/* Open edges and shells of an object: graze_object_find_open_edges, graze_object_count_inward_shells. */
#include "analysis/surface_openings.h"
#include "api/definitions.h"
#include "base/float_environment.h"
#include "scene/object_lookup.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

#include <string.h>

static graze_result check_surface(const graze_scene *scene, uint32_t slot) {
  const scene_object *object = &scene_objects(scene)[slot];
  const object_label label = scene_label(slot, object->name);
  const graze_result result = object_check_on_host(object, label.text);
  if (result != GRAZE_OK || !kind_is_solid(object->elements.kind)) return result;
  return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: %s are filled and have no open edges", label.text,
                    graze_kind_text(object->elements.kind, 2));
}

static graze_result fail_edges(const graze_scene *scene, uint32_t slot, graze_result result) {
  if (result != GRAZE_TOO_LARGE) return result == GRAZE_OK ? result : scene_fail_memory(scene);
  return scene_fail(scene, result, "%s: too many triangles: their edges cannot be numbered",
                    scene_label(slot, scene_objects(scene)[slot].name).text);
}

static graze_result count_edges(const graze_scene *scene, uint32_t slot, graze_open_edges *fields) {
  surface_opening opening;
  const graze_result result = surface_openings_find(&scene->sources[slot], scene_objects(scene)[slot].positions.count,
                                                    scene_scratch(scene), OPENING_ALL_COUNTS, &opening);
  if (result != GRAZE_OK) return fail_edges(scene, slot, result);
  fields->count = opening.edge_count;
  fields->primitive = opening.element;
  fields->forward = opening.forward;
  fields->backward = opening.backward;
  memcpy(fields->from, opening.from, sizeof fields->from);
  memcpy(fields->to, opening.to, sizeof fields->to);
  fields->open_count = opening.open_count;
  fields->reversed_count = opening.reversed_count;
  fields->non_manifold_count = opening.crowded_count;
  return GRAZE_OK;
}

graze_result graze_object_find_open_edges(const graze_scene *scene, graze_object id, graze_open_edges *edges) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (edges == NULL) return scene_fail_null("output for the open edges");
  if (definition_capacity(&open_edges_definition, edges->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  if (scene_find_object(scene, id) == NULL) return GRAZE_NO_SUCH_OBJECT;
  graze_result result = scene_check_updated(scene);
  graze_open_edges fields = {.struct_bytes = sizeof fields};
  if (result == GRAZE_OK) result = check_surface(scene, id.index);
  if (result == GRAZE_OK) result = count_edges(scene, id.index, &fields);
  if (result == GRAZE_OK) definition_answer(&open_edges_definition, edges, &fields);
  return result;
}

graze_result graze_object_count_inward_shells(const graze_scene *scene, graze_object id, uint32_t *count_out,
                                              uint32_t *primitive_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (count_out == NULL || primitive_out == NULL) return scene_fail_null("output for the inward shells");
  if (scene_find_object(scene, id) == NULL) return GRAZE_NO_SUCH_OBJECT;
  graze_result result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = check_surface(scene, id.index);
  if (result != GRAZE_OK) return result;
  surface_inversion inversion;
  result = surface_inversion_find(&scene->sources[id.index], scene_objects(scene)[id.index].positions.count,
                                  scene->workers, scene_scratch(scene), &inversion);
  if (result != GRAZE_OK) return fail_edges(scene, id.index, result);
  *count_out = inversion.shell_count;
  *primitive_out = inversion.element;
  return GRAZE_OK;
}
