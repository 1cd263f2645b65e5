/* Frames distributed over ranks: each rank holds a range of the primitives of every frame in its own scene. If the
 * primitives of an object stay the same, the rank only moves the object. */
#ifndef GRAZE_MPI_FRAME_SHARE_H
#define GRAZE_MPI_FRAME_SHARE_H

#include "graze/mpi.h"
#include "object_list.h"

/* The share of a rank of an object of the frame. */
typedef struct shared_object {
  graze_object own; /* generation 0: none */
  bool is_in_frame; /* taken since the frame began */
} shared_object;

typedef struct frame_share {
  graze_mpi *all;
  MPI_Comm ranks;
  uint32_t rank, rank_count;
  graze_scene *scene;     /* owned */
  shared_object *objects; /* owned; by number in the frame */
  size_t count, capacity;
} frame_share;

/* Collective, like all functions below. A failure on one rank fails on all and empties their scenes;
 * graze_mpi_error_text returns the message. */
graze_result frame_share_open(frame_share *share, graze_mpi *all, MPI_Comm ranks);
void frame_share_close(frame_share *share); /* not collective */

void frame_share_begin(frame_share *share);

/* Reads a file by ranges as the object of this number; *taken_out is false if a rank cannot. The counts are those of
 * primitives and of vertices; STL files count three vertices per triangle. `once`: there is no other frame. */
graze_result frame_share_take_file(frame_share *share, const char *path, uint32_t number, bool once, bool *taken_out,
                                   uint64_t counts_out[2]);

/* Sends each rank its share of the objects in the list of rank 0, except those already taken from files. */
graze_result frame_share_hand_out(frame_share *share, const object_list *objects, const bool *taken);

/* Removes the objects that are not in the frame. */
graze_result frame_share_end(frame_share *share);

#endif
