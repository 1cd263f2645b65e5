/* Decodes base64 by a table. Workload: buffers of kilobytes to hundreds of megabytes inside a JSON string, decoded
 * once. */
#include "mesh_io/base64.h"

#include <stdint.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum { NO_DIGIT = 64 };

static void make_digits(uint8_t digits_out[256]) {
  memset(digits_out, NO_DIGIT, 256);
  for (uint8_t i = 0; i < 64; i++) digits_out[(unsigned char)alphabet[i]] = i;
}

/* Padding fills the last group of four with at most two characters. */
static size_t length_without_padding(const char *text, size_t length) {
  size_t end = length;
  while (length % 4 == 0 && end > 0 && length - end < 2 && text[end - 1] == '=') end--;
  return end;
}

bool base64_decode(const char *text, size_t length, char *bytes_out, size_t *count_out) {
  uint8_t digits[256];
  make_digits(digits);
  const size_t end = length_without_padding(text, length);
  size_t count = 0;
  uint32_t bits = 0;
  for (size_t i = 0; i < end; i++) {
    const uint8_t digit = digits[(unsigned char)text[i]];
    if (digit == NO_DIGIT) {
      *count_out = i;
      return false;
    }
    bits = bits << 6 | digit;
    if (i % 4 != 0) bytes_out[count++] = (char)(unsigned char)(bits >> (6 - 2 * (i % 4)) & 0xFF);
  }
  *count_out = end % 4 == 1 ? end : count; /* six bits alone are not a byte */
  return end % 4 != 1;
}
