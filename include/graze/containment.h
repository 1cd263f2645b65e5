/* graze: objects that lie inside another object's closed surface without touching it.
 *
 * Triangles and polygons are surfaces: a ball of triangles inside a larger one does not intersect it, and no pair tells
 * of it. The calls here do. They are exact, as pairs are: on posed coordinates, without a tolerance.
 *
 *   closed   a surface is closed when every edge is passed as often one way as the other. Polygons count by their
 *            triangles, and vertices as one where all posed coordinates are equal. Erased primitives are not there
 *   inside   a point is inside a closed surface when the surface winds around it: its winding number is not 0. So
 *            surfaces may face outward or inward, and what lies in the cavity of a hollow ball is not inside
 *   outer    an object of triangles or polygons whose surface is closed. Tetrahedra, polyhedra and spheres are filled:
 *            what lies inside one intersects it, and is in a pair
 *   inner    an object of any kind that does not touch the outer one. Each of its primitives lies inside or outside
 */
#ifndef GRAZE_CONTAINMENT_H
#define GRAZE_CONTAINMENT_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An object of which at least one primitive lies inside another; numbers as in pairs. It never changes. */
typedef struct graze_containment {
  uint32_t inner, outer;
  uint32_t inside_count;    /* primitives of the inner object that lie inside the outer one */
  uint32_t primitive_count; /* all of the inner object's, those erased left out: the object lies entirely inside where
                               both are equal, else in part */
} graze_containment;

/* Sorted by (inner, outer). Of objects nested three deep all three pairs are listed. Zero-initialise it. */
typedef struct graze_containments {
  size_t struct_bytes;
  const graze_containment *containments;
  size_t count;
  const graze_timings *timings; /* of the search for objects that touch; boxes and windings are in bounds and test */
  const graze_counters *counters;
  struct graze_list_memory *memory;
} graze_containments;

GRAZE_API void graze_containments_free(graze_containments *containments); /* as graze_pairs_free */

typedef struct graze_containment_options {
  size_t struct_bytes;
  /* Which objects touch, where the caller knows: all pairs that graze_scene_find_object_pairs has found since the last
   * update for the scope between, in any order; others do no harm. NULL: the call finds them. */
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

/* Finds all containments of an updated scene between objects whose filters let pairs through and that do not touch.
 * NULL for the options means the default ones. Surfaces that are not closed contain nothing. The cost is that of the
 * objects whose boxes overlap. GRAZE_UNSUPPORTED where positions are on a device alone, and where two objects have the
 * same global number. On failure the list is empty. */
GRAZE_API graze_result graze_scene_find_containments(const graze_scene *scene, const graze_containment_options *options,
                                                     graze_containments *containments);

/* Why a surface is not closed. Zero-initialise it. */
typedef struct graze_open_edges {
  size_t struct_bytes;
  uint64_t count;             /* of edges that are passed more often one way than the other; 0: the surface is closed */
  uint32_t primitive;         /* the first primitive that has one, by its own number; 0 where there is none, as is */
  uint32_t forward, backward; /* how often it is passed from `from` to `to`, and back */
  uint32_t reserved;          /* 0 */
  double from[3], to[3];      /* its ends, posed */
} graze_open_edges;

/* Counts the open edges of an object of triangles or polygons of an updated scene. GRAZE_UNSUPPORTED for other kinds.
 * Linear in its triangles. */
GRAZE_API graze_result graze_object_find_open_edges(const graze_scene *scene, graze_object object,
                                                    graze_open_edges *edges);

#ifdef __cplusplus
}
#endif

#endif
