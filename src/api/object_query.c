/* Reports objects: their kind, data and position, and the list of objects. Nothing here changes a scene or needs an
 * update: positions are posed as they are copied, with the arithmetic of an update.
 *
 * Workload: editors and bindings, at most once per frame and object. */
#include "analysis/object_surface.h"
#include "api/definitions.h"
#include "backend_cuda/device_backend.h"
#include "base/float_environment.h"
#include "broad/vertex_normalization.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- objects */

bool graze_object_is_valid(const graze_scene *scene, graze_object id) {
  return scene != NULL && scene_peek_object(scene, id) != NULL;
}

size_t graze_scene_object_count(const graze_scene *scene) {
  return scene != NULL ? scene->alive_count : 0;
}

graze_object graze_scene_next_object(const graze_scene *scene, graze_object previous) {
  if (scene == NULL) return (graze_object){0, 0};
  const size_t first = previous.generation == 0 ? 0 : (size_t)previous.index + 1;
  for (size_t i = first; i < scene_object_slots(scene); i++)
    if (scene_slots(scene)[i].alive) return (graze_object){(uint32_t)i, scene_slots(scene)[i].generation};
  return (graze_object){0, 0};
}

graze_result graze_scene_find_primitive(const graze_scene *scene, uint32_t object_number, uint32_t primitive_number,
                                        graze_object *object_out, uint32_t *primitive_out) {
  if (scene == NULL) return scene_fail_null("scene");
  const graze_result updated = scene_check_updated(scene);
  if (updated != GRAZE_OK) return updated;
  uint32_t slot, own;
  if (!scene_find_numbers(scene, object_number, primitive_number, &slot, &own))
    return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "there is no primitive %u of object %u, or it is removed",
                      primitive_number, object_number);
  if (object_out != NULL) *object_out = (graze_object){slot, scene_slots(scene)[slot].generation};
  if (primitive_out != NULL) *primitive_out = own;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- properties */

static graze_object_info info_of(const scene_object *object, const rigid_pose *pose) {
  graze_object_info info = {.struct_bytes = sizeof info,
                            .kind = object->elements.kind,
                            .format = object->is_double ? GRAZE_FORMAT_DOUBLE3 : GRAZE_FORMAT_FLOAT3,
                            .vertex_count = object->positions.count,
                            .primitive_count = object->elements.count,
                            .live_count = object->elements.count - object->removed_count,
                            .category = object->rule.category,
                            .mask = object->rule.mask,
                            .self = object->rule.self,
                            .global_numbers = object->numbers.given,
                            .global_object = object->numbers.object,
                            .global_primitive = object->numbers.primitive,
                            .global_vertex = object->numbers.vertex,
                            .name = object->name,
                            .user_data = object->user_data};
  info.pose = *pose;
  return info;
}

graze_result graze_object_get_info(const graze_scene *scene, graze_object id, graze_object_info *info_out) {
  if (scene == NULL) return scene_fail_null("scene");
  if (info_out == NULL) return scene_fail_null("output for the info");
  if (definition_capacity(&object_info_definition, info_out->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  const scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return GRAZE_NO_SUCH_OBJECT;
  const graze_object_info info = info_of(object, &scene_poses(scene)[id.index]);
  definition_answer(&object_info_definition, info_out, &info);
  return GRAZE_OK;
}

static graze_result copy_numbers(const graze_scene *scene, graze_object id, bool of_vertices, size_t first,
                                 size_t count, uint32_t *numbers_out) {
  const scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  const size_t there = of_vertices ? object->positions.count : object->elements.count;
  if (first > there || count > there - first)
    return scene_fail(
        scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: %zu numbers of %s starting at %zu were requested; the object has %zu",
        scene_label(id.index, object->name).text, count, of_vertices ? "vertices" : "primitives", first, there);
  if (count > 0 && numbers_out == NULL) return scene_fail_null("output for the numbers");
  object_numbers_copy(object, of_vertices, first, count, numbers_out);
  return GRAZE_OK;
}

graze_result graze_object_get_global_primitives(const graze_scene *scene, graze_object id, size_t first, size_t count,
                                                uint32_t *numbers_out) {
  return copy_numbers(scene, id, false, first, count, numbers_out);
}

graze_result graze_object_get_global_vertices(const graze_scene *scene, graze_object id, size_t first, size_t count,
                                              uint32_t *numbers_out) {
  return copy_numbers(scene, id, true, first, count, numbers_out);
}

void *graze_object_user_data(const graze_scene *scene, graze_object id) {
  const scene_object *object = scene != NULL ? scene_peek_object(scene, id) : NULL;
  return object != NULL ? object->user_data : NULL;
}

/* ---------------------------------------------------------------------------------------------- positions */

/* An object whose positions can be read here. */
typedef struct placed_object {
  const scene_object *object;
  object_source source;
  object_label label;
  rigid_pose pose;
  bool posed; /* posed positions are requested, and there is a pose */
} placed_object;

static graze_result place_object(const graze_scene *scene, graze_object id, bool after_pose,
                                 placed_object *placed_out) {
  const scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return scene_lookup_failure(scene);
  *placed_out = (placed_object){.object = object,
                                .source = {.positions = object->positions.data,
                                           .radii = object->radii.data,
                                           .is_double = object->is_double,
                                           .radii_are_double = object->radii.element_bytes == sizeof(double)},
                                .label = scene_label(id.index, object->name),
                                .pose = scene_poses(scene)[id.index],
                                .posed = after_pose && scene_slots(scene)[id.index].posed};
  return object_check_on_host(object, placed_out->label.text);
}

static void place_vertex(const placed_object *placed, size_t vertex, double position_out[3]) {
  fetch_vertex(&placed->source, (uint32_t)vertex, position_out);
  if (!placed->posed) return;
  double given[3];
  memcpy(given, position_out, sizeof given);
  pose_position(&placed->pose, given, position_out);
}

/* Checks that the values are finite in the type of the output, before the first is written. */
static graze_result check_places(const graze_scene *scene, const placed_object *placed, size_t first, size_t count,
                                 bool to_double) {
  if (to_double ? !placed->posed : !placed->posed && !placed->object->is_double) return GRAZE_OK;
  for (size_t i = first; i < first + count; i++) {
    double position[3];
    place_vertex(placed, i, position);
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(to_double ? position[axis] : float_value((float)position[axis])))
        return scene_fail(scene, GRAZE_NOT_FINITE, "%s: coordinate %c of vertex %zu is %g%s%s", placed->label.text,
                          'x' + axis, i, position[axis], placed->posed ? " after the pose" : "",
                          to_double ? "" : ", which exceeds the range of float");
  }
  return GRAZE_OK;
}

static graze_result copy_places(const graze_scene *scene, graze_object id, size_t first,
                                const graze_output_view *positions, bool after_pose) {
  placed_object placed;
  graze_result result = place_object(scene, id, after_pose, &placed);
  const graze_view view = {positions->data, positions->count, positions->stride_bytes, positions->format};
  if (result == GRAZE_OK) result = view_check(&view, GRAZE_FORMAT_DOUBLE3, "positions");
  if (result != GRAZE_OK) return result;
  const size_t count = placed.object->positions.count;
  if (first > count || view.count > count - first)
    return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: positions %zu to %zu are out of range; the object has %zu",
                      placed.label.text, first, first + view.count, count);
  const bool to_double = view.format == GRAZE_FORMAT_DOUBLE3;
  result = check_places(scene, &placed, first, view.count, to_double);
  for (size_t i = 0; i < view.count && result == GRAZE_OK; i++) {
    double position[3];
    place_vertex(&placed, first + i, position);
    const float narrow[3] = {(float)position[0], (float)position[1], (float)position[2]};
    unsigned char *to = (unsigned char *)positions->data + (view_at(&view, i) - (const unsigned char *)view.data);
    memcpy(to, to_double ? (const void *)position : (const void *)narrow, to_double ? sizeof position : sizeof narrow);
  }
  return result;
}

graze_result graze_object_get_positions(const graze_scene *scene, graze_object id, size_t first,
                                        graze_output_view positions) {
  GUARD_FLOAT_ENVIRONMENT();
  return copy_places(scene, id, first, &positions, false);
}

graze_result graze_object_get_posed_positions(const graze_scene *scene, graze_object id, size_t first,
                                              graze_output_view positions) {
  GUARD_FLOAT_ENVIRONMENT();
  return copy_places(scene, id, first, &positions, true);
}

graze_result graze_object_get_box(const graze_scene *scene, graze_object id, double min_out[3], double max_out[3]) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (min_out == NULL || max_out == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the output for the box of object %u is NULL", id.index);
  placed_object placed;
  graze_result result = place_object(scene, id, true, &placed);
  const size_t count = result == GRAZE_OK ? placed.object->positions.count : 0;
  if (result == GRAZE_OK) result = check_places(scene, &placed, 0, count, true);
  if (result != GRAZE_OK) return result;
  for (int axis = 0; axis < 3; axis++) {
    min_out[axis] = INFINITY;
    max_out[axis] = -INFINITY;
  }
  for (size_t i = 0; i < count; i++) {
    double position[3];
    place_vertex(&placed, i, position);
    const exact_box ball = exact_box_of_ball(position, radius_at(&placed.source, (uint32_t)i));
    for (int axis = 0; axis < 3; axis++) {
      min_out[axis] = ball.min[axis] < min_out[axis] ? ball.min[axis] : min_out[axis];
      max_out[axis] = ball.max[axis] > max_out[axis] ? ball.max[axis] : max_out[axis];
    }
  }
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- edges */

/* Open edges and shells of an object: graze_object_find_open_edges, graze_object_count_inward_shells. */

static graze_result check_surface(const graze_scene *scene, uint32_t slot) {
  const scene_object *object = &scene_objects(scene)[slot];
  const object_label label = scene_label(slot, object->name);
  graze_result result = object_check_on_host(object, label.text);
  if (result == GRAZE_OK) result = scene_check_kind(scene, slot, SUPPORTS_CONTAINMENT);
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
