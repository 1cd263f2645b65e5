/* Objects that are set to a part of a later frame, and stamps that show whether an object has changed.
 *
 * Workload: a host that divides a moving scene, each frame: most parts have the same primitives as before. */
#include "api/part_bytes.h"
#include "base/float_environment.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <string.h>

/* An object, and the part that it is set to. */
typedef struct part_match {
  const scene_object *object;
  object_source source;
  part_header part;
  part_layout layout;
  const unsigned char *bytes;
} part_match;

static bool same_bytes(const part_match *match, size_t place, const void *own, size_t bytes) {
  return bytes == 0 || memcmp(match->bytes + place, own, bytes) == 0;
}

static bool has_same_counts(const part_match *match) {
  const scene_object *object = match->object;
  const part_header *part = &match->part;
  return object->numbers.given && object->numbers.object == part->object &&
         object->positions.count == part->vertex_count && object->elements.count == part->primitive_count &&
         object->erased_count == 0 && object->is_double == (part->is_double != 0) && object->device_positions == NULL &&
         (match->source.radii == NULL || match->source.radii_are_double == (part->radii_are_double != 0));
}

static bool has_same_numbers(const part_match *match, bool of_vertices) {
  const object_numbers *numbers = &match->object->numbers;
  const part_header *part = &match->part;
  const array *each = of_vertices ? &numbers->vertices : &numbers->primitives;
  const bool follow = of_vertices ? part->vertices_follow : part->primitives_follow;
  if (follow != (each->count == 0)) return false;
  if (follow && of_vertices) return numbers->vertex == part->first_vertex;
  if (follow) return numbers->primitive == part->first_primitive;
  return same_bytes(match, of_vertices ? match->layout.vertices : match->layout.primitives, each->data,
                    each->count * sizeof(uint32_t));
}

static bool has_same_elements(const part_match *match) {
  const object_source *source = &match->source;
  const part_layout *layout = &match->layout;
  const size_t count = match->part.primitive_count;
  if (source->kind == GRAZE_KIND_SPHERE) return true;
  if (source->corner_count != CORNERS_VARY)
    return same_bytes(match, layout->corners, source->corners, count * source->corner_count * sizeof(uint32_t));
  const object_elements *elements = &match->object->elements;
  return elements->corners.count == match->part.corner_count &&
         elements->triangulation.count == match->part.triangle_count &&
         same_bytes(match, layout->corners, source->corners, elements->corners.count * sizeof(uint32_t)) &&
         same_bytes(match, layout->corner_first, source->corner_first, (count + 1) * sizeof(uint32_t)) &&
         same_bytes(match, layout->triangulation, source->triangulation, 12 * elements->triangulation.count) &&
         (source->kind != GRAZE_KIND_POLYHEDRON ||
          same_bytes(match, layout->triangulation_first, source->triangulation_first,
                     (count + 1) * sizeof(uint32_t))) &&
         same_bytes(match, layout->repeats, source->repeats, count);
}

/* Equal data are not set, so that methods and stamps record no change. */
static graze_result move_positions(graze_scene *scene, graze_object id, const part_match *match) {
  const size_t count = match->part.vertex_count, bytes = match->part.is_double ? 24 : 12;
  if (same_bytes(match, match->layout.positions, match->source.positions, count * bytes)) return GRAZE_OK;
  const graze_view view = {match->bytes + match->layout.positions, count, 0,
                           match->part.is_double ? GRAZE_FORMAT_DOUBLE3 : GRAZE_FORMAT_FLOAT3};
  return graze_object_set_positions(scene, id, 0, view);
}

static graze_result move_radii(graze_scene *scene, graze_object id, const part_match *match) {
  const size_t count = match->part.vertex_count, bytes = match->part.radii_are_double ? 8 : 4;
  if (match->source.radii == NULL || same_bytes(match, match->layout.radii, match->source.radii, count * bytes))
    return GRAZE_OK;
  const graze_view view = {match->bytes + match->layout.radii, count, 0,
                           match->part.radii_are_double ? GRAZE_FORMAT_DOUBLE : GRAZE_FORMAT_FLOAT};
  return graze_object_set_radii(scene, id, 0, view);
}

static graze_result move_filter(graze_scene *scene, graze_object id, const part_match *match) {
  const object_rule *rule = &match->object->rule;
  const part_header *part = &match->part;
  if (rule->category == part->category && rule->mask == part->mask && rule->self == (part->self != 0)) return GRAZE_OK;
  return graze_object_set_filter(scene, id, part->category, part->mask, part->self != 0);
}

static graze_result move_object(graze_scene *scene, graze_object id, const part_match *match) {
  graze_result result = move_radii(scene, id, match);
  if (result == GRAZE_OK) result = move_positions(scene, id, match);
  if (result == GRAZE_OK) result = move_filter(scene, id, match);
  if (result == GRAZE_OK && memcmp(&scene_poses(scene)[id.index], &match->part.pose, sizeof match->part.pose) != 0)
    result = graze_object_set_pose(scene, id, &match->part.pose);
  return result;
}

graze_result graze_object_move_to_part(graze_scene *scene, graze_object id, const void *bytes, size_t size,
                                       bool *moved_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (bytes == NULL) return scene_fail_null("part");
  if (moved_out == NULL) return scene_fail_null("output for whether the object has moved");
  *moved_out = false;
  part_match match = {.object = scene_find_object(scene, id), .bytes = bytes};
  if (match.object == NULL) return GRAZE_NO_SUCH_OBJECT;
  graze_result result = part_read_header(scene, bytes, size, &match.part, &match.layout);
  if (result != GRAZE_OK || match.part.kind != (uint32_t)match.object->elements.kind) return result;
  match.source = scene_source_of(scene, id.index);
  if (!has_same_counts(&match) || !has_same_numbers(&match, true) || !has_same_numbers(&match, false) ||
      !has_same_elements(&match))
    return GRAZE_OK;
  result = move_object(scene, id, &match);
  *moved_out = result == GRAZE_OK;
  return result;
}

graze_result graze_object_get_stamp(const graze_scene *scene, graze_object id, uint64_t *stamp_out) {
  if (scene == NULL) return scene_fail_null("scene");
  if (stamp_out == NULL) return scene_fail_null("output for the stamp");
  if (scene_find_object(scene, id) == NULL) return GRAZE_NO_SUCH_OBJECT;
  *stamp_out = scene_slots(scene)[id.index].changed;
  return GRAZE_OK;
}
