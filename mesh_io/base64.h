/* Bytes written as text in base64 (RFC 4648, section 4). */
#ifndef GRAZE_BASE64_H
#define GRAZE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* The most bytes that `length` characters give. */
static inline size_t base64_bytes_max(size_t length) {
  return length / 4 * 3 + length % 4;
}

/* Decodes `length` characters; `bytes_out` must have room for base64_bytes_max(length). The '=' at the end may be
 * missing. False where a character does not belong there: *count_out is its place. Else *count_out is the number of
 * bytes. */
bool base64_decode(const char *text, size_t length, char *bytes_out, size_t *count_out);

#endif
