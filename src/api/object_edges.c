/* Open edges of an object: graze_object_find_open_edges. */
#include "analysis/surface_openings.h"
#include "api/definitions.h"
#include "base/float_environment.h"
#include "scene/object_lookup.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

#include <string.h>

static graze_result count_edges(const graze_scene *scene, uint32_t slot, graze_open_edges *fields) {
  const scene_object *object = &scene_objects(scene)[slot];
  const object_label label = scene_label(slot, object->name);
  surface_opening opening;
  graze_result result = object_check_on_host(object, label.text);
  if (result != GRAZE_OK) return result;
  if (kind_is_solid(object->elements.kind))
    return scene_fail(scene, GRAZE_UNSUPPORTED, "%s: %s are filled and have no open edges", label.text,
                      graze_kind_text(object->elements.kind, 2));
  result = surface_openings_find(&scene->sources[slot], object->positions.count, scene_scratch(scene), &opening);
  if (result == GRAZE_OUT_OF_MEMORY) return scene_fail_memory(scene);
  if (result != GRAZE_OK)
    return scene_fail(scene, result, "%s: too many triangles: their edges cannot be numbered", label.text);
  fields->count = opening.edge_count;
  fields->primitive = opening.element;
  fields->forward = opening.forward;
  fields->backward = opening.backward;
  memcpy(fields->from, opening.from, sizeof fields->from);
  memcpy(fields->to, opening.to, sizeof fields->to);
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
  if (result == GRAZE_OK) result = count_edges(scene, id.index, &fields);
  if (result == GRAZE_OK) definition_answer(&open_edges_definition, edges, &fields);
  return result;
}
