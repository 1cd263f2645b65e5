/* graze: distances of pairs, with a nearest point of each primitive and the corner, edge or face that it lies on. For
 * the pairs of a query with a clearance, or any others. Not part of graze.h. */
#ifndef GRAZE_DISTANCES_H
#define GRAZE_DISTANCES_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a nearest point lies on. */
typedef enum graze_feature {
  GRAZE_FEATURE_CORNER = 0, /* of a sphere: its center's corner, the point lying on the surface */
  GRAZE_FEATURE_EDGE = 1,   /* also a diagonal of a face of more than three corners */
  GRAZE_FEATURE_FACE = 2,
  GRAZE_FEATURE_INSIDE = 3 /* the two intersect */
} graze_feature;

/* The distance of two primitives. That it is 0 exactly when they intersect is certain; else it is rounded: off by at
 * most 1e-12 of the size of the pair. So it may exceed the clearance of a query that lists the pair, by that much. */
typedef struct graze_distance {
  graze_pair pair;
  double distance;   /* infinite where it exceeds the largest double */
  double point_a[3]; /* a nearest point of each; the same point where they intersect */
  double point_b[3];
  graze_feature feature_a; /* that the points lie on */
  graze_feature feature_b;
  uint32_t vertices_a[3]; /* that span the feature, by their numbers in the object: one of a corner, two of an */
  uint32_t vertices_b[3]; /* edge, three of a face, none inside; the rest are 0 */
} graze_distance;

/* Distances, one for each pair and in the order of the pairs. Begin with a zeroed one. */
typedef struct graze_distances {
  size_t struct_bytes;
  const graze_distance *distances; /* walk it by graze_distances_at */
  size_t count;
  size_t element_bytes;         /* from one distance to the next */
  size_t nearest;               /* the first of the least distances; 0 where there are none */
  const graze_timings *timings; /* distances count as contacts */
  struct graze_list_memory *memory;
} graze_distances;

static inline const graze_distance *graze_distances_at(const graze_distances *distances, size_t i) {
  return (const graze_distance *)(const void *)((const char *)distances->distances + i * distances->element_bytes);
}

GRAZE_API void graze_distances_free(graze_distances *distances); /* as graze_pairs_free */

/* Distances of any pairs of the scene as it is since its last update; one that is not in the scene is
 * GRAZE_INVALID_ARGUMENT. The same bits for every number of threads and every backend. The host measures, also on CUDA:
 * GRAZE_UNSUPPORTED where positions are on the device alone. On failure the list is empty. */
GRAZE_API graze_result graze_scene_make_distances(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                                  graze_distances *distances);

#ifdef __cplusplus
}
#endif

#endif
