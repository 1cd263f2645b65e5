/* Parts of objects as bytes: measured, written, and compared with objects.
 *
 * Workload: the calls of a divided scene, once per frame: every primitive is written once, or a few times along
 * borders. Vertices are found through one array over those vertices of the object that a call can meet. It is cleared
 * part by part, so that many small parts of a large object take time linear in their size. */
#include "scene/part_bytes.h"

#include "scene/object_numbers.h"
#include "scene/scene_numbers.h"

#include <stdlib.h>
#include <string.h>

#define NOT_IN_PART UINT32_MAX

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

static bool vertex_choice_make(vertex_choice *choice, memory *heap, const host_object *opened,
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
static bool numbers_follow(const host_object *opened, bool of_vertices, const uint32_t *own, size_t count,
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
static part_header header_of(const graze_scene *scene, const host_object *opened, const vertex_choice *choice,
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

static void write_numbers(const host_object *opened, bool of_vertices, const uint32_t *own, size_t count,
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

static void write_part(const host_object *opened, const vertex_choice *choice, const uint32_t *primitives,
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

graze_result parts_check(const graze_scene *scene, const host_object *opened, const uint32_t *primitives,
                         const size_t *starts, size_t part_count) {
  for (size_t part = 0; part < part_count; part++) {
    if (starts[part + 1] < starts[part] || starts[part + 1] - starts[part] > opened->object->elements.count)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: part %zu starts at %zu, and the next at %zu",
                        host_object_label(opened).text, part, starts[part], starts[part + 1]);
    for (size_t i = starts[part]; i < starts[part + 1]; i++)
      if (primitives[i] >= opened->object->elements.count || element_is_removed(&opened->source, primitives[i]))
        return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE, "%s: part %zu has %s %u, which does not exist",
                          host_object_label(opened).text, part, graze_kind_text(opened->object->elements.kind, 1),
                          primitives[i]);
  }
  return GRAZE_OK;
}

graze_result parts_write(const graze_scene *scene, const host_object *opened, const uint32_t *primitives,
                         const size_t *starts, size_t part_count, size_t *bytes_or_null, void *const *parts_or_null) {
  memory *heap = scene_scratch(scene);
  vertex_choice choice;
  const bool has_room =
      vertex_choice_make(&choice, heap, opened, primitives + starts[0], starts[part_count] - starts[0]);
  for (size_t i = 0; has_room && i < part_count; i++) {
    const size_t count = starts[i + 1] - starts[i];
    choose_vertices(&choice, &opened->source, primitives + starts[i], count);
    const part_header part = header_of(scene, opened, &choice, primitives + starts[i], count);
    if (bytes_or_null != NULL) bytes_or_null[i] = part.bytes;
    if (parts_or_null != NULL) write_part(opened, &choice, primitives + starts[i], &part, parts_or_null[i]);
  }
  vertex_choice_release(&choice, heap);
  return has_room ? GRAZE_OK : scene_fail_memory(scene);
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

/* ---------------------------------------------------------------------------------------------- comparing */

/* An object and a part. */
typedef struct part_match {
  const scene_object *object;
  const object_source *source;
  const part_header *part;
  const part_layout *layout;
  const void *bytes;
} part_match;

static bool same_bytes(const part_match *match, size_t place, const void *own, size_t bytes) {
  return bytes == 0 || memcmp((const unsigned char *)match->bytes + place, own, bytes) == 0;
}

static bool has_same_counts(const part_match *match) {
  const scene_object *object = match->object;
  const part_header *part = match->part;
  return object->numbers.given && object->numbers.object == part->object &&
         object->positions.count == part->vertex_count && object->elements.count == part->primitive_count &&
         object->removed_count == 0 && object->is_double == (part->is_double != 0) &&
         object->device_positions == NULL &&
         (match->source->radii == NULL || match->source->radii_are_double == (part->radii_are_double != 0));
}

static bool has_same_numbers(const part_match *match, bool of_vertices) {
  const object_numbers *numbers = &match->object->numbers;
  const part_header *part = match->part;
  const array *each = of_vertices ? &numbers->vertices : &numbers->primitives;
  const bool follow = of_vertices ? part->vertices_follow : part->primitives_follow;
  if (follow != (each->count == 0)) return false;
  if (follow && of_vertices) return numbers->vertex == part->first_vertex;
  if (follow) return numbers->primitive == part->first_primitive;
  return same_bytes(match, of_vertices ? match->layout->vertices : match->layout->primitives, each->data,
                    each->count * sizeof(uint32_t));
}

static bool has_same_elements(const part_match *match) {
  const object_source *source = match->source;
  const part_layout *layout = match->layout;
  const size_t count = match->part->primitive_count;
  if (kind_is_ball(source->kind)) return true;
  if (source->corner_count != CORNERS_VARY)
    return same_bytes(match, layout->corners, source->corners, count * source->corner_count * sizeof(uint32_t));
  const object_elements *elements = &match->object->elements;
  return elements->corners.count == match->part->corner_count &&
         elements->triangulation.count == match->part->triangle_count &&
         same_bytes(match, layout->corners, source->corners, elements->corners.count * sizeof(uint32_t)) &&
         same_bytes(match, layout->corner_first, source->corner_first, (count + 1) * sizeof(uint32_t)) &&
         same_bytes(match, layout->triangulation, source->triangulation, 12 * elements->triangulation.count) &&
         (!kind_has_faces(source->kind) || same_bytes(match, layout->triangulation_first, source->triangulation_first,
                                                      (count + 1) * sizeof(uint32_t))) &&
         same_bytes(match, layout->repeats, source->repeats, count);
}

bool part_has_elements_of(const host_object *opened, const part_header *part, const part_layout *layout,
                          const void *bytes) {
  const part_match match = {opened->object, &opened->source, part, layout, bytes};
  return part->kind == (uint32_t)opened->object->elements.kind && has_same_counts(&match) &&
         has_same_numbers(&match, true) && has_same_numbers(&match, false) && has_same_elements(&match);
}
