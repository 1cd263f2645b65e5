/* Replaces or observes the search of frames: used by graze-mpi. */
#ifndef GRAZE_FRAME_SEARCHER_H
#define GRAZE_FRAME_SEARCHER_H

#include "frame_source.h"

typedef struct frame_searcher {
  void *context;
  /* Returns the source that this process loads in place of `source`; `files` is given if the frames are files. Its
   * context is the searcher, which keeps the source. */
  frame_source (*take)(void *context, const frame_source *source, const frame_list *files_or_null);
  /* Finds the pairs of the frame loaded last. The searcher owns the list; the time is that of the search. */
  graze_result (*find)(void *context, const graze_query *query, const size_t (*exclusions)[2], size_t exclusion_count,
                       graze_pairs *pairs_out, double *milliseconds_out);
  const char *(*message)(void *context, graze_result result); /* of a failed find */
  /* Called after each frame with its result and time. May be NULL; so may the three above, together. */
  void (*note)(void *context, const graze_pairs *pairs, double milliseconds);
} frame_searcher;

#endif
