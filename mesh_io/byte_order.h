/* Whole numbers in bytes of either order, on hosts of either order. */
#ifndef GRAZE_BYTE_ORDER_H
#define GRAZE_BYTE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Loads up to eight bytes as an unsigned number. */
static inline uint64_t load_bits(const char *p, size_t bytes, bool big_endian) {
  uint64_t bits = 0;
  for (size_t i = 0; i < bytes; i++) {
    const size_t place = big_endian ? bytes - 1 - i : i;
    bits |= (uint64_t)(unsigned char)p[i] << 8 * place;
  }
  return bits;
}

/* Stores the lowest `bytes` bytes of a number; returns `bytes`. */
static inline size_t store_bits(char *p, uint64_t bits, size_t bytes, bool big_endian) {
  for (size_t i = 0; i < bytes; i++) {
    const size_t place = big_endian ? bytes - 1 - i : i;
    p[i] = (char)(unsigned char)(bits >> 8 * place);
  }
  return bytes;
}

#endif
