/* Parts of objects as bytes: measured, written, and added to another scene; and the boxes of primitives.
 *
 * Workload: the calls of a divided scene, once per frame: every primitive's box, and every primitive written once, or a
 * few times along borders. Vertices are found through one array over those vertices of the object that a call can meet.
 * It is cleared part by part, so that many small parts of a large object take time linear in their size. */
#include "api/part_bytes.h"

#include "api/object_add.h"
#include "base/float_environment.h"
#include "scene/object_elements.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOT_IN_PART UINT32_MAX

/* An object whose arrays are on the host. */
typedef struct read_object {
  const scene_object *object;
  object_source source;
  uint32_t slot;
} read_object;

/* The label of the object, created only for messages: boxes may be requested one by one. */
static object_label label_of(const read_object *opened) {
  return scene_label(opened->slot, opened->object->name);
}

static graze_result open_object(const graze_scene *scene, graze_object id, read_object *opened) {
  if (scene == NULL) return scene_fail_null("scene");
  const scene_object *object = scene_find_object(scene, id);
  if (object == NULL) return GRAZE_NO_SUCH_OBJECT;
  *opened = (read_object){.object = object, .slot = id.index};
  opened->source = scene_source_of(scene, id.index);
  opened->source.first_primitive = 0;
  return object->device_positions == NULL ? GRAZE_OK : object_check_on_host(object, label_of(opened).text);
}

static bool is_removed(const read_object *opened, size_t primitive) {
  return opened->source.removed != NULL && opened->source.removed[primitive] != 0;
}

/* ---------------------------------------------------------------------------------------------- boxes */

/* The box of a primitive that is not removed. */
static graze_result measure_box(const graze_scene *scene, const read_object *opened, uint32_t primitive,
                                exact_box *box_out) {
  const object_source *source = &opened->source;
  const corner_list corners = corners_of(source, primitive);
  exact_box box = exact_box_empty();
  double position[3] = {0};
  for (uint32_t i = 0; i < corners.count; i++) {
    fetch_vertex(source, corners.vertices[i], position);
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(position[axis]))
        return scene_fail(scene, GRAZE_NOT_FINITE, "%s: coordinate %c of vertex %u is %g after the pose",
                          label_of(opened).text, "xyz"[axis], corners.vertices[i], position[axis]);
    include_posed_vertex(source, corners.vertices[i], position, &box);
  }
  *box_out = box;
  return GRAZE_OK;
}

static inline void measure_triangles(const object_source *source, bool is_double, size_t first, size_t count,
                                     double *boxes_out) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t *corners = source->corners + 3 * (first + i);
    for (size_t axis = 0; axis < 3; axis++) {
      const double a = coordinate_at(source->positions, is_double, corners[0], (int)axis);
      const double b = coordinate_at(source->positions, is_double, corners[1], (int)axis);
      const double c = coordinate_at(source->positions, is_double, corners[2], (int)axis);
      const double low = b < a ? b : a, high = b > a ? b : a;
      boxes_out[6 * i + axis] = c < low ? c : low;
      boxes_out[6 * i + 3 + axis] = c > high ? c : high;
    }
  }
}

/* Measures triangles without a pose, of which none is removed, without a check: the positions of objects are finite.
 * Returns whether the object has only such triangles. */
static bool measure_plain(const object_source *source, size_t first, size_t count, double *boxes_out) {
  if (kind_batch_of(source->kind) != BATCH_TRIANGLES || source->pose != NULL || source->removed != NULL) return false;
  if (source->is_double)
    measure_triangles(source, true, first, count, boxes_out);
  else
    measure_triangles(source, false, first, count, boxes_out);
  return true;
}

graze_result graze_object_get_boxes(const graze_scene *scene, graze_object id, size_t first, size_t count,
                                    double *boxes_out) {
  GUARD_FLOAT_ENVIRONMENT();
  read_object opened;
  graze_result result = open_object(scene, id, &opened);
  if (result != GRAZE_OK) return result;
  const size_t there = opened.object->elements.count;
  if (first > there || count > there - first)
    return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE,
                      "%s: %zu boxes starting at %zu were requested; the object has %zu", label_of(&opened).text, count,
                      first, there);
  if (count > 0 && boxes_out == NULL) return scene_fail_null("output for the boxes");
  if (measure_plain(&opened.source, first, count, boxes_out)) return GRAZE_OK;
  for (size_t i = 0; i < count && result == GRAZE_OK; i++) {
    exact_box box = exact_box_empty();
    if (!is_removed(&opened, first + i)) result = measure_box(scene, &opened, (uint32_t)(first + i), &box);
    memcpy(boxes_out + 6 * i, box.min, sizeof box.min);
    memcpy(boxes_out + 6 * i + 3, box.max, sizeof box.max);
  }
  return result;
}

graze_result graze_object_get_corners(const graze_scene *scene, graze_object id, uint32_t primitive, size_t capacity,
                                      double *corners_out, size_t *count_out) {
  GUARD_FLOAT_ENVIRONMENT();
  read_object opened;
  const graze_result result = open_object(scene, id, &opened);
  if (result != GRAZE_OK) return result;
  if (count_out == NULL) return scene_fail_null("output for the number of corners");
  if (capacity > 0 && corners_out == NULL) return scene_fail_null("output for the corners");
  if (primitive >= opened.object->elements.count || is_removed(&opened, primitive))
    return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: %s %u does not exist", label_of(&opened).text,
                      graze_kind_text(opened.object->elements.kind, 1), primitive);
  const corner_list corners = corners_of(&opened.source, primitive);
  for (uint32_t i = 0; i < corners.count && i < capacity; i++)
    fetch_vertex(&opened.source, corners.vertices[i], corners_out + 3 * (size_t)i);
  *count_out = corners.count;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- vertices of a part */

/* The vertices of one part at a time. */
typedef struct vertex_choice {
  uint32_t *place; /* index in the part of each vertex in the range; or NOT_IN_PART */
  uint32_t *chosen;
  size_t count;
  uint32_t first; /* the range of vertices of the object */
  size_t range;
} vertex_choice;

/* A call for a small share of an object meets few of its vertices: those of the primitives span the range. Finding it
 * does not pay for large shares. */
static void choose_range(vertex_choice *choice, const object_source *source, const uint32_t *primitives, size_t count) {
  uint32_t least = UINT32_MAX, greatest = 0;
  for (size_t i = 0; i < count; i++) {
    const corner_list corners = corners_of(source, primitives[i]);
    for (uint32_t k = 0; k < corners.count; k++) {
      if (corners.vertices[k] < least) least = corners.vertices[k];
      if (corners.vertices[k] > greatest) greatest = corners.vertices[k];
    }
  }
  choice->first = count > 0 ? least : 0;
  choice->range = count > 0 ? (size_t)greatest - least + 1 : 0;
}

static bool vertex_choice_make(vertex_choice *choice, memory *heap, const read_object *opened,
                               const uint32_t *primitives, size_t count) {
  *choice = (vertex_choice){.range = opened->object->positions.count};
  if (count < opened->object->elements.count / 2) choose_range(choice, &opened->source, primitives, count);
  choice->place = memory_allocate(heap, choice->range, sizeof *choice->place);
  choice->chosen = memory_allocate(heap, choice->range, sizeof *choice->chosen);
  if (choice->place == NULL || choice->chosen == NULL) return false;
  memset(choice->place, 0xff, choice->range * sizeof *choice->place);
  return true;
}

static void vertex_choice_release(vertex_choice *choice, memory *heap) {
  memory_release(heap, choice->place, choice->range, sizeof *choice->place);
  memory_release(heap, choice->chosen, choice->range, sizeof *choice->chosen);
}

static void forget_vertices(vertex_choice *choice) {
  for (size_t i = 0; i < choice->count; i++) choice->place[choice->chosen[i] - choice->first] = NOT_IN_PART;
  choice->count = 0;
}

static int compare_vertices(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static inline void choose_corners(vertex_choice *choice, const uint32_t *vertices, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    uint32_t *place = &choice->place[vertices[k] - choice->first];
    if (*place != NOT_IN_PART) continue;
    *place = (uint32_t)choice->count;
    choice->chosen[choice->count++] = vertices[k];
  }
}

/* Numbers vertices in the order in which they occur. If some lists of corners are ascending, the vertices must be
 * ascending in the part, too. */
static void choose_vertices(vertex_choice *choice, const object_source *source, const uint32_t *primitives,
                            size_t count) {
  forget_vertices(choice);
  if (kind_batch_of(source->kind) == BATCH_TRIANGLES) {
    for (size_t i = 0; i < count; i++) choose_corners(choice, source->corners + 3 * (size_t)primitives[i], 3);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const corner_list corners = corners_of(source, primitives[i]);
    choose_corners(choice, corners.vertices, corners.count);
  }
  if (source->corner_count != CORNERS_VARY) return;
  qsort(choice->chosen, choice->count, sizeof *choice->chosen, compare_vertices);
  for (size_t i = 0; i < choice->count; i++) choice->place[choice->chosen[i] - choice->first] = (uint32_t)i;
}

/* ---------------------------------------------------------------------------------------------- sizes */

static uint32_t triangles_of(const object_source *source, uint32_t primitive, const uint32_t **triangles_out) {
  if (source->triangulation_first != NULL) {
    *triangles_out = source->triangulation + 3 * (size_t)source->triangulation_first[primitive];
    return source->triangulation_first[primitive + 1] - source->triangulation_first[primitive];
  }
  *triangles_out = polygon_triangulation(source, primitive);
  return corners_of(source, primitive).count - 2;
}

/* Whether numbers are consecutive, so that the first suffices. */
static bool numbers_follow(const read_object *opened, bool of_vertices, const uint32_t *own, size_t count,
                           uint32_t *first_out) {
  const object_numbers *numbers = &opened->object->numbers;
  const array *each = of_vertices ? &numbers->vertices : &numbers->primitives;
  const uint32_t begin = of_vertices ? numbers->vertex : numbers->primitive;
  *first_out = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t number =
        numbers->given && each->count > 0 ? ARRAY_AS(uint32_t, each)[own[i]] : (numbers->given ? begin : 0) + own[i];
    if (i == 0) *first_out = number;
    if (number != *first_out + (uint32_t)i) return false;
  }
  return true;
}

/* Makes the part's header, after its vertices were chosen. */
static part_header header_of(const graze_scene *scene, const read_object *opened, const vertex_choice *choice,
                             const uint32_t *primitives, size_t count) {
  const scene_object *object = opened->object;
  const object_source *source = &opened->source;
  part_header part = {.mark = PART_MARK,
                      .category = object->rule.category,
                      .mask = object->rule.mask,
                      .pose = scene_poses(scene)[opened->slot],
                      .kind = object->elements.kind,
                      .object = object->numbers.given ? object->numbers.object : opened->slot,
                      .vertex_count = (uint32_t)choice->count,
                      .primitive_count = (uint32_t)count,
                      .is_double = object->is_double,
                      .radii_are_double = source->radii_are_double,
                      .self = object->rule.self};
  for (size_t i = 0; source->corner_count == CORNERS_VARY && i < count; i++) {
    const uint32_t *triangles;
    part.corner_count += corners_of(source, primitives[i]).count;
    part.triangle_count += triangles_of(source, primitives[i], &triangles);
  }
  part.vertices_follow = numbers_follow(opened, true, choice->chosen, choice->count, &part.first_vertex);
  part.primitives_follow = numbers_follow(opened, false, primitives, count, &part.first_primitive);
  part.bytes = part_layout_of(&part, source->corner_count).end;
  return part;
}

/* ---------------------------------------------------------------------------------------------- writing */

static void write_numbers(const read_object *opened, bool of_vertices, const uint32_t *own, size_t count,
                          unsigned char *to) {
  for (size_t i = 0; i < count; i++) {
    uint32_t number = own[i];
    if (opened->object->numbers.given) object_numbers_copy(opened->object, of_vertices, own[i], 1, &number);
    memcpy(to + 4 * i, &number, sizeof number);
  }
}

static void write_places(const vertex_choice *choice, const uint32_t *vertices, size_t count, unsigned char *to) {
  for (size_t i = 0; i < count; i++) memcpy(to + 4 * i, &choice->place[vertices[i] - choice->first], sizeof(uint32_t));
}

/* Writes elements with a varying number of corners: the offsets of corners, and their triangles. */
static void write_varying(const object_source *source, const vertex_choice *choice, const uint32_t *primitives,
                          size_t count, const part_layout *layout, unsigned char *to) {
  uint32_t corner = 0, triangle = 0;
  for (size_t i = 0; i < count; i++) {
    const corner_list corners = corners_of(source, primitives[i]);
    const uint32_t *triangles;
    const uint32_t triangle_count = triangles_of(source, primitives[i], &triangles);
    memcpy(to + layout->corner_first + 4 * i, &corner, sizeof corner);
    if (kind_has_faces(source->kind)) memcpy(to + layout->triangulation_first + 4 * i, &triangle, sizeof triangle);
    write_places(choice, corners.vertices, corners.count, to + layout->corners + 4 * (size_t)corner);
    write_places(choice, triangles, 3 * (size_t)triangle_count, to + layout->triangulation + 12 * (size_t)triangle);
    to[layout->repeats + i] = source->repeats[primitives[i]];
    corner += corners.count;
    triangle += triangle_count;
  }
  memcpy(to + layout->corner_first + 4 * count, &corner, sizeof corner);
  if (kind_has_faces(source->kind)) memcpy(to + layout->triangulation_first + 4 * count, &triangle, sizeof triangle);
}

/* Inlined with a constant size, so that each copy is a few instructions. */
static inline void write_chosen(const vertex_choice *choice, const void *from, size_t bytes, unsigned char *to) {
  for (size_t i = 0; i < choice->count; i++)
    memcpy(to + bytes * i, (const unsigned char *)from + bytes * choice->chosen[i], bytes);
}

static void write_part(const read_object *opened, const vertex_choice *choice, const uint32_t *primitives,
                       const part_header *part, unsigned char *to) {
  const object_source *source = &opened->source;
  const part_layout layout = part_layout_of(part, source->corner_count);
  memset(to, 0, layout.end); /* including the padding between arrays */
  memcpy(to, part, sizeof *part);
  if (part->is_double)
    write_chosen(choice, source->positions, 24, to + layout.positions);
  else
    write_chosen(choice, source->positions, 12, to + layout.positions);
  if (source->radii != NULL && part->radii_are_double)
    write_chosen(choice, source->radii, 8, to + layout.radii);
  else if (source->radii != NULL)
    write_chosen(choice, source->radii, 4, to + layout.radii);
  if (!part->vertices_follow) write_numbers(opened, true, choice->chosen, choice->count, to + layout.vertices);
  if (!part->primitives_follow) write_numbers(opened, false, primitives, part->primitive_count, to + layout.primitives);
  if (source->corner_count == CORNERS_VARY)
    write_varying(source, choice, primitives, part->primitive_count, &layout, to);
  else if (!kind_is_ball(source->kind))
    for (size_t i = 0; i < part->primitive_count; i++)
      write_places(choice, corners_of(source, primitives[i]).vertices, source->corner_count,
                   to + layout.corners + 4 * source->corner_count * i);
}

static graze_result check_primitives(const graze_scene *scene, const read_object *opened, const uint32_t *primitives,
                                     const size_t *starts, size_t part_count) {
  for (size_t part = 0; part < part_count; part++) {
    if (starts[part + 1] < starts[part] || starts[part + 1] - starts[part] > opened->object->elements.count)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: part %zu starts at %zu, and the next at %zu",
                        label_of(opened).text, part, starts[part], starts[part + 1]);
    for (size_t i = starts[part]; i < starts[part + 1]; i++)
      if (primitives[i] >= opened->object->elements.count || is_removed(opened, primitives[i]))
        return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: part %zu has %s %u, which does not exist",
                          label_of(opened).text, part, graze_kind_text(opened->object->elements.kind, 1),
                          primitives[i]);
  }
  return GRAZE_OK;
}

/* Measures parts, and writes them if there is memory for them. */
static graze_result process_parts(const graze_scene *scene, graze_object id, const uint32_t *primitives,
                                  const size_t *starts, size_t part_count, size_t *bytes_out, void *const *parts_out) {
  read_object opened;
  graze_result result = open_object(scene, id, &opened);
  if (result == GRAZE_OK) result = scene_check_kind(scene, opened.slot, SUPPORTS_PARTS);
  if (result != GRAZE_OK || part_count == 0) return result;
  if (starts == NULL) return scene_fail_null("list of the starts of parts");
  if (starts[part_count] > starts[0] && primitives == NULL) return scene_fail_null("list of primitives");
  result = check_primitives(scene, &opened, primitives, starts, part_count);
  if (result != GRAZE_OK) return result;
  memory *heap = scene_scratch(scene);
  vertex_choice choice;
  const bool has_room =
      vertex_choice_make(&choice, heap, &opened, primitives + starts[0], starts[part_count] - starts[0]);
  for (size_t i = 0; has_room && i < part_count; i++) {
    const size_t count = starts[i + 1] - starts[i];
    choose_vertices(&choice, &opened.source, primitives + starts[i], count);
    const part_header part = header_of(scene, &opened, &choice, primitives + starts[i], count);
    if (bytes_out != NULL) bytes_out[i] = part.bytes;
    if (parts_out != NULL) write_part(&opened, &choice, primitives + starts[i], &part, parts_out[i]);
  }
  vertex_choice_release(&choice, heap);
  return has_room ? GRAZE_OK : scene_fail_memory(scene);
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

/* ---------------------------------------------------------------------------------------------- reading */

static graze_result fail_part(const graze_scene *scene, size_t size) {
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                    "%zu bytes are not a part of an object, or are from another version of the library", size);
}

graze_result part_read_header(const graze_scene *scene, const void *bytes, size_t size, part_header *part,
                              part_layout *layout) {
  if (size < sizeof *part) return fail_part(scene, size);
  memcpy(part, bytes, sizeof *part);
  if (part->mark != PART_MARK || part->bytes != size || part->kind >= KIND_COUNT) return fail_part(scene, size);
  const graze_kind kind = (graze_kind)part->kind;
  *layout = part_layout_of(part, kind_corner_count(kind));
  const bool fits = layout->end == size && (!kind_is_ball(kind) || part->primitive_count == part->vertex_count);
  return fits ? GRAZE_OK : fail_part(scene, size);
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

/* Objects that are set to a part of a later frame, and stamps that show whether an object has changed.
 *
 * Workload: a host that divides a moving scene, each frame: most parts have the same primitives as before. */

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
         object->removed_count == 0 && object->is_double == (part->is_double != 0) &&
         object->device_positions == NULL &&
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
  if (kind_is_ball(source->kind)) return true;
  if (source->corner_count != CORNERS_VARY)
    return same_bytes(match, layout->corners, source->corners, count * source->corner_count * sizeof(uint32_t));
  const object_elements *elements = &match->object->elements;
  return elements->corners.count == match->part.corner_count &&
         elements->triangulation.count == match->part.triangle_count &&
         same_bytes(match, layout->corners, source->corners, elements->corners.count * sizeof(uint32_t)) &&
         same_bytes(match, layout->corner_first, source->corner_first, (count + 1) * sizeof(uint32_t)) &&
         same_bytes(match, layout->triangulation, source->triangulation, 12 * elements->triangulation.count) &&
         (!kind_has_faces(source->kind) || same_bytes(match, layout->triangulation_first, source->triangulation_first,
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
