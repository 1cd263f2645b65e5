/* Decodes base64 text (RFC 4648, section 4) to bytes. */
#ifndef GRAZE_BASE64_H
#define GRAZE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the largest number of bytes that `length` characters can give. */
static inline size_t base64_bytes_max(size_t length) {
  return length / 4 * 3 + length % 4;
}

/* Decodes `length` characters; `bytes_out` must have space for base64_bytes_max(length). The final '=' may be missing.
 * On an invalid character returns false with its position in *count_out; else *count_out is the number of bytes. */
bool base64_decode(const char *text, size_t length, char *bytes_out, size_t *count_out);

#endif
