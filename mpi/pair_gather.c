/* Gathers the pairs of all ranks on rank 0; see pair_gather.h. MPI counts are ints, so long lists are sent in pieces.
 */
#include "pair_gather.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 24 };

static void send_pairs(MPI_Comm ranks, const graze_pair *own, size_t own_count) {
  const unsigned long long count = own_count;
  MPI_Send(&count, 1, MPI_UNSIGNED_LONG_LONG, 0, 0, ranks);
  for (size_t first = 0; first < own_count; first += PIECE) {
    const size_t left = own_count - first, some = left < PIECE ? left : PIECE;
    MPI_Send(own + first, (int)(4 * some), MPI_UINT32_T, 0, 1, ranks);
  }
}

static size_t receive_pairs(MPI_Comm ranks, int from, graze_pair *to) {
  unsigned long long count;
  MPI_Recv(&count, 1, MPI_UNSIGNED_LONG_LONG, from, 0, ranks, MPI_STATUS_IGNORE);
  for (size_t first = 0; first < count; first += PIECE) {
    const size_t left = count - first, some = left < PIECE ? left : PIECE;
    MPI_Recv(to + first, (int)(4 * some), MPI_UINT32_T, from, 1, ranks, MPI_STATUS_IGNORE);
  }
  return count;
}

void gather_pairs(MPI_Comm ranks, const graze_pair *own, size_t own_count, graze_pair *all_out) {
  int rank, rank_count;
  MPI_Comm_rank(ranks, &rank);
  MPI_Comm_size(ranks, &rank_count);
  if (rank != 0) {
    send_pairs(ranks, own, own_count);
    return;
  }
  if (own_count > 0) memcpy(all_out, own, own_count * sizeof *own);
  size_t at = own_count;
  for (int from = 1; from < rank_count; from++) at += receive_pairs(ranks, from, all_out + at);
}
