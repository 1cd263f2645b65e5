/* Mesh files as objects of a scene distributed over ranks: each rank gets a range of the elements of each mesh. */
#ifndef GRAZE_MPI_FILE_SHARE_H
#define GRAZE_MPI_FILE_SHARE_H

#include "graze/mpi.h"

#include <stdint.h>

typedef struct file_share {
  graze_mpi *all; /* uses the communicator below */
  MPI_Comm ranks;
  uint32_t rank, rank_count;
  uint32_t object_count;    /* objects so far, in all files */
  uint64_t primitive_count; /* of these objects */
  graze_kind kind;          /* of the first object */
  int has_solids, is_mixed; /* an object has solids; the objects differ in kind */
} file_share;

/* Collective: adds this rank's range of every mesh of the file. A failure on one rank fails on all;
 * graze_mpi_error_text returns the message. */
graze_result file_share_add(file_share *share, const char *path, graze_scene *scene);

#endif
