/* Ranks of an MPI communicator: the only transport that uses MPI. Failures of MPI end the job, as its handler
 * MPI_ERRORS_ARE_FATAL does. */
#ifndef GRAZE_DISTRIBUTED_MPI_TRANSPORT_H
#define GRAZE_DISTRIBUTED_MPI_TRANSPORT_H

#include "division/transport.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct mpi_transport {
  MPI_Comm communicator; /* a duplicate */
  MPI_Request *requests; /* two per rank */
} mpi_transport;

/* Called by all ranks. Returns true on all, or false on all if one is out of memory. */
bool mpi_transport_open(mpi_transport *opened, MPI_Comm communicator);
void mpi_transport_close(mpi_transport *opened);

transport mpi_transport_row(mpi_transport *opened);

#endif
