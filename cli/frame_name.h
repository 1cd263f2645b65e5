/* Names of frames: their order, and the number that a name has. */
#ifndef GRAZE_FRAME_NAME_H
#define GRAZE_FRAME_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As strcmp, but runs of digits compare by their value: frame2 comes before frame10. Names that differ in leading zeros
 * alone are told apart by them, so that two names are equal only where they are the same. */
int natural_order(const char *a, const char *b);

/* The number of a frame: the last run of digits in the file's own name, before its ending and .gz. */
typedef struct frame_number {
  size_t begin, end; /* where it stands in the path */
  uint64_t value;
} frame_number;

/* False where the name has none, or one that does not fit into 64 bits. */
bool frame_number_find(const char *path, frame_number *number_out);

#endif
