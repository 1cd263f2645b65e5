/* Writes a picture as PNG. */
#ifndef GRAZE_PNG_WRITER_H
#define GRAZE_PNG_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* `pixels` are rows from the top, 3 bytes (red, green, blue; sRGB) per pixel, tightly packed; width and height from 1
 * to 2^20. On failure returns false with a message and removes the file. */
bool png_write(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height, char *error,
               size_t error_bytes);

/* The same into an open stream. False when out of memory or if the stream fails. */
bool png_write_stream(FILE *stream, const uint8_t *pixels, uint32_t width, uint32_t height);

#endif
