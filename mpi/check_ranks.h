/* `graze-mpi check`: `graze check` over the ranks of MPI. */
#ifndef GRAZE_MPI_CHECK_RANKS_H
#define GRAZE_MPI_CHECK_RANKS_H

/* Collective. The arguments begin with the name of the command; rank 0 reads them. Returns the exit code on rank 0. */
int check_on_ranks(int argument_count, char **arguments);

#endif
