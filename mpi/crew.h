/* Ranks that carry out the orders of rank 0. Only rank 0 reads the command line, prints, and may fail alone; a
 * collective step fails on all ranks. */
#ifndef GRAZE_MPI_CREW_H
#define GRAZE_MPI_CREW_H

#include "frame_share.h"
#include "search_options.h"

/* The outcome of a search, on rank 0. */
typedef struct crew_answer {
  graze_mpi_totals totals;
  graze_timings timings;                  /* of each stage, the longest time of a rank */
  graze_counters counters;                /* sums over all ranks */
  graze_pair *pairs;                      /* of all ranks, sorted; NULL if not requested; owned by the crew */
  const graze_mpi_object_pairs *touching; /* instead of pairs and costs, if only objects are requested */
  double milliseconds;                    /* of the whole search with its exchange, on rank 0 */
} crew_answer;

typedef struct crew {
  graze_mpi *all;
  frame_share share;
  graze_pairs own;
  graze_mpi_object_pairs touching;
  graze_pair *joined; /* on rank 0 */
  crew_answer answer;
} crew;

/* Collective: opens the crew with the options of rank 0; other ranks may pass NULL. False, after a message of rank 0,
 * if a rank fails. */
bool crew_open(crew *opened, MPI_Comm ranks, const search_options *options_of_0);
void crew_close(crew *opened);

/* Called by rank 0, while the others call crew_join: the same, if there are options, with one thread for each rank by
 * default. */
bool crew_start(crew *opened, MPI_Comm ranks, search_options *options_or_null);

/* Called by all ranks except 0: carries out the orders of rank 0 until it ends. */
void crew_follow(crew *team);

/* The other side of crew_start: joins the crew of rank 0, if there is one, and follows it until it ends. */
void crew_join(MPI_Comm ranks);

/* The following are called only by rank 0. */
void crew_end(crew *team);
graze_result crew_begin_frame(crew *team);
graze_result crew_take_file(crew *team, const char *path, uint32_t number, bool once, bool *taken_out,
                            uint64_t counts_out[2]);
graze_result crew_hand_out(crew *team, const object_list *objects, const bool *taken);
graze_result crew_exclude(crew *team, const size_t (*pairs)[2], size_t count);
graze_result crew_find(crew *team, const graze_query *query, bool gathers);
graze_result crew_find_touching(crew *team, const graze_query *query);

#endif
