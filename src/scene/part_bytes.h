/* The layout of a part of an object in bytes: a header, then arrays, each of which begins at a multiple of eight. The
 * format is for exchange between processes of the same program: byte order is not converted. */
#ifndef GRAZE_SCENE_PART_BYTES_H
#define GRAZE_SCENE_PART_BYTES_H

#include "scene/object_boxes.h"

/* The first eight bytes, which identify the version of the library and the byte order. */
#define PART_MARK UINT64_C(0x31747261705f7a67)

typedef struct part_header {
  uint64_t mark, bytes; /* of the part, including this header */
  uint64_t category, mask;
  graze_pose pose;
  uint32_t kind, object;
  uint32_t vertex_count, primitive_count;
  uint32_t corner_count, triangle_count;  /* of elements with a varying number of corners; otherwise 0 */
  uint32_t first_vertex, first_primitive; /* the numbers of the first, if the others are consecutive */
  uint8_t is_double, radii_are_double, self, vertices_follow, primitives_follow, reserved[3];
} part_header;

/* The offsets of the arrays; missing ones are empty. */
typedef struct part_layout {
  size_t positions, radii, vertices, primitives;
  size_t corners, corner_first, triangulation, triangulation_first, repeats;
  size_t end;
} part_layout;

static inline size_t part_place(size_t *at, bool is_given, size_t count, size_t element_bytes) {
  const size_t place = *at;
  if (is_given) *at += (count * element_bytes + 7) / 8 * 8;
  return place;
}

/* Sizes cannot overflow, as counts have 32 bits. */
static inline part_layout part_layout_of(const part_header *part, uint32_t corners_each) {
  const size_t count = part->primitive_count, vertices = part->vertex_count;
  const bool varies = corners_each == 0, is_ball = kind_is_ball((graze_kind)part->kind);
  size_t at = sizeof *part;
  part_layout layout;
  layout.positions = part_place(&at, true, vertices, part->is_double ? 24 : 12);
  layout.radii = part_place(&at, is_ball, vertices, part->radii_are_double ? 8 : 4);
  layout.vertices = part_place(&at, !part->vertices_follow, vertices, 4);
  layout.primitives = part_place(&at, !part->primitives_follow, count, 4);
  layout.corners = part_place(&at, !is_ball, varies ? part->corner_count : count * corners_each, 4);
  layout.corner_first = part_place(&at, varies, count + 1, 4);
  layout.triangulation = part_place(&at, varies, part->triangle_count, 12);
  layout.triangulation_first = part_place(&at, kind_has_faces((graze_kind)part->kind), count + 1, 4);
  layout.repeats = part_place(&at, varies, count, 1);
  layout.end = at;
  return layout;
}

/* Refuses primitives that the object does not have, and starts in wrong order. */
graze_result parts_check(const graze_scene *scene, const host_object *object, const uint32_t *primitives,
                         const size_t *starts, size_t part_count);

/* Measures parts that were checked, and writes those for which there is memory. */
graze_result parts_write(const graze_scene *scene, const host_object *object, const uint32_t *primitives,
                         const size_t *starts, size_t part_count, size_t *bytes_or_null, void *const *parts_or_null);

/* Copies the header and finds the arrays. GRAZE_INVALID_ARGUMENT if the bytes are not a part. */
graze_result part_read_header(const graze_scene *scene, const void *bytes, size_t size, part_header *part,
                              part_layout *layout);

/* Whether the object has the primitives, corners and numbers of the part, of the same kind, so that only positions,
 * radii, pose and filter can differ. */
bool part_has_elements_of(const host_object *object, const part_header *part, const part_layout *layout,
                          const void *bytes);

#endif
