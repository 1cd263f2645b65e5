/* One part of a divided scene: a separate scene with the received portions, and the pairs that the part reports. */
#ifndef GRAZE_DISTRIBUTED_SLAB_H
#define GRAZE_DISTRIBUTED_SLAB_H

#include "base/array.h"
#include "distributed/rank_failure.h"
#include "division/division.h"

typedef struct slab {
  graze_scene *scene;
  uint32_t part;
  array objects; /* slab_object, by the object's index in the scene */
  array sources; /* one array per source: uint32_t by the object's index there, the index of the object here plus one;
                    0: none */
  uint64_t held_count;  /* primitives */
  bool has_new_objects; /* objects were added or dropped since the last exclusions */
} slab;

/* An empty slab in an empty scene. The caller owns the scene, which must outlive the slab. */
void slab_init(slab *made, graze_scene *scene, uint32_t part);
void slab_release(slab *made, memory *heap);

/* Removes all objects. */
graze_result slab_clear(slab *made, rank_failure *failure);

/* Reads portions as written by portion_list_write. An existing object of the source moves to its portion's pose, is
 * replaced by it, or is dropped; objects without a portion do not change. */
graze_result slab_take(slab *made, memory *heap, uint32_t source, const void *bytes, uint64_t size,
                       rank_failure *failure);

/* The number of primitives of a source's objects. */
uint64_t slab_count_of(const slab *made, uint32_t source);

/* Excludes pairs of objects by their global numbers, with all their parts. The slab must be complete. Does nothing if
 * it has the objects of the last call: to change exclusions, clear the slab first. */
graze_result slab_exclude(slab *made, memory *heap, const graze_object_pair *exclusions, size_t count,
                          rank_failure *failure);

/* Finds the object here for an object of the source; false: there is none. */
bool slab_find_object(const slab *made, uint32_t source, uint32_t object, graze_object *found_out);

/* Finds the pairs that this part reports, sorted, with their hash. Over all parts each pair is found once. The
 * clearance is the one that portions were collected for, and at least that of the query. The scene must be up to
 * date. */
graze_result slab_find(slab *made, const division *parts, double clearance, const graze_query *query,
                       graze_pairs *pairs, rank_failure *failure);

#endif
