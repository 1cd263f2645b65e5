/* Vertices shared by objects that are parts of one whole. Two vertices are the same one if their numbers in the whole
 * and their positions in the scene are equal.
 *
 * Methods treat parts as different objects: their pairs of parts that share a vertex are filtered afterwards, here, so
 * that scenes without parts have no cost.
 *
 * Workload: candidates of primitives of two parts: those along the borders of the parts. */
#ifndef GRAZE_BROAD_PART_VERTICES_H
#define GRAZE_BROAD_PART_VERTICES_H

#include "broad/primitive_view.h"

/* The numbers of a part's vertices in the whole. */
typedef struct part_vertices {
  const uint32_t *numbers; /* one per vertex; NULL: consecutive ones */
  uint32_t first;
} part_vertices;

GEOMETRY_FUNCTION uint32_t part_vertex_number(const part_vertices *part, uint32_t own_vertex) {
  return part->numbers != NULL ? part->numbers[own_vertex] : part->first + own_vertex;
}

/* One of two primitives of different parts. */
typedef struct part_side {
  const object_source *source;
  const part_vertices *part;
  uint32_t primitive;
  corner_list corners; /* as own vertex numbers */
} part_side;

/* The own vertex numbers of a primitive whose corners are all in its header. */
typedef struct header_corners {
  uint32_t own[3];
} header_corners;

GEOMETRY_FUNCTION header_corners header_corners_of(const object_source *source, const primitive_header *header) {
  header_corners corners;
  for (int i = 0; i < 3; i++) corners.own[i] = header->corner[i] - source->first_vertex;
  return corners;
}

/* `storage` receives the corners of a triangle, which on devices are only in headers. */
GEOMETRY_FUNCTION part_side part_side_of(const object_source *sources, const part_vertices *parts,
                                         const primitive_header *header, uint32_t primitive, header_corners *storage) {
  const object_source *source = &sources[header->object];
  part_side side = {source, &parts[header->object], primitive, {storage->own, 3}};
  *storage = header_corners_of(source, header);
  if (source->corner_count != 3) side.corners = corners_of(source, primitive);
  return side;
}

GEOMETRY_FUNCTION bool part_vertices_are_one(const part_side *a, uint32_t a_vertex, const part_side *b,
                                             uint32_t b_vertex) {
  if (part_vertex_number(a->part, a_vertex) != part_vertex_number(b->part, b_vertex)) return false;
  double p[3], q[3];
  fetch_vertex(a->source, a_vertex, p);
  fetch_vertex(b->source, b_vertex, q);
  return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* Whether the vertex is one of the other side's corners. */
GEOMETRY_FUNCTION bool part_side_has(const part_side *a, uint32_t a_vertex, const part_side *b) {
  for (uint32_t i = 0; i < b->corners.count; i++)
    if (part_vertices_are_one(a, a_vertex, b, b->corners.vertices[i])) return true;
  return false;
}

/* Whether two primitives of different parts share a vertex. For primitives with many corners, only those inside the
 * box of the other are compared. */
GEOMETRY_FUNCTION bool part_sides_share(const part_side *a, const part_side *b) {
  const bool many = a->corners.count > 16 && b->corners.count > 16;
  const exact_box box = many ? box_of_corners(b->source, b->corners) : exact_box_empty();
  for (uint32_t i = 0; i < a->corners.count; i++) {
    double place[3];
    if (many) fetch_vertex(a->source, a->corners.vertices[i], place);
    if (many && !exact_box_has(&box, place)) continue;
    if (part_side_has(a, a->corners.vertices[i], b)) return true;
  }
  return false;
}

/* Whether an own vertex is repeated among the corners. */
GEOMETRY_FUNCTION bool part_side_repeats(const part_side *side) {
  const uint32_t *own = side->corners.vertices;
  if (side->source->corner_count != 3) return primitive_repeats_vertex(side->source, side->primitive);
  return own[0] == own[1] || own[1] == own[2] || own[2] == own[0];
}

/* For three corners of b, the own vertices of a with the same numbers, if a triangle of a has them among its
 * corners; otherwise numbers that no vertex has. Functions for one object then find the common corners of
 * two triangles. */
GEOMETRY_FUNCTION header_corners part_corners_by(const part_side *a, const uint32_t a_own[3], const part_side *b,
                                                 const uint32_t b_own[3]) {
  header_corners named;
  for (uint32_t i = 0; i < 3; i++) {
    named.own[i] = UINT32_MAX - i;
    for (uint32_t j = 0; j < 3; j++)
      if (part_vertices_are_one(a, a_own[j], b, b_own[i])) named.own[i] = a_own[j];
  }
  return named;
}

/* The relation of primitives of two objects, by their common vertices. */
typedef enum part_relation {
  PARTS_APART,     /* of parts without a common vertex here, or not of parts of one object */
  PARTS_NO_PAIR,   /* not requested */
  PARTS_NEIGHBORS, /* they share a vertex, and the rule "beyond" decides */
} part_relation;

/* For primitives of different parts of one object. Surfaces with a repeated vertex are in no pair of their object if
 * neighbors are tested. */
GEOMETRY_FUNCTION part_relation relate_part_sides(const part_side *a, const part_side *b, bool skip_neighbors) {
  if (skip_neighbors) return part_sides_share(a, b) ? PARTS_NO_PAIR : PARTS_APART;
  if (part_side_repeats(a) || part_side_repeats(b)) return PARTS_NO_PAIR;
  return part_sides_share(a, b) ? PARTS_NEIGHBORS : PARTS_APART;
}

#endif
