/* The frames that a command line means: folders, patterns and files, in the order in which they are played. */
#ifndef GRAZE_FRAME_LIST_H
#define GRAZE_FRAME_LIST_H

#include "mesh_file_list.h"

/* Where the number stands in a name with one %d, %4d or %04d, and how many digits it has at least. */
typedef struct number_place {
  size_t begin, end, least_digits;
} number_place;

/* The first such place; false where the name has none. */
bool number_place_find(const char *path, number_place *place_out);

/* Whether it is the only one. False after a complaint that begins with these words, "--output " or "", and the name. */
bool number_place_is_only(const number_place *first, const char *path, const char *words);

/* Frames that a numbered sequence lacks in its middle. */
typedef struct frame_gap {
  const char *before, *after; /* the files around it; borrowed from the list */
  uint64_t count;
} frame_gap;

/* Zeroed: no frames. */
typedef struct frame_list {
  mesh_file_list *tracks; /* sequences that are played side by side */
  size_t track_count;
  const char **files; /* track_count for each frame; NULL where a track has none for it */
  size_t count;       /* of frames */
  frame_gap *gaps;
  size_t gap_count;
} frame_list;

/* Files alone are a frame each, in natural order. Else each folder and each pattern is a sequence of its own, and all
 * are played side by side, each giving objects of every frame: by the numbers in their names where every file has one
 * that no other of its sequence has, else one after the other. A file beside them stands still: it is in every frame. A
 * pattern is a name with *, ? or [...], or with one %d, %4d or %04d for the number. What exists is a name, whatever
 * letters it has. False after a complaint. */
bool frame_list_make(frame_list *frames, char *const *operands, size_t operand_count);

/* The name by which a frame is called: its first file that does not stand still. */
const char *frame_list_name(const frame_list *frames, size_t frame);

void frame_list_release(frame_list *frames);

#endif
