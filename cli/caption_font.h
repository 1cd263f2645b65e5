/* The letters of captions, as strokes of one width. */
#ifndef GRAZE_CAPTION_FONT_H
#define GRAZE_CAPTION_FONT_H

#include <stdbool.h>
#include <stddef.h>

/* In letter units: the height of a capital, the extents above it and below the base line, the width of the pen, and the
 * space between letters. */
enum { CAPTION_CAP_HEIGHT = 28, CAPTION_ABOVE = 6, CAPTION_BELOW = 10, CAPTION_PEN = 4, CAPTION_SPACE = 8 };

typedef struct caption_line {
  double from_x, from_y, to_x, to_y; /* to the right of the left edge of the letter, above the base line */
} caption_line;

enum { CAPTION_LINES = 128 }; /* more than any letter has */
typedef struct caption_lines {
  caption_line lines[CAPTION_LINES];
  size_t count;
} caption_lines;

/* Returns the strokes of a character; "?" if it is not printable ASCII. */
int caption_letter_width(char letter);
void caption_letter(char letter, caption_lines *lines_out);

#endif
