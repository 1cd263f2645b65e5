/* A slab that owns its scene, for ranks and streams. */
#ifndef GRAZE_DISTRIBUTED_SLAB_OF_SCENE_H
#define GRAZE_DISTRIBUTED_SLAB_OF_SCENE_H

#include "distributed/slab.h"

/* Creates an empty slab. The definition is that of its scene, NULL for the default one; likewise the method. */
graze_result slab_create(slab *made, const graze_scene_def *def, const graze_method_def *method, rank_failure *failure);
void slab_destroy(slab *made, memory *heap);

/* Updates the scene, then finds pairs like slab_find. */
graze_result slab_update_and_find(slab *made, const division *parts, double clearance, const graze_query *query,
                                  graze_pairs *pairs, rank_failure *failure);

#endif
