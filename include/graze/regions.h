/* graze: regions, which group pairs of primitives into clashes: a query may list 50,000 pairs where a person sees three
 * clashes.
 *
 *     graze_regions regions = {0};
 *     graze_scene_find_regions(scene, NULL, NULL, &regions);
 *     printf("%zu clashes in %zu pairs\n", regions.count, regions.pair_count);
 *     graze_regions_free(&regions);
 *
 * Two pairs of the same two objects are neighbors if, in each of the objects, their primitives are equal or share a
 * vertex. A region is a connected component of pairs under this relation. Within one object, the two primitives of a
 * pair may be matched either way. Vertices of an object with equal exact coordinates, after the pose, are one vertex,
 * so polygon soups form regions like meshes. A sphere shares no vertex with another one. Objects with the same
 * global_object are one.
 *
 * Regions need all pairs of a query: pair_limit, stop_after and candidates_only are refused. The host does the work,
 * even if the scene is on a device. docs/guide/regions.md is the guide. */
#ifndef GRAZE_REGIONS_H
#define GRAZE_REGIONS_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ways in which two primitives intersect, decided exactly, in ascending order of strength: name, value, word.
 *   touching   they intersect, but none of the others applies
 *   crossing   no plane separates them, not even one that both touch. For two solids: their interiors overlap; for a
 *              surface and a solid: the surface has points in the interior. Polygons cross if triangles of them do
 *   coplanar   two surfaces, or triangles of polygons, lie in one plane and share an area
 *   duplicate  two surfaces or two solids with the same corners, by position, in any order; spheres with the same
 *              center and radius */
#define GRAZE_CLASH_LIST(X)                                                                                            \
  X(TOUCHING, 0, "touching")                                                                                           \
  X(CROSSING, 1, "crossing")                                                                                           \
  X(COPLANAR, 2, "coplanar")                                                                                           \
  X(DUPLICATE, 3, "duplicate")

typedef enum graze_clash {
#define GRAZE_CLASH_ENUM(name, value, words) GRAZE_CLASH_##name = value,
  GRAZE_CLASH_LIST(GRAZE_CLASH_ENUM)
#undef GRAZE_CLASH_ENUM
} graze_clash;

enum { GRAZE_CLASH_KINDS = 4 }; /* number of enumerators above */

/* A region. Regions are sorted by (object_a, object_b), then by their first pair. */
typedef struct graze_region {
  uint32_t object_a, object_b; /* numbers as in pairs; equal: within an object */
  graze_clash clash;           /* the strongest clash of its pairs */
  uint32_t point_count;        /* in graze_regions.points: 1 to GRAZE_REGION_POINTS, or 0 without the option `depths` */
  size_t first_pair, pair_count;
  size_t first_point;
  size_t first_curve, curve_count;
  size_t clash_counts[GRAZE_CLASH_KINDS]; /* number of its pairs for each graze_clash */
  uint64_t id; /* hash of the corners of its pairs and of the names of its objects; see graze_region_options */
  double box_min[3], box_max[3]; /* bounds the intersections of the boxes of each pair, and so everything that the
                                    primitives share. Exact, but rounded outward for spheres */
  double depth;                  /* the greatest contact depth of its pairs: of primitives, not of the bodies */
} graze_region;

enum { GRAZE_REGION_POINTS = 4 }; /* maximum number of points of a region */

/* A point that represents a region: the centroid of the contact of one of its pairs. The first point is that of the
 * deepest contact. Each further one is the farthest from the previous ones. Ties are resolved by pair order. */
typedef struct graze_region_point {
  double position[3];
  double
      normal[3]; /* normal and depth of the contact: moving b's primitive by depth along the normal separates the two */
  double depth;
  size_t pair; /* index into graze_regions.pairs */
} graze_region_point;

/* The feature of an object that contains a point of a curve, of the lowest dimension. */
typedef enum graze_face_kind {
  GRAZE_FACE_VERTEX = 0, /* first, second: the vertex */
  GRAZE_FACE_EDGE = 1,   /* first, second: the ends, the lower number first */
  GRAZE_FACE_INSIDE = 2  /* first: the primitive number, as in pairs; second: the triangle of a polygon, else 0 */
} graze_face_kind;

typedef struct graze_face {
  graze_face_kind kind;
  uint32_t first, second; /* vertex numbers are the object's own, or its global ones (global_numbers). Of several
                             vertices at one position, the lowest number among those of the given pairs */
} graze_face;

/* A point of a curve: the single point that the two faces share. Curve segments join only where both faces are equal.
 * Within an object, face_a is the lesser one by (kind, first, second). Coordinates are rounded, and bit for bit equal
 * for equal faces; for a vertex they are those of the vertex. */
typedef struct graze_curve_vertex {
  double position[3];
  graze_face face_a, face_b;
} graze_curve_vertex;

/* The kinds of curves.
 *   line      where two surfaces cross, or touch in more than isolated points; continues until it ends or branches
 *   boundary  the closed boundary of an area that surfaces share in one plane. Holes, and areas that touch at a point,
 *             give several boundaries */
typedef enum graze_curve_kind { GRAZE_CURVE_LINE = 0, GRAZE_CURVE_BOUNDARY = 1 } graze_curve_kind;

/* A curve between triangles or polygons; solids have none. The curves of a region are consecutive. */
typedef struct graze_curve {
  graze_curve_kind kind;
  bool closed; /* the last vertex connects to the first */
  size_t region;
  size_t first_vertex, vertex_count; /* at least two; at least three if closed and not a boundary */
} graze_curve;

/* Two objects that share regions, and an upper bound of their penetration depth: moving b along `normal` by `depth`
 * separates them. The depth is the least over at most ten directions: both directions of the three axes, the line
 * between the box centers, and the mean contact normals of the three deepest regions. Along each direction it counts
 * only the primitives that the other object's box meets on its way. For nearly convex bodies it is close to the least
 * separating translation; for a pin in a hole it is the translation out of the hole. 0 within an object. See
 * docs/guide/regions.md. */
typedef struct graze_region_objects {
  uint32_t object_a, object_b;
  size_t first_region, region_count;
  size_t pair_count;
  double depth;
  double normal[3];
} graze_region_objects;

/* Regions, with their pairs, points and curves. Zero-initialize it. */
typedef struct graze_regions {
  size_t struct_bytes;
  const graze_region *regions;
  size_t count;
  const graze_pair *pairs; /* all pairs, grouped by region, sorted in each */
  const uint8_t *clashes;  /* the graze_clash of each pair */
  size_t pair_count;
  uint64_t hash; /* graze_pairs_hash of all pairs */
  const graze_region_point *points;
  size_t point_count;
  const graze_curve *curves;
  size_t curve_count;
  const graze_curve_vertex *vertices;
  size_t vertex_count;
  const graze_region_objects *objects; /* sorted by (object_a, object_b) */
  size_t object_pair_count;
  const graze_timings *timings;
  const graze_counters *counters; /* those of the query; if pairs were given, only those of the scene are set */
  struct graze_list_memory *memory;
} graze_regions;

GRAZE_API void graze_regions_free(graze_regions *regions); /* as graze_pairs_free */

/* Options, which select what is computed in addition to regions and clashes. Fields that are not computed are 0 and
 * cost nothing. */
typedef struct graze_region_options {
  size_t struct_bytes;
  graze_test test;    /* how depths are measured, as in graze_contact_options; with a query, that of the query */
  bool depths;        /* depths and points of regions; default true. Measures every pair */
  bool curves;        /* default true */
  bool object_depths; /* default true; needs depths. Visits all primitives of both objects, for each pair of objects */
  const char *const *object_names; /* names that enter the ids of regions, by object numbers as in pairs; NULL names,
                                      and objects beyond the count, have none */
  size_t object_name_count;
} graze_region_options;

/* Ids depend on the exact positions of corners and on names, not on numbers or on the order of objects, primitives or
 * corners: an id stays the same while its primitives and names do, whatever is added to the scene. Regions with equal
 * positions and names get distinct ids: the k-th of them, in order, the same in every run. */

GRAZE_API void graze_region_options_init(void *options, size_t bytes);
static inline graze_region_options graze_region_options_default(void) {
  graze_region_options options;
  graze_region_options_init(&options, sizeof options);
  return options;
}

/* Groups pairs that graze_scene_find_pairs has found since the last update. Pass all pairs of a query, in any order,
 * each once. A pair that is not in the scene or does not intersect fails with GRAZE_INVALID_ARGUMENT. NULL options mean
 * the defaults. On failure the list is empty. Nearly linear in the number of pairs times the squared corner count of a
 * primitive. */
GRAZE_API graze_result graze_scene_make_regions(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                                const graze_region_options *options, graze_regions *regions);

/* Finds the pairs of a query and groups them. GRAZE_UNSUPPORTED for queries with pair_limit, stop_after or
 * candidates_only. */
GRAZE_API graze_result graze_scene_find_regions(const graze_scene *scene, const graze_query *query,
                                                const graze_region_options *options, graze_regions *regions);

#ifdef __cplusplus
}
#endif

#endif
