/* The read-only view of the scene's primitives that methods and tests share: plain arrays, filled by src/scene.
 *
 * Everything here lives in the scene's normalized coordinates: positions moved by a multiple of a power of two and
 * scaled by a power of two, so that the scene fits into [-1, 1]; or, where that would leave most of it too small to
 * tell apart, bent axis by axis into [-1, 1] (axis_map.h). Cells, levels, boxes and the float filter work in it; what
 * is exact (the given coordinates) is reached through `sources`.
 *
 * The functions are compiled for a GPU too, where the arrays lie in its memory. */
#ifndef GRAZE_BROAD_PRIMITIVE_VIEW_H
#define GRAZE_BROAD_PRIMITIVE_VIEW_H

#include "base/pair_slots.h"
#include "base/prefetch.h"
#include "broad/kind_table.h"
#include "geometry/exact_box.h"
#include "geometry/pose.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A vertex in normalized coordinates, rounded to float. Each coordinate is within `error` of the exact one, and so is
 * the float coordinate -+ error on its outer side: error is 0 where the float is exact, else it includes one more
 * rounding. */
typedef struct rounded_vertex {
  DEVICE_ALIGNED float x;
  float y, z, error;
} rounded_vertex;

/* A closed box in normalized coordinates that contains its primitive, rounded outward. */
typedef struct primitive_box {
  float min[3], max[3];
} primitive_box;

/* What a primitive is made of and belongs to. */
typedef struct primitive_header {
  DEVICE_ALIGNED uint32_t
      corner[3]; /* the scene's vertex numbers of the first three corners; a triangle has no more. Where there are
     fewer the last is repeated, so that boxes and searches for common corners need not know. */
  uint32_t object;
} primitive_header;

/* The corners of a polygon of so many or more are kept in ascending order: once it is triangulated, nobody asks for the
 * way round, and neighbors among large polygons are found by a merge. */
enum { ASCENDING_LEAST = 1024 };

/* Where one object's primitives and the coordinates of its vertices lie. The exact coordinates of the scene are the
 * positions after the pose, which no array holds: fetch_vertex makes them, the same to the bit for all who ask. */
typedef struct object_source {
  const void *positions;    /* packed triples of double or float, before the pose */
  const void *radii;        /* of spheres, double or float, one a vertex; else NULL */
  const rigid_pose *pose;   /* NULL: the positions are those in the scene */
  uint32_t first_vertex;    /* the scene's number of the object's vertex 0 */
  uint32_t first_primitive; /* and of its primitive 0 */
  bool is_double;
  bool radii_are_double;
  uint8_t corner_count; /* of every primitive, or CORNERS_VARY: as the table says of the kind */
  graze_kind kind;
  const uint32_t *corners;       /* the object's own vertex numbers; of a polyhedron each once, in ascending order; of a
                                    polygon all, see ASCENDING_LEAST */
  const uint32_t *corner_first;  /* where corners vary: where those of each begin, and the end; else NULL */
  const uint32_t *triangulation; /* polygons: three own vertex numbers a triangle; see polygon_triangulation. Polyhedra:
                             the triangles of their faces likewise */
  const uint32_t *triangulation_first; /* polyhedra: where the triangles of each begin, and the end; else NULL */
  const uint8_t *repeats;              /* polygons and polyhedra: whether the element repeats a vertex; else NULL */
  const uint8_t *erased; /* on the processor, a primitive each: not 0 where it is no more; NULL: all are there */
  uint32_t primitive_count;
  uint64_t shape;                         /* the same for objects that share positions and elements; 0: its own */
  const struct tree_forest *shape_forest; /* of one body: the tree that the shape has prepared; NULL: none */
} object_source;

typedef struct object_rule {
  uint64_t category, mask;
  bool self;        /* pairs within the object are asked for */
  bool excludes;    /* its pairs with some other object are excluded, or it is a part, another of which may exclude */
  uint32_t part_of; /* 0: it is whole. Else the number, plus one, of the object that stands for all parts of what it is
                       a part of: it has the same rule as they, and is one object with them */
} object_rule;

/* What a query is about beside its scope: everything, where no object is named and there is no box. */
typedef struct query_focus {
  uint32_t object_count; /* 0: all pairs. 1: pairs with at least one primitive of objects[0]. 2: pairs of one of
                            objects[0] and one of objects[1], which may be the same object */
  uint32_t objects[2];
  bool in_box; /* both primitives' boxes, in exact coordinates, meet the closed box */
  exact_box box;
} query_focus;

struct normalizing_transform;
struct axis_map;
struct part_vertices;

typedef struct primitive_view {
  size_t primitive_count, vertex_count;
  const primitive_header *headers; /* NULL: no method needs them all; see owner_of_primitive */
  const rounded_vertex *rounded_vertices;
  const struct normalizing_transform *normalization; /* that they are in */
  float slots;                  /* 0: they are linear in the given ones; else so many segments in a unit: axis_map.h */
  const struct axis_map *map;   /* the map then, for tight boxes of balls; NULL: none, or boxes are cubes */
  const primitive_box *boxes;   /* defined where searched, or NULL; see primitive_bounds.h */
  const uint8_t *searched;      /* a primitive each: 1 where a search looks at it, else 0 */
  const object_source *sources; /* an object each, as are the rules; positions are NULL where a device alone has them */
  const object_rule *rules;
  pair_slots excluded; /* pairs of objects that no query asks for, the lower number first; by whole_of_object */
  const struct part_vertices *parts; /* an object each; NULL: every object is whole. See part_vertices.h */
  const primitive_box *object_boxes; /* of all its vertices; empty, with min above max, where it has none */
  size_t object_count;
  bool between, within; /* the query's scope */
  bool skip_neighbors;  /* primitives of one object that share a vertex are no candidates */
  bool only_triangles;
  bool rules_differ; /* some object has a category or mask other than the default, excludes others or is a part, or the
                        query names objects */
  query_focus focus;
  double clearance; /* pairs no farther apart are asked for; 0: those that intersect */
  float reach; /* half of it in normalized coordinates, and somewhat more, where they are not bent: boxes of a search
                  are so much larger on each side */
} primitive_view;

GEOMETRY_FUNCTION bool focus_is_narrow(const query_focus *focus) {
  return focus->object_count > 0 || focus->in_box;
}

/* Whether pairs of these two objects are what the query is about. */
GEOMETRY_FUNCTION bool focus_has(const query_focus *focus, uint32_t a, uint32_t b) {
  if (focus->object_count == 0) return true;
  const uint32_t p = focus->objects[0], q = focus->objects[1];
  if (focus->object_count == 1) return a == p || b == p;
  return (a == p && b == q) || (a == q && b == p);
}

/* The number that stands for the object and all others that are parts of the same one. */
GEOMETRY_FUNCTION uint32_t whole_of_object(const object_rule *rules, uint32_t object) {
  const uint32_t part_of = rules[object].part_of;
  return part_of != 0 ? part_of - 1 : object;
}

/* Whether two different objects are parts of one. */
GEOMETRY_FUNCTION bool objects_are_parts(const object_rule *rules, uint32_t a, uint32_t b) {
  return rules[a].part_of != 0 && rules[a].part_of == rules[b].part_of;
}

GEOMETRY_FUNCTION bool filters_meet(const object_rule *a, const object_rule *b) {
  return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

/* Whether the filters of two objects, what they exclude and the query's scope ask for their pairs. Within one object,
 * `self` decides alone. Parts are among the objects that may exclude, so that others pay nothing for them. */
GEOMETRY_FUNCTION bool rules_meet(const object_rule *rules, pair_slots excluded, uint32_t a, uint32_t b, bool between,
                                  bool within) {
  if (a == b) return within && rules[a].self;
  if (!rules[a].excludes || !rules[b].excludes) return between && filters_meet(&rules[a], &rules[b]);
  if (objects_are_parts(rules, a, b)) return within && rules[a].self;
  if (!between || !filters_meet(&rules[a], &rules[b])) return false;
  return !pair_slots_have(excluded, index_pair_in_order(whole_of_object(rules, a), whole_of_object(rules, b)));
}

/* Whether the query asks for pairs of these two objects. */
GEOMETRY_FUNCTION bool objects_meet(const primitive_view *view, uint32_t a, uint32_t b) {
  return focus_has(&view->focus, a, b) && rules_meet(view->rules, view->excluded, a, b, view->between, view->within);
}

/* Whether the query may ask for pairs of different objects: between them, or of parts of one. */
GEOMETRY_FUNCTION bool view_crosses_objects(const primitive_view *view) {
  return view->between || view->parts != NULL;
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

/* The object of a primitive. A scene of shared shapes may have no headers on the processor: first numbers of objects
 * then ascend. */
GEOMETRY_FUNCTION uint32_t owner_of_primitive(const primitive_header *headers, const object_source *sources,
                                              size_t object_count, uint32_t primitive) {
#ifndef __CUDA_ARCH__
  if (headers == NULL) {
    size_t first = 0, count = object_count; /* the last object that begins at or before the primitive */
    while (count > 1) {
      const size_t half = count / 2;
      if (sources[first + half].first_primitive <= primitive) first += half;
      count -= half;
    }
    return (uint32_t)first;
  }
#else
  (void)sources;
  (void)object_count;
#endif
  return headers[primitive].object;
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

GEOMETRY_FUNCTION double coordinate_at(const void *positions, bool is_double, size_t vertex, int axis) {
  const size_t place = 3 * vertex + (size_t)axis;
  return is_double ? ((const double *)positions)[place] : (double)((const float *)positions)[place];
}

GEOMETRY_FUNCTION void read_position(const void *positions, bool is_double, size_t vertex, double position_out[3]) {
  for (int axis = 0; axis < 3; axis++) position_out[axis] = coordinate_at(positions, is_double, vertex, axis);
}

GEOMETRY_FUNCTION void fetch_vertex(const object_source *source, uint32_t own_vertex, double position_out[3]) {
  read_position(source->positions, source->is_double, own_vertex, position_out);
  if (source->pose == NULL) return;
  const double own[3] = {position_out[0], position_out[1], position_out[2]};
  pose_position(source->pose, own, position_out);
}

GEOMETRY_FUNCTION void fetch_triangle(const primitive_view *view, const primitive_header *header,
                                      double corners_out[9]) {
  const object_source *source = &view->sources[header->object];
  for (int corner = 0; corner < 3; corner++)
    fetch_vertex(source, header->corner[corner] - source->first_vertex, corners_out + 3 * corner);
}

/* The radius around an own vertex: 0 where the kind has none. */
GEOMETRY_FUNCTION double radius_at(const object_source *source, uint32_t own_vertex) {
  if (source->radii == NULL) return 0.0;
  return source->radii_are_double ? ((const double *)source->radii)[own_vertex]
                                  : (double)((const float *)source->radii)[own_vertex];
}

/* The same before the pose, where whatever lies within the radius after it lies too: poses are orthonormal within 1e-6
 * only, so that a ball may come from a body that is thicker by 1.6e-6 along some axis. */
GEOMETRY_FUNCTION double own_radius_at(const object_source *source, uint32_t own_vertex) {
  return radius_at(source, own_vertex) * (1.0 + 0x1p-18);
}

/* Adds an own vertex, and what lies within its radius and what doubles hold, to a box of positions before the pose. */
GEOMETRY_FUNCTION void include_own_vertex(const object_source *source, uint32_t own_vertex, exact_box *box) {
  double position[3];
  read_position(source->positions, source->is_double, own_vertex, position);
  if (source->radii == NULL) {
    exact_box_include(box, position);
    return;
  }
  exact_box ball = exact_box_of_ball(position, own_radius_at(source, own_vertex));
  for (int axis = 0; axis < 3; axis++) {
    ball.min[axis] = fmax(ball.min[axis], -DBL_MAX);
    ball.max[axis] = fmin(ball.max[axis], DBL_MAX);
  }
  exact_box_include(box, ball.min);
  exact_box_include(box, ball.max);
}

/* The box of corners, and of what lies within a radius of them, in exact coordinates; that of a sphere is rounded
 * outward. */
GEOMETRY_FUNCTION exact_box box_of_corners(const object_source *source, corner_list corners) {
  double position[3];
  fetch_vertex(source, corners.vertices[0], position);
  exact_box box = exact_box_at(position);
  for (uint32_t i = 1; i < corners.count; i++) {
    fetch_vertex(source, corners.vertices[i], position);
    exact_box_include(&box, position);
  }
  return source->radii == NULL ? box : exact_box_of_ball(position, radius_at(source, corners.vertices[0]));
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
    prefetch((const char *)source->positions + vertex_bytes * (header->corner[corner] - source->first_vertex));
}

/* The slot that a coordinate lies in (axis_map.h): none is below -1, and what the sum rounds away is far less than the
 * eighth of a slot that is empty at either end. */
GEOMETRY_FUNCTION int32_t slot_of(float coordinate, float slots) {
  return (int32_t)((coordinate + 1.0f) * slots);
}

/* Whether a box in normalized coordinates reaches over a border of its segments. Of two that do not, and that meet, all
 * corners lie in the same segment on each axis. */
GEOMETRY_FUNCTION bool box_straddles(const float min[3], const float max[3], float slots) {
  return ((slot_of(min[0], slots) ^ slot_of(max[0], slots)) | (slot_of(min[1], slots) ^ slot_of(max[1], slots)) |
          (slot_of(min[2], slots) ^ slot_of(max[2], slots))) != 0;
}

GEOMETRY_FUNCTION bool boxes_meet(const primitive_box *a, const primitive_box *b) {
  return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
         a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

#endif
