/* Where frames come from: one after the other, one at a time in memory. */
#ifndef GRAZE_FRAME_SOURCE_H
#define GRAZE_FRAME_SOURCE_H

#include "frame_list.h"
#include "object_list.h"

typedef struct frame_source {
  void *context;
  size_t count;                  /* of frames */
  const char *spent_on;          /* what the time of `load` is called */
  bool parts_alone;              /* objects of a frame are tested against each other alone, unless --self is given */
  const size_t (*exclusions)[2]; /* pairs of objects that are left out of every frame; borrowed */
  size_t exclusion_count;
  const char *(*name)(void *context, size_t frame); /* of a file; NULL: frames have no names. May be NULL itself */
  /* Puts the objects of the frame into a list that is empty. Frames are asked for in their order, each once. False
   * after a complaint; the list may then have some of them. `notes` says whether oddities of files are told. */
  bool (*load)(void *context, size_t frame, object_list *objects, bool notes);
} frame_source;

/* Frames from files. The list must outlive the source. */
frame_source frame_source_of_files(frame_list *frames);

#endif
