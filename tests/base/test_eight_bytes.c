/* Compares operations on eight bytes at once with byte-by-byte ones, and tests four rows of four floats. */
#include "base/four_floats.h"
#include "testing.h"

#include "number_sequence.h"
#include "test_scale.h"

#include <stddef.h>

static uint64_t byte_of(uint64_t bytes, int i) {
  return bytes >> (8 * i) & 255u;
}

/* Every pair of bytes stands in every place once. */
TEST(least_of_all_pairs_of_bytes) {
  for (uint64_t a = 0; a < 256; a++)
    for (uint64_t b = 0; b < 256; b++) {
      uint64_t p = 0, q = 0;
      for (int i = 0; i < 8; i++) {
        p |= ((a + 37 * (uint64_t)i) & 255u) << (8 * i);
        q |= ((b + 101 * (uint64_t)i) & 255u) << (8 * i);
      }
      const uint64_t least = eight_bytes_least(p, q);
      for (int i = 0; i < 8; i++) {
        const uint64_t of_p = byte_of(p, i), of_q = byte_of(q, i);
        assert_int_equal(byte_of(least, i), of_p < of_q ? of_p : of_q);
      }
    }
}

TEST(whole_parts_of_numbers) {
  uint64_t sequence = 5;
  for (size_t round = 0; round < test_scaled(100000, 1000); round++) {
    float values[8];
    for (int i = 0; i < 8; i++) {
      values[i] = (float)(sequence_next(&sequence) >> 40) * 0x1p-16f; /* from 0 to below 256 */
      if (sequence_below(&sequence, 4) == 0) values[i] = (float)sequence_below(&sequence, 256);
    }
    const uint64_t bytes = eight_bytes_of(four_floats_load(values), four_floats_load(values + 4));
    for (int i = 0; i < 8; i++) assert_int_equal(byte_of(bytes, i), (uint64_t)values[i]);
  }
}

TEST(rows_become_columns) {
  float values[4][4];
  four_floats rows[4];
  for (int i = 0; i < 16; i++) values[i / 4][i % 4] = (float)i;
  for (int i = 0; i < 4; i++) rows[i] = four_floats_load(values[i]);
  four_floats_transpose(rows);
  for (int i = 0; i < 4; i++) four_floats_store(values[i], rows[i]);
  for (int i = 0; i < 16; i++) assert_true(values[i % 4][i / 4] == (float)i);
}
