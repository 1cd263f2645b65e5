/* The read-only view of the scene's primitives that methods and tests share: plain arrays, filled by src/scene.
 *
 * All coordinates here are normalized: positions translated by a multiple of a power of two and scaled by a power of
 * two, so that the scene fits into [-1, 1]. If most of the scene would then be too small to distinguish, a piecewise
 * linear map is used on each axis (axis_map.h). Cells, levels, boxes and the float filter use these coordinates; exact
 * tests read the given coordinates through `sources`.
 *
 * The functions are compiled for a GPU too, where the arrays are in its memory. */
#ifndef GRAZE_BROAD_PRIMITIVE_VIEW_H
#define GRAZE_BROAD_PRIMITIVE_VIEW_H

#include "base/index_pair.h"
#include "base/prefetch.h"
#include "broad/kind_table.h"
#include "geometry/exact_box.h"
#include "geometry/pose.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A vertex in normalized coordinates, rounded to float. Each coordinate is within `error` of the exact one, and the
 * float results of coordinate -+ error bound it: error is 0 if the float is exact, otherwise it includes one more
 * rounding. */
typedef struct rounded_vertex {
  DEVICE_ALIGNED float x;
  float y, z, error;
} rounded_vertex;

/* A closed box in normalized coordinates that contains its primitive, rounded outward. */
typedef struct primitive_box {
  float min[3], max[3];
} primitive_box;

/* The corners and the object of a primitive. */
typedef struct primitive_header {
  DEVICE_ALIGNED uint32_t
      corner[3]; /* the scene's vertex numbers of the first three corners, all those of a triangle. If there are fewer,
                    the last is repeated, so that boxes and tests for common corners need no special case. */
  uint32_t object;
} primitive_header;

/* The changes of an object since the reader's last update: bits, one element per object. */
typedef uint8_t object_change;
enum {
  CHANGED_POSE = 1,       /* moved rigidly: structures in the object's own coordinates remain valid */
  CHANGED_POSITIONS = 2,  /* vertices moved, and none were added or removed */
  CHANGED_ATTRIBUTES = 4, /* such as radii; always with CHANGED_POSITIONS, because shapes have changed */
  CHANGED_TOPOLOGY = 8,   /* primitives or vertices were added or removed, or the object itself */
  CHANGED_FILTER = 16,    /* category, mask, self or excluded objects */
  CHANGED_ALL = 31        /* also for new objects */
};

/* The corners of a polygon with at least this many are stored in ascending order: after triangulation their cyclic
 * order is not needed, and neighbors among large polygons are found by a merge. */
enum { ASCENDING_LEAST = 1024 };

/* The primitives of one object and the coordinates of its vertices. The exact coordinates of the scene are the
 * positions after the pose, which no array contains: fetch_vertex computes them, with the same bits for all callers. */
typedef struct object_source {
  const void *positions;    /* packed triples of double or float, before the pose */
  const void *radii;        /* of spheres, double or float, one per vertex; otherwise NULL */
  const rigid_pose *pose;   /* NULL: the positions are those in the scene */
  uint32_t first_vertex;    /* the scene's number of the object's vertex 0 */
  uint32_t first_primitive; /* and that of its primitive 0 */
  bool is_double;
  bool radii_are_double;
  uint8_t corner_count; /* of every primitive, or CORNERS_VARY: from the table of kinds */
  graze_kind kind;
  const uint32_t *corners; /* the object's own vertex numbers; of a polyhedron each once, in ascending order; of a
                              polygon all, see ASCENDING_LEAST */
  const uint32_t
      *corner_first; /* if the number of corners varies, the first of each primitive, and the end; otherwise NULL */
  const uint32_t *triangulation;       /* polygons: three own vertex numbers per triangle; see polygon_triangulation.
                                          Polyhedra: the triangles of their faces likewise */
  const uint32_t *triangulation_first; /* polyhedra: the first triangle of each, and the end; otherwise NULL */
  const uint8_t *repeats; /* polygons and polyhedra: whether the element repeats a vertex; otherwise NULL */
  const uint8_t *removed; /* on the processor, one per primitive: nonzero if it is removed; NULL: none is */
  uint32_t primitive_count;
  uint64_t shape;                         /* equal for objects that share positions and elements; 0: not shared */
  const struct tree_forest *shape_forest; /* of one body: the precomputed tree of the shape; NULL: none */
} object_source;

static inline bool element_is_removed(const object_source *source, size_t element) {
  return source->removed != NULL && source->removed[element] != 0;
}

typedef struct object_rule {
  uint64_t category, mask;
  bool self;     /* pairs within the object are requested */
  bool excludes; /* its pairs with some other object are excluded, or it is a part, and another part may exclude some */
  uint32_t part_of; /* 0: it is not a part. Otherwise the number, plus one, of the object that represents all parts of
                       the same whole: they have the same rule, and are one object */
} object_rule;

/* The focus of a query in addition to its scope: everything, if no object is named and there is no box. */
typedef struct query_focus {
  uint32_t object_count; /* 0: all pairs. 1: pairs with at least one primitive of objects[0]. 2: pairs of one primitive
                            of objects[0] and one of objects[1], which may be the same object */
  uint32_t objects[2];
  bool in_box; /* both primitives' boxes, in exact coordinates, meet the closed box */
  exact_box box;
} query_focus;

struct normalizing_transform;
struct axis_map;
struct part_vertices;

typedef struct primitive_view {
  size_t primitive_count, vertex_count;
  const primitive_header *headers; /* NULL: no method needs them; see owner_of_primitive */
  const rounded_vertex *rounded_vertices;
  const struct normalizing_transform *normalization; /* the normalization of these coordinates */
  float slots; /* 0: normalized coordinates are linear in the given ones; otherwise the number of segments per unit:
                  axis_map.h */
  const struct axis_map *map;   /* the map in that case, for tight boxes of balls; NULL: none, or boxes are cubes */
  const primitive_box *boxes;   /* defined for searched primitives, or NULL; see primitive_selection.h */
  const uint8_t *searched;      /* one per primitive: 1 if it is searched, otherwise 0 */
  const object_source *sources; /* one per object, like the rules; positions are NULL if only a device has them */
  const object_rule *rules;
  pair_slots excluded; /* pairs of objects that no query requests, the lower number first; by whole_of_object */
  const struct part_vertices *parts; /* one per object; NULL: there are no parts. See part_vertices.h */
  const primitive_box *object_boxes; /* of all its vertices; empty, with min above max, if it has none */
  size_t object_count;
  bool between, within; /* the query's scope */
  bool skip_neighbors;  /* primitives of one object that share a vertex are not candidates */
  bool only_triangles;
  bool rules_differ; /* some object has a category or mask other than the default, excludes others or is a part, or the
                        query names objects */
  query_focus focus;
  double clearance; /* pairs no farther apart are requested; 0: those that intersect */
  float growth;     /* half of it in normalized coordinates, plus a margin, unless they are piecewise mapped: boxes of a
                       search are larger by this on each side */
} primitive_view;

GEOMETRY_FUNCTION bool focus_is_narrow(const query_focus *focus) {
  return focus->object_count > 0 || focus->in_box;
}

/* Whether the focus includes pairs of these two objects. */
GEOMETRY_FUNCTION bool focus_has(const query_focus *focus, uint32_t a, uint32_t b) {
  if (focus->object_count == 0) return true;
  const uint32_t p = focus->objects[0], q = focus->objects[1];
  if (focus->object_count == 1) return a == p || b == p;
  return (a == p && b == q) || (a == q && b == p);
}

/* The number that represents the object and all other parts of the same whole. */
GEOMETRY_FUNCTION uint32_t whole_of_object(const object_rule *rules, uint32_t object) {
  const uint32_t part_of = rules[object].part_of;
  return part_of != 0 ? part_of - 1 : object;
}

/* Whether two different objects are parts of one whole. */
GEOMETRY_FUNCTION bool objects_are_parts(const object_rule *rules, uint32_t a, uint32_t b) {
  return rules[a].part_of != 0 && rules[a].part_of == rules[b].part_of;
}

GEOMETRY_FUNCTION bool filters_meet(const object_rule *a, const object_rule *b) {
  return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

/* Whether the filters of two objects, their exclusions and the query's scope allow their pairs. Within one object,
 * only `self` decides. Parts are among the objects that may exclude, so that other objects have no cost for them. */
GEOMETRY_FUNCTION bool rules_meet(const object_rule *rules, pair_slots excluded, uint32_t a, uint32_t b, bool between,
                                  bool within) {
  if (a == b) return within && rules[a].self;
  if (!rules[a].excludes || !rules[b].excludes) return between && filters_meet(&rules[a], &rules[b]);
  if (objects_are_parts(rules, a, b)) return within && rules[a].self;
  if (!between || !filters_meet(&rules[a], &rules[b])) return false;
  return !pair_slots_have(excluded, index_pair_in_order(whole_of_object(rules, a), whole_of_object(rules, b)));
}

/* Whether the query requests pairs of these two objects. */
GEOMETRY_FUNCTION bool objects_meet(const primitive_view *view, uint32_t a, uint32_t b) {
  return focus_has(&view->focus, a, b) && rules_meet(view->rules, view->excluded, a, b, view->between, view->within);
}

/* Whether the query may request pairs of different objects: between them, or of parts of one whole. */
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

/* Whether headers contain all corners of the object's primitives. */
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

/* The object of a primitive. A scene of shared shapes may have no headers on the processor: the first primitives of
 * objects then ascend. */
GEOMETRY_FUNCTION uint32_t owner_of_primitive(const primitive_header *headers, const object_source *sources,
                                              size_t object_count, uint32_t primitive) {
#ifndef __CUDA_ARCH__
  if (headers == NULL) {
    size_t first = 0, count = object_count; /* finds the last object that begins at or before the primitive */
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

/* Whether a corner is repeated; if their number varies, this was determined when they were added. */
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

/* The radius at an own vertex: 0 if the kind has none. */
GEOMETRY_FUNCTION double radius_at(const object_source *source, uint32_t own_vertex) {
  if (source->radii == NULL) return 0.0;
  return source->radii_are_double ? ((const double *)source->radii)[own_vertex]
                                  : (double)((const float *)source->radii)[own_vertex];
}

/* The same before the pose, enlarged so that every point within the radius after the pose is included: poses are
 * orthonormal within 1e-6 only, so that the preimage of a ball may be larger by 1.6e-6 along some axis. */
GEOMETRY_FUNCTION double own_radius_at(const object_source *source, uint32_t own_vertex) {
  return radius_at(source, own_vertex) * (1.0 + 0x1p-18);
}

/* Adds a position of an own vertex after the pose, with its radius, to a box. */
GEOMETRY_FUNCTION void include_posed_vertex(const object_source *source, uint32_t own_vertex, const double position[3],
                                            exact_box *box) {
  if (source->radii == NULL) {
    exact_box_include(box, position);
    return;
  }
  const exact_box ball = exact_box_of_ball(position, radius_at(source, own_vertex));
  exact_box_include(box, ball.min);
  exact_box_include(box, ball.max);
}

/* Adds an own vertex, with its radius and within the range of double, to a box of positions before the pose. */
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

/* The box of corners, with their radii, in exact coordinates; those of balls are rounded outward. */
GEOMETRY_FUNCTION exact_box box_of_corners(const object_source *source, corner_list corners) {
  double position[3];
  fetch_vertex(source, corners.vertices[0], position);
  exact_box box = source->radii == NULL ? exact_box_at(position)
                                        : exact_box_of_ball(position, radius_at(source, corners.vertices[0]));
  for (uint32_t i = 1; i < corners.count; i++) {
    fetch_vertex(source, corners.vertices[i], position);
    include_posed_vertex(source, corners.vertices[i], position, &box);
  }
  return box;
}

/* Whether two primitives have a common corner in their headers. */
GEOMETRY_FUNCTION bool headers_share_corner(const primitive_header *a, const primitive_header *b) {
  bool share = false;
  for (int i = 0; i < 3; i++)
    share = share || a->corner[i] == b->corner[0] || a->corner[i] == b->corner[1] || a->corner[i] == b->corner[2];
  return share;
}

/* Whether two ascending lists share a number, by a merge. */
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

/* Whether two primitives of one object share a vertex, for two large polygons in time linear in their corners. */
GEOMETRY_FUNCTION bool share_corner(const object_source *source, uint32_t a, uint32_t b) {
  const corner_list p = corners_of(source, a), q = corners_of(source, b);
  if (p.count >= ASCENDING_LEAST && q.count >= ASCENDING_LEAST) return ascending_lists_share(p, q);
  for (uint32_t i = 0; i < p.count; i++)
    for (uint32_t j = 0; j < q.count; j++)
      if (p.vertices[i] == q.vertices[j]) return true;
  return false;
}

/* Prefetches the data that fetch_triangle reads. */
static inline void prefetch_triangle(const primitive_view *view, const primitive_header *header) {
  const object_source *source = &view->sources[header->object];
  const size_t vertex_bytes = 3 * (source->is_double ? sizeof(double) : sizeof(float));
  for (int corner = 0; corner < 3; corner++)
    prefetch((const char *)source->positions + vertex_bytes * (header->corner[corner] - source->first_vertex));
}

/* The slot of a coordinate (axis_map.h): none is below -1, and the rounding error of the sum is far less than the
 * free eighth at both ends of a slot. */
GEOMETRY_FUNCTION int32_t slot_of(float coordinate, float slots) {
  return (int32_t)((coordinate + 1.0f) * slots);
}

/* Whether a box in normalized coordinates crosses a border of segments. If two boxes that meet do not, all their
 * corners are in the same segment on each axis. */
GEOMETRY_FUNCTION bool box_straddles(const float min[3], const float max[3], float slots) {
  return ((slot_of(min[0], slots) ^ slot_of(max[0], slots)) | (slot_of(min[1], slots) ^ slot_of(max[1], slots)) |
          (slot_of(min[2], slots) ^ slot_of(max[2], slots))) != 0;
}

GEOMETRY_FUNCTION bool boxes_meet(const primitive_box *a, const primitive_box *b) {
  return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
         a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

#endif
