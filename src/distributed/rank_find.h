/* A rank's part in finding pairs: the frame that all ranks run together. */
#ifndef GRAZE_DISTRIBUTED_RANK_FIND_H
#define GRAZE_DISTRIBUTED_RANK_FIND_H

#include "distributed/portion_list.h"
#include "distributed/rank_division.h"
#include "distributed/slab.h"

/* The totals of a frame over all ranks. */
typedef struct rank_totals {
  uint64_t pair_count, hash;
  uint64_t primitive_count; /* of all scenes */
  uint64_t sent_bytes;      /* between ranks, */
  uint64_t sent_count;      /* for this many primitives */
  uint64_t ghost_count;     /* primitives in parts of ranks other than their own */
  uint64_t divisions;       /* of the curve so far */
  division_work work;
} rank_totals;

typedef struct rank_def {
  const graze_allocator *allocator; /* NULL: the C library's */
  const graze_scene_def *scene;     /* of the slab; NULL: the default one. Read only during the call */
  const graze_method_def *method;   /* NULL: the default one */
  /* The time used for the division in place of the measured one; NULL: the measured one. */
  uint64_t (*work_us)(void *context, uint32_t rank, uint64_t measured_us);
  void *work_context;
} rank_def;

/* What this rank has checked of the numbers of all ranks' objects. */
typedef struct rank_numbers {
  uint64_t objects; /* a hash of the numbers and rules of this rank's objects that were checked last */
  bool checked;
} rank_numbers;

typedef struct rank_state {
  memory heap;
  transport net;
  rank_def def; /* without the objects its pointers refer to */
  division parts;
  division_balance balance;
  slab share;
  slab region_share; /* of the primitives of this rank's regions: rank_regions.h */
  sent_portions sent;
  rank_numbers numbers;
  bool has_last_frame;   /* the last frame succeeded, and the parts contain what `sent` records */
  double last_clearance; /* the boxes were grown for this one */
  array exclusions;      /* graze_object_pair */
  uint64_t own_us;
  rank_failure failure; /* of the last call */
} rank_state;

/* Called by all ranks, like all calls below; a failure on one rank is reported by all. */
graze_result rank_open(rank_state *state, const transport *net, const rank_def *def);
void rank_close(rank_state *state);

/* Gathers the records of all ranks, in the order of ranks, on all of them. They are elements of the array `all`. */
graze_result rank_gather(rank_state *state, const void *records, size_t count, array *all);

/* Excludes pairs of objects by their global numbers in later frames. The pairs of all ranks together replace earlier
 * ones. */
graze_result rank_exclude(rank_state *state, const graze_object_pair *pairs, size_t count);

/* Finds all pairs of the scenes of all ranks, each on one rank; `pairs` receives those of this rank. */
graze_result rank_find(rank_state *state, const graze_scene *scene, const graze_query *query, graze_pairs *pairs,
                       rank_totals *totals_out);

/* The query with defaults. */
graze_query rank_read_query(const graze_query *given);

/* GRAZE_INVALID_ARGUMENT on all ranks if their words differ: `what` names the values. */
graze_result rank_check_alike(rank_state *state, const uint64_t *words, size_t count, const char *what);

/* Spreads a failure of this rank, or GRAZE_OK, to all ranks. */
graze_result rank_agree(rank_state *state, graze_result result, const char *text);

#endif
