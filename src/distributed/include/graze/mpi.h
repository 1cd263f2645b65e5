/* graze on many machines: all intersecting pairs of the scenes of all ranks of an MPI communicator.
 *
 *     graze_mpi *all;
 *     graze_mpi_create(MPI_COMM_WORLD, NULL, &all);
 *     graze_mpi_find_pairs(all, scene, NULL, &pairs, &totals);      each frame: pairs of this rank, sums of all
 *     graze_mpi_destroy(all);
 *
 * Each rank has its own scene, with objects or parts of objects that have global numbers (graze_object_def). A call
 * divides space into a part for each rank, sends every primitive to the ranks whose parts its box meets, and finds the
 * pairs there. Objects that have not changed since the previous call are not sent again. Each pair of the whole scene
 * is on exactly one rank, and the total hash is that of one scene of all objects. No rank holds the whole scene.
 * docs/guide/many_machines.md is the guide.
 *
 *     pairs, contacts, distances      graze_mpi_find_pairs, with graze_mpi_part
 *     objects that touch              graze_mpi_find_object_pairs
 *     wrenches of objects             graze_mpi_find_wrenches
 *     regions, their wrenches         graze_mpi_find_regions, with graze_mpi_region_part
 *     exclusions                      graze_mpi_exclude_objects; filters and neighbors are those of the objects
 *     clearance                       graze_query.clearance, without rings above 1
 *
 * Collective calls must be made by every rank of the communicator, in the same order. If such a call fails on one rank,
 * it fails on all ranks, with the same result and the same message, which names the rank; no rank is left waiting.
 * Structs and lists follow the rules of graze/graze.h. Only one thread of a process may make calls at a time.
 * MPI_THREAD_FUNNELED suffices, because the library's own workers never call MPI. */
#ifndef GRAZE_MPI_H
#define GRAZE_MPI_H

#include "graze/graze.h"
#include "graze/regions.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the message of the last failed call of this header on this thread, or "" if none has failed. */
GRAZE_API const char *graze_mpi_error_text(void);

typedef struct graze_mpi graze_mpi;

/* The settings of a rank. Initialize it with graze_mpi_def_default(). */
typedef struct graze_mpi_def {
  size_t struct_bytes;
  const graze_scene_def *scene;   /* workers, backend and memory of the scene in which the rank searches; NULL: the
                                     default. Read only during graze_mpi_create */
  const graze_method_def *method; /* of the search; NULL: "auto" */
} graze_mpi_def;

GRAZE_API void graze_mpi_def_init(void *def, size_t bytes);
static inline graze_mpi_def graze_mpi_def_default(void) {
  graze_mpi_def def;
  graze_mpi_def_init(&def, sizeof def);
  return def;
}

/* Collective. Duplicates the communicator. A NULL definition means the default. On failure *mpi_out is NULL. */
GRAZE_API graze_result graze_mpi_create(MPI_Comm communicator, const graze_mpi_def *def, graze_mpi **mpi_out);
GRAZE_API void graze_mpi_destroy(graze_mpi *mpi); /* collective, before MPI_Finalize; NULL is allowed */

/* The totals of a call over all ranks, the same on each rank. Zero-initialize it. */
typedef struct graze_mpi_totals {
  size_t struct_bytes;
  uint64_t pair_count, hash;    /* of the pairs of all ranks; the hash is graze_pairs_hash of the combined list */
  uint64_t primitive_count;     /* of the scenes of all ranks */
  uint64_t held_count;          /* primitives in the parts of all ranks; those at borders are in several */
  uint64_t greatest_held_count; /* held_count of the rank that holds the most */
  uint64_t sent_bytes;          /* between ranks */
  uint64_t division_count;      /* the number of divisions of space so far */
  uint64_t greatest_us, sum_us; /* microseconds to build and search the parts: of the slowest rank, and the sum over all
                                   ranks */
  uint64_t ghost_count;         /* primitives in the part of a rank other than the one whose scene has them */
  uint64_t sent_count;          /* of those, sent in this call; the others are unchanged there */
} graze_mpi_totals;

/* Collective. Finds the pairs of all scenes. `pairs` receives those of this rank, sorted, with their hash. The scenes
 * need no update. All ranks must pass the same query, without about_count, pair_limit, stop_after, or clearance_rings
 * above 1. GRAZE_INVALID_ARGUMENT if an object has no global numbers, and there is more than one rank or another object
 * of the scene has them; or if two objects with the same global_object have the same primitive or differ in kind or
 * filter, on any ranks. Scenes with
 * exclusions are refused; use graze_mpi_exclude_objects. `totals` may be NULL. */
GRAZE_API graze_result graze_mpi_find_pairs(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                            graze_pairs *pairs, graze_mpi_totals *totals);

/* Returns the scene of this rank's last search. Pass it to graze_scene_make_contacts, graze_scene_make_distances and
 * the other calls for given pairs, with the pairs of this rank. The next graze_mpi_find_pairs changes it. */
GRAZE_API const graze_scene *graze_mpi_part(const graze_mpi *mpi);

/* The pairs of objects that touch, by their global numbers, sorted. Zero-initialize it. */
typedef struct graze_mpi_object_pairs {
  size_t struct_bytes;
  const graze_object_pair *pairs;
  size_t count;
  uint64_t hash;  /* as in graze_object_pairs */
  graze_mpi *mpi; /* owns the list and must outlive it */
  size_t capacity;
} graze_mpi_object_pairs;

/* Collective. Finds the pairs of objects that touch. Every rank receives the whole list. */
GRAZE_API graze_result graze_mpi_find_object_pairs(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                                   graze_mpi_object_pairs *object_pairs);
GRAZE_API void graze_mpi_object_pairs_free(graze_mpi_object_pairs *object_pairs); /* NULL is allowed */

/* The wrenches of all scenes. Zero-initialize it. */
typedef struct graze_mpi_wrenches {
  size_t struct_bytes;
  const graze_wrench *wrenches; /* by the global numbers of objects, sorted */
  size_t count;
  graze_mpi *mpi; /* owns the list and must outlive it */
  size_t capacity;
} graze_mpi_wrenches;

/* Collective. Finds the pairs of a query and sums the wrenches of all scenes. Every rank receives the whole list, which
 * equals that of graze_scene_find_wrenches on one scene of all objects, bit for bit. The rules are those of that call.
 */
GRAZE_API graze_result graze_mpi_find_wrenches(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                               const graze_contact_options *options, graze_mpi_wrenches *wrenches);
GRAZE_API void graze_mpi_wrenches_free(graze_mpi_wrenches *wrenches); /* NULL is allowed */

/* Collective. Finds the pairs of a query in all scenes and groups them into regions. Each region is in the list of one
 * rank, with all its pairs, points and curves, bit for bit as graze_scene_find_regions returns them for one scene of
 * all objects. One exception: if an object has several vertices at one position, curves may name another one of them
 * and round their points differently. The rank with the most pairs of a region receives it, and must have memory for
 * all of it. `objects` of the list contains the objects of this rank's regions, without depths. Options with
 * object_depths are GRAZE_UNSUPPORTED; NULL means the defaults without them. The other rules are those of
 * graze_scene_find_regions. Regions of different ranks with equal corners and names have equal ids. */
GRAZE_API graze_result graze_mpi_find_regions(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                              const graze_region_options *options, graze_regions *regions,
                                              graze_mpi_totals *totals);

/* Returns the scene with the primitives of this rank's regions. Pass it to graze_scene_make_wrenches and the other
 * calls for given pairs, with the pairs of a region. The next graze_mpi_find_regions changes it. */
GRAZE_API const graze_scene *graze_mpi_region_part(const graze_mpi *mpi);

/* Collective. Excludes pairs of objects, by their global numbers, from all later calls. The pairs of all ranks together
 * replace those of the last such call. */
GRAZE_API graze_result graze_mpi_exclude_objects(graze_mpi *mpi, const graze_object_pair *pairs, size_t count);

/* Collective. Reports a failure of one rank to all ranks. Each rank passes the result of a local step, such as loading
 * its scene, and a message if the step failed. Returns GRAZE_OK if all ranks passed GRAZE_OK. */
GRAZE_API graze_result graze_mpi_agree(graze_mpi *mpi, graze_result result, const char *text);

#ifdef __cplusplus
}
#endif

#endif
