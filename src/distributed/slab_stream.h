/* Scenes larger than memory: searches one part of a division after the other, from a source that is read piece by
 * piece. */
#ifndef GRAZE_DISTRIBUTED_SLAB_STREAM_H
#define GRAZE_DISTRIBUTED_SLAB_STREAM_H

#include "distributed/rank_failure.h"
#include "graze/graze.h"

/* The searched objects, in pieces: any objects or parts with global numbers, each primitive in one piece. Pieces are
 * loaded several times, and must be the same each time. */
typedef struct slab_source {
  void *context;
  size_t piece_count;
  /* Fills an empty scene with a piece. */
  graze_result (*load)(void *context, size_t piece, graze_scene *scene, rank_failure *failure);
} slab_source;

typedef struct slab_stream_def {
  const graze_scene_def *scene;   /* of pieces and slabs; NULL: the default one */
  const graze_method_def *method; /* of slabs; NULL: the default one */
  const graze_allocator *allocator;
  uint32_t part_count; /* the number of slabs */
  /* Receives the pairs of each slab, sorted; false stops with GRAZE_STOPPED. NULL: pairs are only counted. */
  bool (*take)(void *context, const graze_pair *pairs, size_t count);
  void *take_context;
  /* Called before a piece is loaded, with the number of loads so far and that of all loads; until it is known, the
   * greatest possible one. NULL: no call. */
  void (*advance)(void *context, uint64_t loaded, uint64_t total);
  void *advance_context;
} slab_stream_def;

typedef struct slab_stream_totals {
  uint64_t pair_count, hash;
  uint64_t primitive_count, held_count, greatest_held_count; /* of all slabs, of the largest */
  uint64_t loaded_count;                                     /* pieces, counted at each load */
  uint64_t peak_bytes;                                       /* of the scene of slabs */
} slab_stream_totals;

/* Finds all pairs of the source. */
graze_result slab_stream_find(const slab_source *source, const slab_stream_def *def, const graze_query *query,
                              slab_stream_totals *totals_out, rank_failure *failure);

#endif
