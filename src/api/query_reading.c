/* Queries of callers; see query_reading.h. */
#include "api/query_reading.h"

#include "api/definitions.h"
#include "backend/backend.h"
#include "broad/kind_table.h"
#include "scene/object_lookup.h"
#include "scene/scene_failure.h"

#include <float.h>

static graze_result check_box(const graze_scene *scene, const graze_query *query) {
  for (int axis = 0; axis < 3; axis++)
    if (!(query->box_min[axis] <= query->box_max[axis]))
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the box of the query is inverted: %c from %g to %g", 'x' + axis,
                        query->box_min[axis], query->box_max[axis]);
  return GRAZE_OK;
}

static graze_result check_focus(const graze_scene *scene, const graze_query *query) {
  if (query->stop_after != 0 && query->pair_limit != 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                      "a query may have a pair_limit (the first pairs) or a stop_after (any pairs), not both");
  if (query->about_count > 2)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "about_count must be 0, 1 or 2, not %u", query->about_count);
  if (query->about_count > 0 && scene_find_object(scene, query->about_a) == NULL) return GRAZE_NO_SUCH_OBJECT;
  if (query->about_count > 1 && scene_find_object(scene, query->about_b) == NULL) return GRAZE_NO_SUCH_OBJECT;
  return query->in_box ? check_box(scene, query) : GRAZE_OK;
}

/* On a fine mesh, this many rings contain some ten thousand primitives, which are visited for each primitive. */
enum { CLEARANCE_RINGS_MOST = 64 };

static graze_result check_clearance(const graze_scene *scene, const graze_query *query) {
  if (!(query->clearance >= 0.0 && query->clearance <= DBL_MAX))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                      "the clearance of the query is %g: it must be finite and not negative", query->clearance);
  if (query->clearance_rings > CLEARANCE_RINGS_MOST)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "clearance_rings is %zu: at most %d are allowed",
                      query->clearance_rings, CLEARANCE_RINGS_MOST);
  const bool has_rings = query->clearance > 0.0 && query->clearance_rings > 1;
  if (has_rings && (query->scope & GRAZE_SCOPE_WITHIN) != 0 && scene_has_parts(scene))
    return scene_fail(scene, GRAZE_UNSUPPORTED,
                      "clearance_rings is %zu: rings are not counted across the parts of one object "
                      "(equal global_object); at most 1 is possible",
                      query->clearance_rings);
  return GRAZE_OK;
}

/* The rule beyond is only defined for triangles and polygons. */
static graze_result check_neighbor_rule(const graze_scene *scene, const graze_query *query) {
  if (query->neighbors == GRAZE_NEIGHBORS_SKIP || (query->scope & GRAZE_SCOPE_WITHIN) == 0 ||
      (scene->unsupported & SUPPORTS_BEYOND) == 0)
    return GRAZE_OK;
  for (uint32_t i = 0; i < scene->object_count; i++) {
    const scene_object *object = &scene_objects(scene)[i];
    if (!kind_supports(object->elements.kind, SUPPORTS_BEYOND) && object->elements.count > 0 && object->rule.self)
      return scene_fail(scene, GRAZE_UNSUPPORTED,
                        "%s: pairs of %s within an object support only the neighbor rule skip",
                        scene_label(i, object->name).text, graze_kind_text(object->elements.kind, 2));
  }
  return GRAZE_OK;
}

graze_result scene_check_test(const graze_scene *scene, graze_test test) {
  if ((unsigned)test > GRAZE_TEST_GJK)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "unknown pair test number %d", (int)test);
  return GRAZE_OK;
}

graze_result scene_read_query(const graze_scene *scene, const graze_query *given_or_null, graze_query *query_out) {
  graze_result result = definition_read(&query_definition, given_or_null, true, query_out);
  if (result != GRAZE_OK) return result;
  if (query_out->scope < GRAZE_SCOPE_BETWEEN || query_out->scope > GRAZE_SCOPE_BOTH)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "unknown scope number %d", (int)query_out->scope);
  if (query_out->neighbors != GRAZE_NEIGHBORS_SKIP && query_out->neighbors != GRAZE_NEIGHBORS_BEYOND)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "unknown neighbor rule number %d", (int)query_out->neighbors);
  result = scene_check_test(scene, query_out->test);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = check_clearance(scene, query_out);
  if (result == GRAZE_OK && query_out->clearance > 0.0) result = scene_check_kinds(scene, SUPPORTS_DISTANCES);
  if (result == GRAZE_OK) result = check_focus(scene, query_out);
  return result == GRAZE_OK ? check_neighbor_rule(scene, query_out) : result;
}
