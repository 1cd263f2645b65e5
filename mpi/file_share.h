/* Mesh files as objects of a scene that is shared out over ranks: each rank gets a range of the elements of each mesh.
 */
#ifndef GRAZE_MPI_FILE_SHARE_H
#define GRAZE_MPI_FILE_SHARE_H

#include "graze/graze.h"

#include <stdint.h>

typedef struct file_share {
  uint32_t rank, rank_count;
  uint32_t object_count;    /* objects so far, of all files */
  uint64_t primitive_count; /* of all of them */
  graze_kind kind;          /* of the first object */
  int has_solids, is_mixed; /* of some object; not all are of one kind */
} file_share;

/* Adds the rank's range of every mesh of the file. On failure the message is in error. */
graze_result file_share_add(file_share *share, const char *path, graze_scene *scene, char *error, size_t error_bytes);

#endif
