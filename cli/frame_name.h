/* Names of frames: their order and their numbers. */
#ifndef GRAZE_FRAME_NAME_H
#define GRAZE_FRAME_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compares like strcmp, but runs of digits by value: frame2 comes before frame10. Leading zeros break ties, so that
 * only equal names compare equal. */
int natural_order(const char *a, const char *b);

/* The number of a frame: the last run of digits in the file name, before its ending and .gz. */
typedef struct frame_number {
  size_t begin, end; /* its place in the path */
  uint64_t value;
} frame_number;

/* False if the name has no number, or one beyond 64 bits. */
bool frame_number_find(const char *path, frame_number *number_out);

#endif
