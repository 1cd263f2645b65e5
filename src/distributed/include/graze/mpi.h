/* graze on many machines: all intersecting pairs of the scenes of all ranks of an MPI communicator.
 *
 *     graze_mpi *all;
 *     graze_mpi_create(MPI_COMM_WORLD, NULL, &all);
 *     graze_mpi_find_pairs(all, scene, NULL, &pairs, &totals);      each frame: pairs of this rank, sums of all
 *     graze_mpi_destroy(all);
 *
 * Every rank has a scene of its own, with objects or parts of objects that carry global numbers (graze_mesh_def). A
 * call divides space into a part for each rank, sends every primitive to the ranks whose parts its box meets, and finds
 * the pairs there. Together the ranks have the pairs that one scene of all objects would have, each on one rank, and
 * the same hash. No rank holds the whole scene. docs/guide/many_machines.md is the guide.
 *
 * Calls marked "by all ranks" are collective: every rank of the communicator calls them, in the same order. A failure
 * of one rank is that of all: the same result, and the same message, which names the rank. So no rank waits for one
 * that has given up. Structs and lists follow the rules of graze/graze.h. One thread of a process may call at a time;
 * MPI_THREAD_FUNNELED suffices, as the library's own workers never call MPI. */
#ifndef GRAZE_MPI_H
#define GRAZE_MPI_H

#include "graze/graze.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The message of the last call of this header on this thread that failed; "" when none has. */
GRAZE_API const char *graze_mpi_error_text(void);

typedef struct graze_mpi graze_mpi;

/* How a rank works. Take graze_mpi_def_default() and change what you want. */
typedef struct graze_mpi_def {
  size_t struct_bytes;
  const graze_scene_def *scene; /* of the scene in which the rank searches: workers, backend, memory; NULL: the default
                                   one. Read during graze_mpi_create */
  const graze_method_def *method; /* by which it searches; NULL: "auto" */
} graze_mpi_def;

GRAZE_API void graze_mpi_def_init(void *def, size_t bytes);
static inline graze_mpi_def graze_mpi_def_default(void) {
  graze_mpi_def def;
  graze_mpi_def_init(&def, sizeof def);
  return def;
}

/* By all ranks. The communicator is duplicated. NULL for the definition means the default one. */
GRAZE_API graze_result graze_mpi_create(MPI_Comm communicator, const graze_mpi_def *def, graze_mpi **mpi_out);
GRAZE_API void graze_mpi_destroy(graze_mpi *mpi); /* by all ranks, before MPI_Finalize; NULL is allowed */

/* What a call was, of all ranks together; the same on each. Zero-initialise it. */
typedef struct graze_mpi_totals {
  size_t struct_bytes;
  uint64_t pair_count, hash;    /* of the pairs of all ranks: graze_pairs_hash of the joined list */
  uint64_t primitive_count;     /* of the scenes of all ranks */
  uint64_t held_count;          /* primitives in the parts of all ranks: those at borders are in several */
  uint64_t greatest_held_count; /* of the rank that has most */
  uint64_t sent_bytes;          /* from one rank to another */
  uint64_t division_count;      /* how often space has been divided so far */
  uint64_t greatest_us, sum_us; /* the time of building and searching the parts: the slowest rank's, and of all */
} graze_mpi_totals;

/* By all ranks: finds the pairs of all scenes. `pairs` gets those that this rank reports, sorted, with their hash. The
 * scenes need no update. All ranks ask the same query, which has no about_count, pair_limit, stop_after, or
 * clearance_rings above 1. GRAZE_INVALID_ARGUMENT where an object has no global numbers and there is more than one
 * rank. Exclusions of the scenes are refused: see graze_mpi_exclude_objects. `totals` may be NULL. */
GRAZE_API graze_result graze_mpi_find_pairs(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                            graze_pairs *pairs, graze_mpi_totals *totals);

/* The scene in which this rank has searched last: graze_scene_make_contacts, graze_scene_make_distances and the other
 * calls about given pairs take the pairs of this rank from it. It changes with the next graze_mpi_find_pairs. */
GRAZE_API const graze_scene *graze_mpi_part(const graze_mpi *mpi);

/* By all ranks: finds which objects touch, by their global numbers: every rank gets the whole list, sorted. */
typedef struct graze_mpi_object_pairs {
  size_t struct_bytes;
  const graze_object_pair *pairs;
  size_t count;
  uint64_t hash;  /* as in graze_object_pairs */
  graze_mpi *mpi; /* whose memory the list is: it must not outlive it */
  size_t capacity;
} graze_mpi_object_pairs;

GRAZE_API graze_result graze_mpi_find_object_pairs(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                                   graze_mpi_object_pairs *object_pairs);
GRAZE_API void graze_mpi_object_pairs_free(graze_mpi_object_pairs *object_pairs); /* NULL is allowed */

/* By all ranks: from now on no pairs of these objects, by their global numbers, are asked for. Each rank may name some:
 * all of them count, in place of those of the last such call. */
GRAZE_API graze_result graze_mpi_exclude_objects(graze_mpi *mpi, const graze_object_pair *pairs, size_t count);

/* By all ranks: makes a failure of one rank that of all. Each gives the result of something it did alone, as the
 * loading of its scene, and the message where that has failed. Returns GRAZE_OK when all have. */
GRAZE_API graze_result graze_mpi_agree(graze_mpi *mpi, graze_result result, const char *text);

#ifdef __cplusplus
}
#endif

#endif
