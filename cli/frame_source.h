/* The source of frames: one after the other, one at a time in memory. */
#ifndef GRAZE_FRAME_SOURCE_H
#define GRAZE_FRAME_SOURCE_H

#include "frame_list.h"
#include "object_list.h"

typedef struct frame_source {
  void *context;
  size_t count;                  /* of frames */
  const char *spent_on;          /* what `load` does, for messages */
  bool parts_alone;              /* objects of a frame are tested only against each other, unless --self is given */
  const size_t (*exclusions)[2]; /* pairs of objects excluded in every frame; borrowed */
  size_t exclusion_count;
  const char *(*name)(void *context, size_t frame); /* may be NULL; returns NULL for a frame without a name */
  /* Appends the objects of the frame to an empty list. Frames are loaded in order, each once. False after a complaint;
   * the list may then be incomplete. `notes`: whether notes about files are printed. */
  bool (*load)(void *context, size_t frame, object_list *objects, bool notes);
} frame_source;

/* Returns the frames of the list, which must outlive the source. */
frame_source frame_source_of_files(frame_list *frames);

#endif
