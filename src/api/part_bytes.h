/* How a part of an object lies in bytes: a header, then arrays, each of which begins at a multiple of eight. Whoever
 * writes it has one process in mind, and another of the same program that reads it: no order of bytes is converted. */
#ifndef GRAZE_API_PART_BYTES_H
#define GRAZE_API_PART_BYTES_H

#include "graze/parts.h"

/* The first eight bytes: another version of the library, or another order of bytes, has others. */
#define PART_MARK UINT64_C(0x31747261705f7a67)

typedef struct part_header {
  uint64_t mark, bytes; /* all of the part, this header too */
  uint64_t category, mask;
  graze_pose pose;
  uint32_t kind, object;
  uint32_t vertex_count, primitive_count;
  uint32_t corner_count, triangle_count;  /* of elements whose corners vary; else 0 */
  uint32_t first_vertex, first_primitive; /* the numbers of the first, where the others follow it */
  uint8_t is_double, radii_are_double, self, vertices_follow, primitives_follow, reserved[3];
} part_header;

/* Where the arrays begin; those that the part does not have are empty. */
typedef struct part_layout {
  size_t positions, radii, vertices, primitives;
  size_t corners, corner_first, triangulation, triangulation_first, repeats;
  size_t end;
} part_layout;

static inline size_t part_place(size_t *at, bool is_there, size_t count, size_t element_bytes) {
  const size_t place = *at;
  if (is_there) *at += (count * element_bytes + 7) / 8 * 8;
  return place;
}

/* Sizes cannot overflow: counts have 32 bits. */
static inline part_layout part_layout_of(const part_header *part, uint32_t corners_each) {
  const size_t count = part->primitive_count, vertices = part->vertex_count;
  const bool varies = corners_each == 0, is_cells = part->kind == GRAZE_KIND_POLYHEDRON;
  size_t at = sizeof *part;
  part_layout layout;
  layout.positions = part_place(&at, true, vertices, part->is_double ? 24 : 12);
  layout.radii = part_place(&at, part->kind == GRAZE_KIND_SPHERE, vertices, part->radii_are_double ? 8 : 4);
  layout.vertices = part_place(&at, !part->vertices_follow, vertices, 4);
  layout.primitives = part_place(&at, !part->primitives_follow, count, 4);
  layout.corners =
      part_place(&at, part->kind != GRAZE_KIND_SPHERE, varies ? part->corner_count : count * corners_each, 4);
  layout.corner_first = part_place(&at, varies, count + 1, 4);
  layout.triangulation = part_place(&at, varies, part->triangle_count, 12);
  layout.triangulation_first = part_place(&at, is_cells, count + 1, 4);
  layout.repeats = part_place(&at, varies, count, 1);
  layout.end = at;
  return layout;
}

#endif
