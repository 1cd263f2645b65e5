/* graze: objects that lie inside another object's closed surface without touching it.
 *
 * Triangles and polygons are surfaces: a ball of triangles inside a larger one does not intersect it, so no pair
 * reports it. The calls in this header do. Like pairs they are exact: they use posed coordinates, without a tolerance.
 *
 *   closed   a surface is closed if every edge is used equally often in both directions. Polygons count as their
 *            triangles, and vertices with equal posed coordinates as one. Removed primitives are ignored
 *   inside   a point is inside a closed surface if its winding number is not 0. Surfaces may face outward or inward,
 *            and the cavity of a hollow ball is not inside
 *   outer    an object of triangles or polygons whose surface is closed. Tetrahedra, polyhedra and spheres are solid:
 *            whatever lies inside one intersects it and is in a pair
 *   inner    an object of any kind that does not touch the outer one. Each of its primitives lies inside or outside */
#ifndef GRAZE_CONTAINMENT_H
#define GRAZE_CONTAINMENT_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An object with at least one primitive inside another object; numbers as in pairs. */
typedef struct graze_containment {
  uint32_t inner, outer;
  uint32_t inside_count;    /* primitives of the inner object that lie inside the outer one */
  uint32_t primitive_count; /* all primitives of the inner object, without removed ones. If both counts are equal, the
                               whole object lies inside */
} graze_containment;

/* Containments, sorted by (inner, outer). Three nested objects give three of them. Zero-initialize it. */
typedef struct graze_containments {
  size_t struct_bytes;
  const graze_containment *containments;
  size_t count;
  const graze_timings *timings; /* of the search for touching objects; boxes count as bounds, winding numbers as test */
  const graze_counters *counters;
  struct graze_list_memory *memory;
} graze_containments;

GRAZE_API void graze_containments_free(graze_containments *containments); /* as graze_pairs_free */

typedef struct graze_containment_options {
  size_t struct_bytes;
  /* The objects that touch, if known: all pairs that graze_scene_find_object_pairs with scope between has found since
   * the last update, in any order. Additional pairs are harmless. NULL: the call finds them. */
  const graze_object_pair *touching;
  size_t touching_count;
  bool (*should_stop)(void *stop_context); /* as in graze_query */
  void *stop_context;
} graze_containment_options;

GRAZE_API void graze_containment_options_init(void *options, size_t bytes);
static inline graze_containment_options graze_containment_options_default(void) {
  graze_containment_options options;
  graze_containment_options_init(&options, sizeof options);
  return options;
}

/* Finds all containments between objects of an updated scene that do not touch and that filters allow. NULL options
 * mean the defaults. Surfaces that are not closed contain nothing. The cost depends on the objects whose boxes overlap.
 * GRAZE_UNSUPPORTED if positions are only on a device, or if two objects have the same global number. On failure the
 * list is empty. */
GRAZE_API graze_result graze_scene_find_containments(const graze_scene *scene, const graze_containment_options *options,
                                                     graze_containments *containments);

/* The edges at which a surface is not closed. Zero-initialize it.
 *
 *   open      an edge of a single triangle
 *   reversed  an edge of an even number of triangles, some of which are oriented the wrong way
 *   others    edges of three triangles, of five, and so on
 *
 * Polygons, vertices and removed primitives count as above; a triangle that repeats a vertex has no edges. */
typedef struct graze_open_edges {
  size_t struct_bytes;
  uint64_t count;     /* number of edges that are not used equally often in both directions; 0: the surface is closed */
  uint32_t primitive; /* the object's first primitive with such an edge; 0 if there is none */
  uint32_t forward, backward;  /* how often that edge is used from `from` to `to`, and back */
  double from[3], to[3];       /* its ends, after the pose */
  uint64_t open_count;         /* those of `count` that are open; */
  uint64_t reversed_count;     /* those that are reversed */
  uint64_t non_manifold_count; /* all edges of three triangles or more, even if used equally often in both directions */
} graze_open_edges;

/* Counts the open edges of an object of triangles or polygons in an updated scene. GRAZE_UNSUPPORTED for other kinds.
 * Linear in its triangles. */
GRAZE_API graze_result graze_object_find_open_edges(const graze_scene *scene, graze_object object,
                                                    graze_open_edges *edges);

/* Counts the shells of a closed surface that are inside out: those that enclose a negative volume, with a winding
 * number of at most 0 around them, so the cavity of a hollow ball is none. A shell is a part that shares no vertex with
 * the others. The primitive is the first one of such a shell; 0 if there is none. Shells whose volume is lost to
 * rounding are not counted. If the surface is not closed, the numbers have no meaning. GRAZE_UNSUPPORTED for kinds
 * without a surface. Nearly linear. */
GRAZE_API graze_result graze_object_count_inward_shells(const graze_scene *scene, graze_object object,
                                                        uint32_t *count_out, uint32_t *primitive_out);

#ifdef __cplusplus
}
#endif

#endif
