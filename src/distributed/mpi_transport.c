/* Ranks of an MPI communicator; see mpi_transport.h.
 *
 * Counts of MPI are ints, so larger messages are sent in pieces. Both sides split a message in the same way. */
#include "distributed/mpi_transport.h"

#include <stdlib.h>

#define VALUES_AT_ONCE ((size_t)1 << 20)
#define BYTES_AT_ONCE ((uint64_t)1 << 30)

/* Flips the highest bit: the least and greatest of unsigned numbers are then those of signed ones. Released versions of
 * MPI (MPICH 4.0.2, pmodels/mpich#6083) compare unsigned numbers as if they were signed. */
static void flip_signs(uint64_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) values[i] ^= (uint64_t)1 << 63;
}

static void mpi_reduce(void *context, transport_operation operation, uint64_t *values, size_t count) {
  const mpi_transport *own = context;
  const MPI_Op operations[] = {[TRANSPORT_SUM] = MPI_SUM, [TRANSPORT_LEAST] = MPI_MIN, [TRANSPORT_GREATEST] = MPI_MAX};
  const bool compares = operation != TRANSPORT_SUM;
  if (compares) flip_signs(values, count);
  for (size_t first = 0; first < count; first += VALUES_AT_ONCE) {
    const size_t left = count - first, some = left < VALUES_AT_ONCE ? left : VALUES_AT_ONCE;
    MPI_Allreduce(MPI_IN_PLACE, values + first, (int)some, compares ? MPI_INT64_T : MPI_UINT64_T, operations[operation],
                  own->communicator);
  }
  if (compares) flip_signs(values, count);
}

static void mpi_broadcast(void *context, uint32_t root, void *bytes, size_t size) {
  const mpi_transport *own = context;
  for (size_t first = 0; first < size; first += BYTES_AT_ONCE) {
    const size_t left = size - first, some = left < BYTES_AT_ONCE ? left : BYTES_AT_ONCE;
    MPI_Bcast((char *)bytes + first, (int)some, MPI_BYTE, (int)root, own->communicator);
  }
}

static void mpi_trade(void *context, const uint64_t *send, uint64_t *receive) {
  const mpi_transport *own = context;
  MPI_Alltoall(send, 1, MPI_UINT64_T, receive, 1, MPI_UINT64_T, own->communicator);
}

/* The piece of a block that begins at `first`; false if there is none. */
static bool piece_of(const transport_block *block, uint64_t first, char **at_out, int *count_out) {
  if (first >= block->size) return false;
  const uint64_t left = block->size - first;
  *at_out = (char *)block->bytes + first;
  *count_out = (int)(left < BYTES_AT_ONCE ? left : BYTES_AT_ONCE);
  return true;
}

static void mpi_exchange(void *context, const transport_block *send, const transport_block *receive) {
  mpi_transport *own = context;
  int rank, rank_count, some = 1;
  MPI_Comm_rank(own->communicator, &rank);
  MPI_Comm_size(own->communicator, &rank_count);
  for (uint64_t first = 0; some > 0; first += BYTES_AT_ONCE) {
    some = 0;
    for (int step = 1; step < rank_count; step++) { /* in a different order on each rank, to spread the load */
      const int from = (rank + rank_count - step) % rank_count, to = (rank + step) % rank_count;
      char *at;
      int count;
      if (piece_of(&receive[from], first, &at, &count))
        MPI_Irecv(at, count, MPI_BYTE, from, 0, own->communicator, &own->requests[some++]);
      if (piece_of(&send[to], first, &at, &count))
        MPI_Isend(at, count, MPI_BYTE, to, 0, own->communicator, &own->requests[some++]);
    }
    MPI_Waitall(some, own->requests, MPI_STATUSES_IGNORE);
  }
}

bool mpi_transport_open(mpi_transport *opened, MPI_Comm communicator) {
  int rank_count, has_room;
  MPI_Comm_dup(communicator, &opened->communicator);
  MPI_Comm_set_errhandler(opened->communicator, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_size(opened->communicator, &rank_count);
  opened->requests = malloc(2 * (size_t)rank_count * sizeof *opened->requests);
  has_room = opened->requests != NULL;
  MPI_Allreduce(MPI_IN_PLACE, &has_room, 1, MPI_INT, MPI_MIN, opened->communicator);
  if (!has_room) mpi_transport_close(opened);
  return has_room;
}

void mpi_transport_close(mpi_transport *opened) {
  free(opened->requests);
  MPI_Comm_free(&opened->communicator);
}

transport mpi_transport_row(mpi_transport *opened) {
  int rank, rank_count;
  MPI_Comm_rank(opened->communicator, &rank);
  MPI_Comm_size(opened->communicator, &rank_count);
  return (transport){.context = opened,
                     .rank = (uint32_t)rank,
                     .rank_count = (uint32_t)rank_count,
                     .reduce = mpi_reduce,
                     .broadcast = mpi_broadcast,
                     .trade = mpi_trade,
                     .exchange = mpi_exchange};
}
