/* A rank's share in the finding of pairs: the frame that all ranks run together. */
#ifndef GRAZE_DISTRIBUTED_RANK_FIND_H
#define GRAZE_DISTRIBUTED_RANK_FIND_H

#include "distributed/rank_division.h"
#include "distributed/slab.h"

/* What a frame was, of all ranks together. */
typedef struct rank_totals {
  uint64_t pair_count, hash;
  uint64_t primitive_count; /* of all scenes */
  uint64_t sent_bytes;      /* from one rank to another */
  uint64_t divisions;       /* of the curve so far */
  rank_work work;
} rank_totals;

typedef struct rank_def {
  const graze_allocator *allocator; /* NULL: the C library's */
  const graze_scene_def *scene;     /* of the slab; NULL: the default one. Read during the call */
  const graze_method_def *method;   /* NULL: the default one */
  /* The time that counts for the division, in place of what was measured; NULL: the measured one. */
  uint64_t (*work_us)(void *context, uint32_t rank, uint64_t measured_us);
  void *work_context;
} rank_def;

typedef struct rank_state {
  memory heap;
  transport net;
  rank_def def; /* without what it points to */
  division parts;
  rank_balance balance;
  slab share;
  array exclusions; /* graze_object_pair */
  uint64_t own_us;
  rank_failure failure; /* of the last call */
} rank_state;

/* Called by all ranks, as all that follow; a failure is that of all. */
graze_result rank_open(rank_state *state, const transport *net, const rank_def *def);
void rank_close(rank_state *state);

/* The pairs of all ranks, rank after rank, to all of them. `all` is an array of graze_object_pair. */
graze_result rank_gather(rank_state *state, const graze_object_pair *pairs, size_t count, array *all);

/* Excludes objects by their global numbers in the frames to come, in place of those before. Each rank may name some:
 * all of them count. */
graze_result rank_exclude(rank_state *state, const graze_object_pair *pairs, size_t count);

/* Finds all pairs of the scenes of all ranks, each on one rank; `pairs` gets those of this rank. */
graze_result rank_find(rank_state *state, const graze_scene *scene, const graze_query *query, graze_pairs *pairs,
                       rank_totals *totals_out);

/* A failure of this rank, or GRAZE_OK, becomes that of all. */
graze_result rank_agree(rank_state *state, graze_result result, const char *text);

#endif
