/* The letters of captions. */
#ifndef GRAZE_CAPTION_FONT_H
#define GRAZE_CAPTION_FONT_H

#include <stdbool.h>
#include <stdint.h>

enum { CAPTION_GLYPH_WIDTH = 5, CAPTION_GLYPH_HEIGHT = 7 };

/* Whether the letter reaches below the base line: it is drawn one row lower than the others. */
bool caption_has_tail(char letter);

/* Seven rows from the top, five bits each, the leftmost highest. What is not printable ASCII is drawn as "?". */
const uint8_t *caption_glyph(char letter);

#endif
