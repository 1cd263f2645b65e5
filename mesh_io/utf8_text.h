/* Where characters of UTF-8 end. */
#ifndef GRAZE_UTF8_TEXT_H
#define GRAZE_UTF8_TEXT_H

#include <stddef.h>

/* The length of the UTF-8 sequence that begins at `text` (Unicode 15, table 3-7: no surrogates, no overlong forms,
 * nothing past U+10FFFF), or 0 where there is none. Reads no further than a zero byte, which is no continuation. */
size_t utf8_sequence_length(const char *text);

/* Writes a character, at most U+10FFFF, as one to four bytes; returns how many. */
size_t utf8_write(unsigned long character, char bytes_out[4]);

#endif
