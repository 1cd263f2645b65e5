/* `graze-mpi bench`: the frames of a sequence on 1, 2, ... ranks, compared with as many threads. */
#ifndef GRAZE_MPI_BENCH_RANKS_H
#define GRAZE_MPI_BENCH_RANKS_H

/* Collective, like play_on_ranks. */
int bench_ranks(int argument_count, char **arguments);

#endif
