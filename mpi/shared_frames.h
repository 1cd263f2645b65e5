/* Frames that rank 0 plays and all ranks search: files by ranges where possible; rank 0 sends the rest. */
#ifndef GRAZE_MPI_SHARED_FRAMES_H
#define GRAZE_MPI_SHARED_FRAMES_H

#include "crew.h"
#include "frame_searcher.h"

/* Only on rank 0; zeroed except for the crew. */
typedef struct shared_frames {
  crew *crew;
  frame_source inner;
  const frame_list *files; /* NULL: the frames do not come from files */
  bool *taken;             /* by object number: read by all ranks from a file; owned */
  size_t capacity;
  bool excluded; /* the ranks know the excluded pairs */
} shared_frames;

/* Returns the searcher for play_frames_of; the frames must outlive it. */
frame_searcher shared_frames_searcher(shared_frames *frames);
void shared_frames_release(shared_frames *frames);

#endif
