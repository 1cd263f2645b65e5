/* Gathers the pairs of all ranks on rank 0, rank after rank. */
#ifndef GRAZE_MPI_PAIR_GATHER_H
#define GRAZE_MPI_PAIR_GATHER_H

#include "graze/mpi.h"

/* Collective. `all_out` is used only on rank 0 and has space for all pairs. */
void gather_pairs(MPI_Comm ranks, const graze_pair *own, size_t own_count, graze_pair *all_out);

#endif
