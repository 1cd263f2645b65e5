/* Parts of objects as bytes, and the boxes of primitives: the calls of parts.h. */
#include "api/object_add.h"
#include "base/float_environment.h"
#include "graze/inside/parts.h"
#include "scene/object_lookup.h"
#include "scene/part_bytes.h"
#include "scene/scene_numbers.h"

#include <string.h>

graze_result graze_object_get_boxes(const graze_scene *scene, graze_object id, size_t first, size_t count,
                                    double *boxes_out) {
  GUARD_FLOAT_ENVIRONMENT();
  host_object opened;
  const graze_result result = host_object_read(scene, id, &opened);
  if (result != GRAZE_OK) return result;
  const size_t there = opened.object->elements.count;
  if (first > there || count > there - first)
    return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE,
                      "%s: %zu boxes starting at %zu were requested; the object has %zu",
                      host_object_label(&opened).text, count, first, there);
  if (count > 0 && boxes_out == NULL) return scene_fail_null("output for the boxes");
  return object_boxes_measure(scene, &opened, first, count, boxes_out);
}

graze_result graze_object_get_corners(const graze_scene *scene, graze_object id, uint32_t primitive, size_t capacity,
                                      double *corners_out, size_t *count_out) {
  GUARD_FLOAT_ENVIRONMENT();
  host_object opened;
  const graze_result result = host_object_read(scene, id, &opened);
  if (result != GRAZE_OK) return result;
  if (count_out == NULL) return scene_fail_null("output for the number of corners");
  if (capacity > 0 && corners_out == NULL) return scene_fail_null("output for the corners");
  if (primitive >= opened.object->elements.count || element_is_removed(&opened.source, primitive))
    return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: %s %u does not exist", host_object_label(&opened).text,
                      graze_kind_text(opened.object->elements.kind, 1), primitive);
  const corner_list corners = corners_of(&opened.source, primitive);
  for (uint32_t i = 0; i < corners.count && i < capacity; i++)
    fetch_vertex(&opened.source, corners.vertices[i], corners_out + 3 * (size_t)i);
  *count_out = corners.count;
  return GRAZE_OK;
}

static graze_result process_parts(const graze_scene *scene, graze_object id, const uint32_t *primitives,
                                  const size_t *starts, size_t part_count, size_t *bytes_out, void *const *parts_out) {
  host_object opened;
  graze_result result = host_object_read(scene, id, &opened);
  if (result == GRAZE_OK) result = scene_check_kind(scene, opened.slot, SUPPORTS_PARTS);
  if (result != GRAZE_OK || part_count == 0) return result;
  if (starts == NULL) return scene_fail_null("list of the starts of parts");
  if (starts[part_count] > starts[0] && primitives == NULL) return scene_fail_null("list of primitives");
  result = parts_check(scene, &opened, primitives, starts, part_count);
  if (result == GRAZE_OK) result = parts_write(scene, &opened, primitives, starts, part_count, bytes_out, parts_out);
  return result;
}

graze_result graze_object_measure_parts(const graze_scene *scene, graze_object id, const uint32_t *primitives,
                                        const size_t *starts, size_t part_count, size_t *bytes_out) {
  if (bytes_out == NULL) return scene_fail_null("output for the sizes");
  return process_parts(scene, id, primitives, starts, part_count, bytes_out, NULL);
}

graze_result graze_object_write_parts(const graze_scene *scene, graze_object id, const uint32_t *primitives,
                                      const size_t *starts, size_t part_count, void *const *parts_out) {
  if (parts_out == NULL) return scene_fail_null("output for the parts");
  return process_parts(scene, id, primitives, starts, part_count, NULL, parts_out);
}

static graze_view view_of(const unsigned char *data, size_t count, graze_format format) {
  return (graze_view){data, count, 0, format};
}

static graze_mesh_def mesh_of(const part_header *part, const part_layout *layout, const unsigned char *bytes) {
  graze_mesh_def def = graze_mesh_def_default();
  const size_t count = part->primitive_count, vertices = part->vertex_count;
  const kind_row row = kind_row_of((graze_kind)part->kind);
  def.positions =
      view_of(bytes + layout->positions, vertices, part->is_double ? GRAZE_FORMAT_DOUBLE3 : GRAZE_FORMAT_FLOAT3);
  def.radii = view_of(bytes + layout->radii, row.form == FORM_BALL ? vertices : 0,
                      part->radii_are_double ? GRAZE_FORMAT_DOUBLE : GRAZE_FORMAT_FLOAT);
  def.triangles =
      view_of(bytes + layout->corners, row.insert_format == GRAZE_FORMAT_UINT32_3 ? count : 0, GRAZE_FORMAT_UINT32_3);
  def.tetrahedra =
      view_of(bytes + layout->corners, row.insert_format == GRAZE_FORMAT_UINT32_4 ? count : 0, GRAZE_FORMAT_UINT32_4);
  return def;
}

static graze_object_def object_of(const part_header *part, const part_layout *layout, const unsigned char *bytes) {
  graze_object_def def = graze_object_def_default();
  const size_t count = part->primitive_count, vertices = part->vertex_count;
  def.pose = &part->pose;
  def.category = part->category;
  def.mask = part->mask;
  def.self = part->self != 0;
  def.global_numbers = true;
  def.global_object = part->object;
  def.global_primitive = part->first_primitive;
  def.global_vertex = part->first_vertex;
  def.global_primitives = view_of(bytes + layout->primitives, part->primitives_follow ? 0 : count, GRAZE_FORMAT_UINT32);
  def.global_vertices = view_of(bytes + layout->vertices, part->vertices_follow ? 0 : vertices, GRAZE_FORMAT_UINT32);
  return def;
}

graze_result graze_scene_add_part(graze_scene *scene, const void *bytes, size_t size, graze_object *object_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (bytes == NULL) return scene_fail_null("part");
  part_header part;
  part_layout layout = {0};
  const graze_result read = part_read_header(scene, bytes, size, &part, &layout);
  if (read != GRAZE_OK) return read;
  const graze_mesh_def mesh = mesh_of(&part, &layout, bytes);
  const graze_object_def def = object_of(&part, &layout, bytes);
  const unsigned char *begin = bytes;
  const cut_elements cut = {.corners = begin + layout.corners,
                            .corner_first = begin + layout.corner_first,
                            .triangulation = begin + layout.triangulation,
                            .triangulation_first = begin + layout.triangulation_first,
                            .repeats = begin + layout.repeats,
                            .count = part.primitive_count,
                            .corner_count = part.corner_count,
                            .triangle_count = part.triangle_count};
  const bool varies = kind_corner_count((graze_kind)part.kind) == CORNERS_VARY;
  return scene_add_mesh(scene, (graze_kind)part.kind, &mesh, &def, varies ? &cut : NULL, object_out);
}

/* ---------------------------------------------------------------------------------------------- moving to a part */

/* Equal data are not set, so that methods and stamps record no change. */
static graze_result move_vertices(graze_scene *scene, graze_object id, const host_object *opened,
                                  const part_header *part, const graze_mesh_def *mesh) {
  const object_source *source = &opened->source;
  const size_t count = part->vertex_count;
  graze_result result = GRAZE_OK;
  if (source->radii != NULL && memcmp(mesh->radii.data, source->radii, count * (part->radii_are_double ? 8 : 4)) != 0)
    result = graze_object_set_radii(scene, id, 0, mesh->radii);
  if (result == GRAZE_OK && count > 0 &&
      memcmp(mesh->positions.data, source->positions, count * (part->is_double ? 24 : 12)) != 0)
    result = graze_object_set_positions(scene, id, 0, mesh->positions);
  return result;
}

static graze_result move_object(graze_scene *scene, graze_object id, const host_object *opened, const part_header *part,
                                const graze_mesh_def *mesh) {
  const object_rule *rule = &opened->object->rule;
  graze_result result = move_vertices(scene, id, opened, part, mesh);
  if (result == GRAZE_OK &&
      (rule->category != part->category || rule->mask != part->mask || rule->self != (part->self != 0)))
    result = graze_object_set_filter(scene, id, part->category, part->mask, part->self != 0);
  if (result == GRAZE_OK && memcmp(&scene_poses(scene)[id.index], &part->pose, sizeof part->pose) != 0)
    result = graze_object_set_pose(scene, id, &part->pose);
  return result;
}

graze_result graze_object_move_to_part(graze_scene *scene, graze_object id, const void *bytes, size_t size,
                                       bool *moved_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (bytes == NULL) return scene_fail_null("part");
  if (moved_out == NULL) return scene_fail_null("output for whether the object has moved");
  *moved_out = false;
  host_object opened = {.object = scene_find_object(scene, id), .slot = id.index};
  part_header part;
  part_layout layout = {0};
  if (opened.object == NULL) return GRAZE_NO_SUCH_OBJECT;
  graze_result result = part_read_header(scene, bytes, size, &part, &layout);
  opened.source = scene_source_of(scene, id.index);
  if (result != GRAZE_OK || !part_has_elements_of(&opened, &part, &layout, bytes)) return result;
  const graze_mesh_def mesh = mesh_of(&part, &layout, bytes);
  result = move_object(scene, id, &opened, &part, &mesh);
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
