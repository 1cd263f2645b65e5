/* One part of a divided scene: a scene of its own, of what the parcels brought, and the pairs that the part reports. */
#ifndef GRAZE_DISTRIBUTED_SLAB_H
#define GRAZE_DISTRIBUTED_SLAB_H

#include "base/array.h"
#include "distributed/division.h"
#include "distributed/rank_failure.h"

typedef struct slab {
  graze_scene *scene;
  uint32_t part;
  array objects; /* slab_object, by the object's index in the scene */
  array keys;    /* uint64_t: the cell of each primitive's lower corner, object after object */
} slab;

/* An empty slab. The definition is that of its scene, NULL for the default one; likewise the method. */
graze_result slab_create(slab *made, const graze_scene_def *def, const graze_method_def *method, rank_failure *failure);
void slab_destroy(slab *made, memory *heap);

/* Takes all objects out. */
graze_result slab_clear(slab *made, rank_failure *failure);

/* Adds parcels as parcel_list_write has written them. */
graze_result slab_take(slab *made, memory *heap, const void *bytes, uint64_t size, rank_failure *failure);

/* Excludes two objects by their global numbers, all parts of the one from all of the other. The slab is complete. */
graze_result slab_exclude(slab *made, memory *heap, const graze_object_pair *exclusions, size_t count,
                          rank_failure *failure);

/* Updates the scene and finds the pairs that this part reports, sorted, with their hash. Of all parts together each
 * pair is found once. */
graze_result slab_find(slab *made, const division *parts, const graze_query *query, graze_pairs *pairs,
                       rank_failure *failure);

#endif
