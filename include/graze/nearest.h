/* graze: how far apart objects are: least distances, with the primitives and points that have them.
 *
 *     graze_nearests found = {0};
 *     graze_nearest_options options = graze_nearest_options_default();
 *     options.about_count = 2, options.about_a = robot, options.about_b = shelf;
 *     graze_scene_find_nearest(scene, &options, &found);
 *
 * Distances are those of primitives, on posed coordinates. Objects that touch have the distance 0, or on request minus
 * their depth; no others have. A surface has no inside: what lies in a closed one without touching it is at a distance
 * (graze/containment.h reports it). docs/distance.md is the guide. */
#ifndef GRAZE_NEAREST_H
#define GRAZE_NEAREST_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a list has a row for. */
typedef enum graze_nearest_scope {
  GRAZE_NEAREST_OBJECT_PAIRS = 0, /* every two objects */
  GRAZE_NEAREST_EACH_OBJECT = 1,  /* each object: its nearest other object */
  GRAZE_NEAREST_OF_ALL = 2        /* the two nearest objects of all: one row */
} graze_nearest_scope;

/* What a nearest point lies on: a corner, an edge or a face of its primitive, given by one, two or three vertices, by
 * their own numbers in the object. None where the primitives overlap at the point. It never changes. */
typedef struct graze_nearest_feature {
  uint32_t vertex_count;
  uint32_t vertices[3]; /* 0 where there are fewer */
} graze_nearest_feature;

/* It never changes. */
typedef struct graze_nearest {
  graze_pair pair;     /* of all pairs of primitives that the row is about, the lowest (distance, pair) */
  uint32_t object;     /* the object whose nearest it is, for GRAZE_NEAREST_EACH_OBJECT; else pair.object_a */
  uint32_t complete;   /* 1; 0: a limit was reached, and there may be a nearer pair, not below `lower` */
  uint32_t certified;  /* 1; 0: the distance is minus the depth of the two objects, see `depths` */
  uint32_t reserved;   /* 0 */
  double distance;     /* of the two primitives, rounded; 0 exactly where they touch */
  double lower, upper; /* the true least distance of the objects lies between them: proven where certified is 1 */
  double point_a[3], point_b[3]; /* points of the two primitives at that distance, rounded; where they touch, equal */
  double normal[3]; /* of length 1, from a to b: moving object b along it takes the points apart; that of the depth
                       where `certified` is 0. 0, 0, 0 where the points are equal */
  graze_nearest_feature feature_a, feature_b;
} graze_nearest;

/* Sorted by the object of the row, then by pair. Begin with a zeroed one. */
typedef struct graze_nearests {
  size_t struct_bytes;
  const graze_nearest *nearests;
  size_t count;
  uint64_t complete;            /* 1: every row is complete, and none is missing; else 0 */
  uint64_t visit_count;         /* pairs of blocks of tree nodes that were visited */
  uint64_t measure_count;       /* pairs of primitives that were measured */
  const graze_timings *timings; /* trees are in build, the search in search */
  const graze_counters *counters;
  struct graze_list_memory *memory;
} graze_nearests;

GRAZE_API void graze_nearests_free(graze_nearests *nearests); /* as graze_pairs_free */

typedef struct graze_nearest_options {
  size_t struct_bytes;
  graze_nearest_scope scope; /* default GRAZE_NEAREST_OBJECT_PAIRS */
  uint32_t about_count;      /* 0: all objects; 1: rows with about_a; 2: rows of about_a and about_b alone */
  graze_object about_a, about_b;
  double max_distance;  /* rows of objects that are farther apart are left out; exact. Default infinite */
  uint64_t visit_limit; /* 0: none. Else two objects are given up after so many visits; see graze_nearest.complete */
  double time_limit_ms; /* 0: none. Else the search ends so long after the call began, but for some microseconds a row
                           in which a pair is measured. Answers then depend on the clock; see graze_nearest.complete */
  bool depths;          /* rows of objects that overlap get minus graze_region_objects.depth (graze/regions.h) as their
                           distance, its normal, and [-depth, 0] as the interval, which is not certified. The pair stays
                           the first that meets. Cost: the regions of the two objects. Default false */
  bool reserved[7];     /* false */
  bool (*should_stop)(void *stop_context); /* as in graze_query */
  void *stop_context;
} graze_nearest_options;

GRAZE_API void graze_nearest_options_init(void *options, size_t bytes);
static inline graze_nearest_options graze_nearest_options_default(void) {
  graze_nearest_options options;
  graze_nearest_options_init(&options, sizeof options);
  return options;
}

/* Finds least distances of different objects of an updated scene, whose filters and exclusions let pairs through. NULL
 * for the options means the default ones. The list is the same for every method, thread count and backend; with a visit
 * limit that was reached it depends on the trees, and so on the method. The host computes, for the backend cuda too.
 * Trees are those of the method "tree", or made for the call. GRAZE_UNSUPPORTED where positions are on a device alone.
 * On failure the list is empty. */
GRAZE_API graze_result graze_scene_find_nearest(const graze_scene *scene, const graze_nearest_options *options,
                                                graze_nearests *nearests);

#ifdef __cplusplus
}
#endif

#endif
