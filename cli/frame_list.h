/* The frames of a command line: folders, patterns and files, in playing order. */
#ifndef GRAZE_FRAME_LIST_H
#define GRAZE_FRAME_LIST_H

#include "mesh_file_list.h"

/* The place of the number in a name with one %d, %4d or %04d, and its least number of digits. */
typedef struct number_place {
  size_t begin, end, least_digits;
} number_place;

/* Finds the first such place; false if the name has none. */
bool number_place_find(const char *path, number_place *place_out);

/* Whether it is the only one. False after a complaint that begins with `words`, such as "--output " or an empty text,
 * and the name. */
bool number_place_is_only(const number_place *first, const char *path, const char *words);

/* Missing frames inside a numbered sequence. */
typedef struct frame_gap {
  const char *before, *after; /* the files around the gap; borrowed from the list */
  uint64_t count;
} frame_gap;

/* Zeroed: no frames. */
typedef struct frame_list {
  mesh_file_list *tracks; /* sequences that are played in parallel */
  size_t track_count;
  const char **files; /* track_count for each frame; NULL where a track has none */
  size_t count;       /* of frames */
  frame_gap *gaps;
  size_t gap_count;
} frame_list;

/* If all operands are files, each is a frame, in natural order. Otherwise each folder and each pattern is a sequence,
 * and all are played in parallel; each provides objects of every frame. Frames are matched by the numbers in their
 * names if these are unique in each sequence, else by order. A file among them is in every frame. A pattern is a name
 * with *, ? or [...], or with one %d, %4d or %04d for the number; an existing file is never a pattern. False after a
 * complaint. */
bool frame_list_make(frame_list *frames, char *const *operands, size_t operand_count);

/* Returns the name of a frame: its first file that does not stand still. */
const char *frame_list_name(const frame_list *frames, size_t frame);

void frame_list_release(frame_list *frames);

#endif
