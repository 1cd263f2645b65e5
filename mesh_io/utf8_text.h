/* Characters in UTF-8 text. */
#ifndef GRAZE_UTF8_TEXT_H
#define GRAZE_UTF8_TEXT_H

#include <stddef.h>

/* Returns the length of the UTF-8 sequence at `text` (Unicode 15, table 3-7: no surrogates, no overlong forms, nothing
 * above U+10FFFF), or 0 if it is invalid. Reads no further than a zero byte, which is not a continuation. */
size_t utf8_sequence_length(const char *text);

/* Writes a character, at most U+10FFFF, as one to four bytes; returns their number. */
size_t utf8_write(unsigned long character, char bytes_out[4]);

#endif
