/* graze: least distances of objects, with the nearest primitives and a nearest point of each.
 *
 *     graze_nearest_list found = {0};
 *     graze_nearest_options options = graze_nearest_options_default();
 *     options.about_count = 2, options.about_a = robot, options.about_b = shelf;
 *     graze_scene_find_nearest(scene, &options, &found);
 *
 * Distances are measured between primitives, on posed coordinates. The distance is 0 exactly when objects touch or
 * overlap. On request, such objects get minus their depth instead. A surface is not filled: an object
 * that lies inside a closed surface without touching it has a positive distance. graze/containment.h reports such
 * objects. docs/guide/distance.md is the guide. */
#ifndef GRAZE_NEAREST_H
#define GRAZE_NEAREST_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows of a list. */
typedef enum graze_nearest_scope {
  GRAZE_NEAREST_OBJECT_PAIRS = 0, /* each pair of objects */
  GRAZE_NEAREST_EACH_OBJECT = 1,  /* each object and the object nearest to it */
  GRAZE_NEAREST_OF_ALL = 2        /* one row: the two nearest objects of the scene */
} graze_nearest_scope;

/* One row. The layout of this struct never changes. */
typedef struct graze_nearest {
  graze_pair pair;               /* the pair of primitives with the least rounded distance; of several with that value
                                    the first in pair order */
  uint32_t object;               /* GRAZE_NEAREST_EACH_OBJECT: the object that the row belongs to; otherwise
                                    pair.object_a */
  uint32_t complete;             /* 1; 0: a limit was reached; a nearer pair may exist, but none below `lower` */
  double distance;               /* of the two primitives, rounded; 0 exactly when they touch. Below 0: minus the depth
                                    of the two objects; see `depths` */
  double lower, upper;           /* an interval that contains the true least distance; proven unless distance < 0 */
  double point_a[3], point_b[3]; /* the nearest points, rounded; equal if the primitives touch */
  double normal[3]; /* unit vector from a to b: moving object b along it separates the points; 0, 0, 0 if they are
                       equal. If distance < 0, it is the direction of the depth */
  graze_feature feature_a, feature_b;
} graze_nearest;

/* Rows, sorted by `object`, then by pair. Zero-initialize it. */
typedef struct graze_nearest_list {
  size_t struct_bytes;
  const graze_nearest *nearests;
  size_t count;
  bool complete;                /* all rows are present and complete */
  uint64_t visit_count;         /* visited pairs of tree blocks */
  uint64_t measure_count;       /* measured pairs of primitives */
  const graze_timings *timings; /* building trees counts as build, the rest as search */
  const graze_counters *counters;
  struct graze_list_memory *memory;
} graze_nearest_list;

GRAZE_API void graze_nearest_list_free(graze_nearest_list *nearests); /* as graze_pairs_free */

typedef struct graze_nearest_options {
  size_t struct_bytes;
  graze_nearest_scope scope; /* default GRAZE_NEAREST_OBJECT_PAIRS */
  uint32_t about_count;      /* 0: all objects; 1: rows with about_a; 2: only rows of about_a and about_b */
  graze_object about_a, about_b;
  double max_distance;  /* objects farther apart than this get no row; exact. Default infinite */
  uint64_t visit_limit; /* the search of two objects ends after this many visits; 0: no limit. See
                           graze_nearest.complete */
  double time_limit_ms; /* the search ends this long after the start of the call; 0: no limit. Each remaining row still
                           takes some microseconds to measure one pair. Answers that the limit cuts short depend on the
                           clock; see graze_nearest.complete */
  bool depths;          /* for objects that touch or overlap, the distance is minus graze_region_objects.depth
                           (graze/regions.h). If that is above 0, as it may be for concave objects that only touch, the
                           normal is that of the depth, and the interval is [-depth, 0], not proven. The pair is
                           still the first that intersects. Parts of one object have separate rows, with the depth of
                           the whole object. Also computes the regions of the two objects. Default false */
  bool (*should_stop)(void *stop_context); /* as in graze_query */
  void *stop_context;
} graze_nearest_options;

GRAZE_API void graze_nearest_options_init(void *options, size_t bytes);
static inline graze_nearest_options graze_nearest_options_default(void) {
  graze_nearest_options options;
  graze_nearest_options_init(&options, sizeof options);
  return options;
}

/* Finds least distances between different objects of an updated scene. Pairs of objects that filters or exclusions
 * reject are skipped. NULL options mean the defaults. The list is the same for every method, thread count and backend;
 * if a visit limit was reached, it depends on the method. Runs on the host, even with the backend cuda. The search
 * uses the trees of the method "tree"; with other methods the call builds trees. Returns GRAZE_UNSUPPORTED if positions
 * are only on a device. On failure the list is empty. */
GRAZE_API graze_result graze_scene_find_nearest(const graze_scene *scene, const graze_nearest_options *options,
                                                graze_nearest_list *nearests);

#ifdef __cplusplus
}
#endif

#endif
