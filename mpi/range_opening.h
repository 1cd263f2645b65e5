/* Opens a file for reading by ranges, on all ranks. */
#ifndef GRAZE_RANGE_OPENING_H
#define GRAZE_RANGE_OPENING_H

#include "mesh_ranges/mesh_range.h"

#include <mpi.h>

/* The same on all ranks, except that a rank differs if its file has other numbers of faces, vertices or bytes than that
 * of rank 0. */
typedef enum range_opening { RANGE_IS_NOT_OPEN, RANGE_DIFFERS, RANGE_IS_OPEN } range_opening;

#define RANGE_DIFFERS_TEXT "the file has changed, or is not the file of rank 0"

/* Collective. The range is open unless the result is RANGE_IS_NOT_OPEN, on all ranks. */
range_opening range_opening_try(MPI_Comm ranks, const char *path, mesh_range *range);

#endif
