/* Opens a file on all ranks; see range_opening.h.
 *
 * Modification times are not compared: every machine may have a copy of the file. */
#include "range_opening.h"

range_opening range_opening_try(MPI_Comm ranks, const char *path, mesh_range *range) {
  const int opened = mesh_range_open(path, range);
  int all_opened = opened;
  MPI_Allreduce(MPI_IN_PLACE, &all_opened, 1, MPI_INT, MPI_MIN, ranks);
  if (!all_opened) {
    if (opened) mesh_range_close(range);
    return RANGE_IS_NOT_OPEN;
  }
  const mesh_version *own = &range->version;
  uint64_t first[3] = {own->face_count, own->vertex_count, own->bytes};
  MPI_Bcast(first, 3, MPI_UINT64_T, 0, ranks);
  const bool equal = first[0] == own->face_count && first[1] == own->vertex_count && first[2] == own->bytes;
  return equal ? RANGE_IS_OPEN : RANGE_DIFFERS;
}
