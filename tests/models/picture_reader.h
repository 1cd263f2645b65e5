/* Reads a PNG of the picture writer: truecolor, eight bits, not interlaced. */
#ifndef GRAZE_TESTS_PICTURE_READER_H
#define GRAZE_TESTS_PICTURE_READER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct read_picture {
  uint32_t width, height;
  uint8_t *pixels; /* 3 bytes each; released with free */
} read_picture;

/* Checks signature, order and CRC of chunks and the length of the data. False when anything is wrong. */
bool picture_read(const char *path, read_picture *picture_out);

#endif
