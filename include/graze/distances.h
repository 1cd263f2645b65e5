/* graze: distances and nearest points of given pairs. Each point has the corner, edge or face that it lies on. The
 * pairs may come from a query with a clearance or from anywhere else. graze.h does not include this header.
 * docs/guide/nearness.md is the guide. */
#ifndef GRAZE_DISTANCES_H
#define GRAZE_DISTANCES_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The distance of two primitives. It is 0 exactly when they intersect. Other distances are rounded, with an error of at
 * most 1e-12 of the size of the pair, so the distance of a listed pair may exceed the clearance by that much. */
typedef struct graze_distance {
  graze_pair pair;
  double distance;   /* infinite if it exceeds the largest double */
  double point_a[3]; /* a nearest point of each; equal if they intersect */
  double point_b[3];
  graze_feature feature_a, feature_b; /* what each point lies on */
} graze_distance;

/* Distances, one per pair, in the order of the pairs. Zero-initialize it. */
typedef struct graze_distances {
  size_t struct_bytes;
  const graze_distance *distances;
  size_t count;
  size_t nearest;               /* index of the first least distance, as rounded; 0 if the list is empty */
  const graze_timings *timings; /* distances count as contacts */
  struct graze_list_memory *memory;
} graze_distances;

GRAZE_API void graze_distances_free(graze_distances *distances); /* as graze_pairs_free */

/* Measures any pairs of the scene as of its last update. The result is the same, bit for bit, for every thread count
 * and backend. Runs on the host, even on CUDA. Returns GRAZE_INVALID_ARGUMENT if a pair is not in the scene, and
 * GRAZE_UNSUPPORTED if positions are only on the device. On failure the list is empty. */
GRAZE_API graze_result graze_scene_make_distances(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                                  graze_distances *distances);

/* Finds the pairs of a query, such as one with a clearance, and measures them, without listing the pairs, which the
 * distances contain. */
GRAZE_API graze_result graze_scene_find_distances(const graze_scene *scene, const graze_query *query,
                                                  graze_distances *distances);

#ifdef __cplusplus
}
#endif

#endif
