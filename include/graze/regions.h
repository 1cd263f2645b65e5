/* graze: regions. Pairs of primitives grouped into clashes: what a person counts, where a query lists 50,000 pairs.
 *
 *     graze_regions regions = {0};
 *     graze_scene_find_regions(scene, NULL, NULL, &regions);
 *     printf("%zu clashes in %zu pairs\n", regions.count, regions.pair_count);
 *     graze_regions_free(&regions);
 *
 * Two pairs of the same two objects are neighbors when their primitives are equal or share a vertex on both sides; a
 * region is all pairs that are reached from one by going from neighbor to neighbor. Within an object either primitive
 * of a pair may be the one side. Vertices at the same place, in exact coordinates after the pose, are the same vertex
 * of their object, whatever their numbers: soups form regions as meshes do. A sphere shares vertices with no other.
 *
 * Regions need all pairs of a query: a pair_limit, a stop_after or candidates_only is refused. docs/guide/regions.md
 * has the definitions, their limits and an example. The work runs on the host, also where the scene is on a device. */
#ifndef GRAZE_REGIONS_H
#define GRAZE_REGIONS_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How two primitives meet, by exact signs, in ascending strength: name, value, word.
 *   touching   they meet, and none of the others holds
 *   crossing   no plane has one on its one closed side and the other on the other. Of solids: their insides overlap; of
 *              a surface and a solid: the surface has points inside the solid. Polygons cross when triangles of them do
 *   coplanar   surfaces that lie in one plane, or triangles of polygons that do, share an area
 *   duplicate  both are surfaces or both are solids, and they have the same corners, by place, in any order; spheres:
 *              the same center and radius */
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

enum { GRAZE_CLASH_KINDS = 4 }; /* of the enumerators above */

/* A region. Regions are sorted by (object_a, object_b), then by their first pair. */
typedef struct graze_region {
  uint32_t object_a, object_b; /* the numbers in pairs; equal: within an object */
  graze_clash clash;           /* the strongest of its pairs */
  uint32_t point_count;        /* of graze_regions.points; 1 to GRAZE_REGION_POINTS, 0 where depths are not asked for */
  size_t first_pair, pair_count;
  size_t first_point;
  size_t first_curve, curve_count;
  size_t clash_counts[GRAZE_CLASH_KINDS]; /* how many of its pairs meet in each way */
  uint64_t id;                            /* graze_pairs_hash of its pairs: independent of any order */
  double box_min[3], box_max[3];          /* around the common box of the two primitives of each of its pairs: holds all
                                             that they share. Of spheres rounded outward, else exact */
  double depth; /* the greatest depth of a contact of its pairs: of two primitives, not of the bodies */
} graze_region;

/* A point that represents a region: the centroid of the contact of one of its pairs. The first of a region is that of
 * the deepest contact; each other is the one that is farthest from those before it. Of equals the first pair counts. */
enum { GRAZE_REGION_POINTS = 4 };
typedef struct graze_region_point {
  double position[3];
  double normal[3]; /* of the contact, as is the depth: moving b's primitive along it by depth separates the two */
  double depth;
  size_t pair; /* into graze_regions.pairs */
} graze_region_point;

/* What of an object a point of a curve lies in: the smallest face that holds it. */
typedef enum graze_face_kind {
  GRAZE_FACE_VERTEX = 0, /* first: the vertex; second: the same */
  GRAZE_FACE_EDGE = 1,   /* first, second: the ends, the lower number first */
  GRAZE_FACE_INSIDE = 2  /* first: the primitive, by its number in pairs; second: its triangle, 0 but for polygons */
} graze_face_kind;

typedef struct graze_face {
  graze_face_kind kind;
  uint32_t first, second; /* vertices have their object's own numbers; of those of pairs at one place the lowest */
} graze_face;

/* A point of a curve: exactly the one point that the two faces share. Parts of curves join where both faces are equal,
 * and nowhere else. Within an object face a is the lesser one by (kind, first, second). The coordinates are rounded,
 * the same to the bit for equal faces; a vertex is itself. */
typedef struct graze_curve_vertex {
  double position[3];
  graze_face face_a, face_b;
} graze_curve_vertex;

/*   line      where two surfaces cross, or touch in more than points: goes on until it ends or branches
 *   boundary  the closed boundary of an area that surfaces share in one plane; with holes, or areas that touch in a
 *             point, there are several */
typedef enum graze_curve_kind { GRAZE_CURVE_LINE = 0, GRAZE_CURVE_BOUNDARY = 1 } graze_curve_kind;

/* Curves exist between triangles and polygons, not with solids. Those of a region follow each other. */
typedef struct graze_curve {
  graze_curve_kind kind;
  uint32_t closed; /* 1: the last vertex is followed by the first; else 0 */
  size_t region;
  size_t first_vertex, vertex_count; /* two or more; of a closed one that is no boundary three or more */
} graze_curve;

/* Two objects that share regions, and their depth, which is a bound: moving b along `normal` by `depth` separates the
 * two objects. It is the least over ten directions or fewer of how far a reaches beyond b's beginning, along the
 * direction and where b passes: both ways along the three axes, between the middles of the boxes, and the mean normals
 * of the contacts of the first three regions by depth. For bodies near to convex it is close to the least translation
 * that separates them; for a pin in its hole it is that of the pin's way out. 0 within an object. docs/guide/regions.md
 * says more. */
typedef struct graze_region_objects {
  uint32_t object_a, object_b;
  size_t first_region, region_count;
  size_t pair_count;
  double depth;
  double normal[3];
} graze_region_objects;

/* The structs of points, curves, their vertices and objects never change; regions may get more fields. */
typedef struct graze_regions {
  size_t struct_bytes;
  const graze_region *regions; /* walk them by graze_regions_at */
  size_t count;
  size_t element_bytes;    /* from one region to the next */
  const graze_pair *pairs; /* all pairs, region after region, sorted in each */
  const uint8_t *clashes;  /* a graze_clash for each of them */
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
  const graze_counters *counters; /* those of a query; zeros but for the scene's own where pairs were given */
  struct graze_list_memory *memory;
} graze_regions;

static inline const graze_region *graze_regions_at(const graze_regions *regions, size_t i) {
  return (const graze_region *)(const void *)((const char *)regions->regions + i * regions->element_bytes);
}

GRAZE_API void graze_regions_free(graze_regions *regions); /* as graze_pairs_free */

/* What is made beside regions and the way in which pairs meet. What is not made is 0, and costs nothing. */
typedef struct graze_region_options {
  size_t struct_bytes;
  graze_test test;    /* by which depths are measured, as in graze_contact_options; a query brings its own */
  bool depths;        /* depths and points of regions; default true. Measures every pair */
  bool curves;        /* default true */
  bool object_depths; /* default true; needs depths. Cost: the primitives of both objects, for each two objects */
  bool reserved;      /* false */
} graze_region_options;

GRAZE_API void graze_region_options_init(void *options, size_t bytes);
static inline graze_region_options graze_region_options_default(void) {
  graze_region_options options;
  graze_region_options_init(&options, sizeof options);
  return options;
}

/* Groups pairs that were found by graze_scene_find_pairs since the last update, all that a query has found; their order
 * does not matter, but each must be given once. One that is not in the scene or does not meet is
 * GRAZE_INVALID_ARGUMENT. NULL for the options means the default ones. On failure the list is empty. Near linear in the
 * number of pairs times the corners of a primitive squared. */
GRAZE_API graze_result graze_scene_make_regions(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                                const graze_region_options *options, graze_regions *regions);

/* Finds the pairs of a query and groups them. GRAZE_UNSUPPORTED for a query with pair_limit, stop_after or
 * candidates_only. */
GRAZE_API graze_result graze_scene_find_regions(const graze_scene *scene, const graze_query *query,
                                                const graze_region_options *options, graze_regions *regions);

#ifdef __cplusplus
}
#endif

#endif
