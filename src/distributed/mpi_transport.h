/* Ranks of an MPI communicator: the row of the table of transports that knows MPI. Failures of MPI end the job, as its
 * handler MPI_ERRORS_ARE_FATAL does. */
#ifndef GRAZE_DISTRIBUTED_MPI_TRANSPORT_H
#define GRAZE_DISTRIBUTED_MPI_TRANSPORT_H

#include "distributed/transport.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct mpi_transport {
  MPI_Comm communicator; /* its own */
  MPI_Request *requests; /* two for each rank */
} mpi_transport;

/* Called by all ranks, which all get true, or else false: out of memory on one of them. */
bool mpi_transport_open(mpi_transport *opened, MPI_Comm communicator);
void mpi_transport_close(mpi_transport *opened);

transport mpi_transport_row(mpi_transport *opened);

#endif
