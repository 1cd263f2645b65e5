/* The read-only view of the scene's primitives that methods and tests share: plain arrays, filled by src/scene.
 *
 * Everything here lives in the scene's normalised coordinates: positions moved by a multiple of a power of two and
 * scaled by a power of two, so that the scene fits into [-1, 1]. Cells, levels, boxes and the float filter work in it;
 * what is exact (the given coordinates) is reached through `sources`.
 *
 * The functions are compiled for a GPU too, where the arrays lie in its memory. */
#ifndef GRAZE_BROAD_PRIMITIVE_VIEW_H
#define GRAZE_BROAD_PRIMITIVE_VIEW_H

#include "broad/kind_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A vertex in normalised coordinates, rounded to float. Each coordinate is within `error` of the exact one, and so is
 * the float coordinate -+ error on its outer side: error is 0 where the float is exact, else it includes one more
 * rounding. */
typedef struct rounded_vertex {
  float x, y, z, error;
} rounded_vertex;

/* A closed box in normalised coordinates that contains its primitive, rounded outward. */
typedef struct primitive_box {
  float min[3], max[3];
} primitive_box;

enum { GRID_LEVEL_COUNT = 32, LEVEL_NOT_SEARCHED = 255 };

/* What a primitive is made of and belongs to. */
typedef struct primitive_header {
  uint32_t corner[3]; /* the scene's vertex numbers of the first three corners; a triangle has no more. Where there are
                         fewer the last is repeated, so that boxes and searches for common corners need not know. */
  uint32_t object;
} primitive_header;

/* The corners of a polygon of so many or more are kept in ascending order: once it is triangulated, nobody asks for the
 * way round, and neighbours among large polygons are found by a merge. */
enum { ASCENDING_LEAST = 1024 };

/* Where one object's primitives and the exact coordinates of its vertices lie. */
typedef struct object_source {
  const void *positions;    /* packed triples of double or float */
  uint32_t first_vertex;    /* the scene's number of the object's vertex 0 */
  uint32_t first_primitive; /* and of its primitive 0 */
  bool is_double;
  uint8_t corner_count; /* of every primitive, or CORNERS_VARY: as the table says of the kind */
  graze_kind kind;
  const uint32_t *corners;       /* the object's own vertex numbers; of a polyhedron each once, in ascending order; of a
                                    polygon all, see ASCENDING_LEAST */
  const uint32_t *corner_first;  /* where corners vary: where those of each begin, and the end; else NULL */
  const uint32_t *triangulation; /* polygons: three own vertex numbers a triangle; see polygon_pieces. Polyhedra: the
                             triangles of their faces likewise */
  const uint32_t *triangulation_first; /* polyhedra: where the triangles of each begin, and the end; else NULL */
  const uint8_t *repeats;              /* polygons and polyhedra: whether the element repeats a vertex; else NULL */
} object_source;

typedef struct object_rule {
  uint64_t category, mask;
  bool self; /* pairs within the object are asked for */
} object_rule;

typedef struct primitive_view {
  size_t primitive_count;
  const primitive_header *headers;
  const rounded_vertex *rounded_vertices;
  const primitive_box *boxes; /* defined where the level is not LEVEL_NOT_SEARCHED */
  const uint8_t *levels;      /* level of each primitive, or LEVEL_NOT_SEARCHED */
  size_t level_population[GRID_LEVEL_COUNT];
  const object_source *sources; /* an object each */
  const object_rule *rules;     /* an object each */
  size_t object_count;
  bool between, within; /* the query's scope */
  bool skip_neighbours; /* primitives of one object that share a vertex are no candidates */
  bool only_triangles;
  bool rules_differ; /* some object has a category or mask other than the default */
} primitive_view;

/* Whether the query asks for pairs of these two objects. Within one object, `self` decides alone. */
GEOMETRY_FUNCTION bool objects_meet(const primitive_view *view, uint32_t a, uint32_t b) {
  if (a == b) return view->within && view->rules[a].self;
  return view->between && (view->rules[a].category & view->rules[b].mask) != 0 &&
         (view->rules[b].category & view->rules[a].mask) != 0;
}

/* The corners of a primitive as the object's own vertex numbers. */
typedef struct corner_list {
  const uint32_t *vertices;
  uint32_t count;
} corner_list;

GEOMETRY_FUNCTION corner_list corners_of(const object_source *source, uint32_t primitive) {
  const size_t element = primitive - source->first_primitive;
  corner_list corners = {source->corners, source->corner_count};
  if (source->corner_count != CORNERS_VARY) {
    corners.vertices += source->corner_count * element;
  } else {
    corners.vertices += source->corner_first[element];
    corners.count = source->corner_first[element + 1] - source->corner_first[element];
  }
  return corners;
}

/* Whether headers hold all corners of the object's primitives. */
GEOMETRY_FUNCTION bool headers_have_all_corners(const object_source *source) {
  return source->corner_count != CORNERS_VARY && source->corner_count <= 3;
}

/* See primitive_header; `object` is the number of the source. */
GEOMETRY_FUNCTION primitive_header primitive_header_of(const object_source *source, uint32_t primitive,
                                                       uint32_t object) {
  const corner_list corners = corners_of(source, primitive);
  const uint32_t last = corners.count - 1;
  primitive_header header;
  for (uint32_t i = 0; i < 3; i++) header.corner[i] = source->first_vertex + corners.vertices[i < last ? i : last];
  header.object = object;
  return header;
}

/* Whether a vertex is twice among the corners; where their number varies that was found out when they came in. */
GEOMETRY_FUNCTION bool primitive_repeats_vertex(const object_source *source, uint32_t primitive) {
  if (source->repeats != NULL) return source->repeats[primitive - source->first_primitive] != 0;
  const corner_list corners = corners_of(source, primitive);
  bool repeats = false;
  for (uint32_t i = 1; i < corners.count; i++)
    for (uint32_t j = 0; j < i; j++) repeats = repeats || corners.vertices[i] == corners.vertices[j];
  return repeats;
}

/* The triangles of a polygon: three own vertex numbers each, two fewer than corners. */
GEOMETRY_FUNCTION const uint32_t *polygon_triangulation(const object_source *source, uint32_t primitive) {
  const size_t element = primitive - source->first_primitive;
  return source->triangulation + 3 * (source->corner_first[element] - 2 * element);
}

GEOMETRY_FUNCTION void fetch_vertex(const object_source *source, uint32_t own_vertex, double position_out[3]) {
  const size_t at = 3 * (size_t)own_vertex;
  for (int axis = 0; axis < 3; axis++)
    position_out[axis] = source->is_double ? ((const double *)source->positions)[at + axis]
                                           : (double)((const float *)source->positions)[at + axis];
}

GEOMETRY_FUNCTION void fetch_triangle(const primitive_view *view, const primitive_header *header,
                                      double corners_out[9]) {
  const object_source *source = &view->sources[header->object];
  for (int corner = 0; corner < 3; corner++)
    fetch_vertex(source, header->corner[corner] - source->first_vertex, corners_out + 3 * corner);
}

/* Whether two primitives have one of the corners of their headers in common. */
GEOMETRY_FUNCTION bool headers_share_corner(const primitive_header *a, const primitive_header *b) {
  bool share = false;
  for (int i = 0; i < 3; i++)
    share = share || a->corner[i] == b->corner[0] || a->corner[i] == b->corner[1] || a->corner[i] == b->corner[2];
  return share;
}

/* Whether two ascending lists share a number; a merge of the two. */
GEOMETRY_FUNCTION bool ascending_lists_share(corner_list p, corner_list q) {
  for (uint32_t i = 0, j = 0; i < p.count && j < q.count;) {
    if (p.vertices[i] == q.vertices[j]) return true;
    if (p.vertices[i] < q.vertices[j])
      i++;
    else
      j++;
  }
  return false;
}

/* Whether two primitives of one object share a vertex: two large polygons in the time of the sum of their corners. */
GEOMETRY_FUNCTION bool share_corner(const object_source *source, uint32_t a, uint32_t b) {
  const corner_list p = corners_of(source, a), q = corners_of(source, b);
  if (p.count >= ASCENDING_LEAST && q.count >= ASCENDING_LEAST) return ascending_lists_share(p, q);
  for (uint32_t i = 0; i < p.count; i++)
    for (uint32_t j = 0; j < q.count; j++)
      if (p.vertices[i] == q.vertices[j]) return true;
  return false;
}

/* Asks for what fetch_triangle will read. */
static inline void prefetch_triangle(const primitive_view *view, const primitive_header *header) {
  const object_source *source = &view->sources[header->object];
  const size_t vertex_bytes = 3 * (source->is_double ? sizeof(double) : sizeof(float));
  for (int corner = 0; corner < 3; corner++)
    __builtin_prefetch((const char *)source->positions +
                       vertex_bytes * (header->corner[corner] - source->first_vertex));
}

GEOMETRY_FUNCTION bool boxes_meet(const primitive_box *a, const primitive_box *b) {
  return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
         a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

#endif
