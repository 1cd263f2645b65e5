/* Compares the cell hashes with slow twins and with known values. */
#include "base/cell_hash.h"
#include "testing.h"

#include "number_sequence.h"

#include <stddef.h>
#include <string.h>

typedef struct cell {
  int32_t x, y, z, level;
} cell;

/* Numbers near zero, near the ends of 21 and of 32 bits, and anywhere. */
static int32_t random_number(uint64_t *seed) {
  const int32_t near = (int32_t)sequence_below(seed, 9) - 4;
  switch (sequence_below(seed, 4)) {
  case 0:
    return near;
  case 1:
    return near + (1 << 20);
  case 2:
    return (int32_t)(uint32_t)((uint32_t)INT32_MAX + (uint32_t)near);
  default:
    return (int32_t)(uint32_t)sequence_next(seed);
  }
}

static cell random_cell(uint64_t *seed) {
  cell made;
  made.x = random_number(seed);
  made.y = random_number(seed);
  made.z = random_number(seed);
  made.level = random_number(seed);
  return made;
}

static void cell_bytes(cell from, unsigned char bytes_out[16]) {
  const uint32_t numbers[4] = {(uint32_t)from.x, (uint32_t)from.y, (uint32_t)from.z, (uint32_t)from.level};
  for (int i = 0; i < 16; i++) bytes_out[i] = (unsigned char)(numbers[i / 4] >> (8 * (i % 4)) & 0xff);
}

static uint64_t slow_morton(cell from) {
  uint64_t code = 0;
  for (int bit = 0; bit < 21; bit++) {
    code |= (uint64_t)((uint32_t)from.x >> bit & 1) << (3 * bit);
    code |= (uint64_t)((uint32_t)from.y >> bit & 1) << (3 * bit + 1);
    code |= (uint64_t)((uint32_t)from.z >> bit & 1) << (3 * bit + 2);
  }
  return code;
}

static uint64_t slow_fnv1a(const void *data, size_t count) {
  const unsigned char *const bytes = data;
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < count; i++) {
    hash ^= bytes[i];
    hash *= UINT64_C(1099511628211);
  }
  return hash;
}

/* The published values of the byte hash hold for the slow twin. */
TEST(slow_twins_give_known_values) {
  assert_true(slow_fnv1a("", 0) == UINT64_C(0xcbf29ce484222325));
  assert_true(slow_fnv1a("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
  assert_true(slow_fnv1a("foobar", 6) == UINT64_C(0x85944171f73967e8));
}

TEST(hashes_equal_their_slow_twins) {
  uint64_t seed = 11;
  for (int i = 0; i < 100000; i++) {
    const cell at = random_cell(&seed);
    unsigned char bytes[16];
    cell_bytes(at, bytes);
    assert_true(cell_hash_morton(at.x, at.y, at.z) == slow_morton(at));
    const uint32_t mask = (1u << 20) - 1;
    const cell low = {(int32_t)((uint32_t)at.x & mask), (int32_t)((uint32_t)at.y & mask),
                      (int32_t)((uint32_t)at.z & mask), 0};
    assert_true(cell_hash_morton_20((uint32_t)low.x, (uint32_t)low.y, (uint32_t)low.z) == slow_morton(low));
    assert_true(cell_hash_fnv1a(at.x, at.y, at.z, at.level) == slow_fnv1a(bytes, sizeof bytes));
  }
}

TEST(morton_has_21_bits_an_axis) {
  const int32_t last = (1 << 21) - 1, mask_20 = (1 << 20) - 1;
  assert_true(cell_hash_morton(last, last, last) == UINT64_C(0x7fffffffffffffff));
  assert_true(cell_hash_morton(-1, -1, -1) == UINT64_C(0x7fffffffffffffff));
  assert_true(cell_hash_morton_20(mask_20, mask_20, mask_20) == cell_hash_morton(mask_20, mask_20, mask_20));
  assert_true(cell_hash_morton(1, 0, 0) == 1);
  assert_true(cell_hash_morton(0, 1, 0) == 2);
  assert_true(cell_hash_morton(0, 0, 1) == 4);
  assert_true(cell_hash_morton(5 + (1 << 21), 6, 7) == cell_hash_morton(5, 6, 7));
  assert_true(cell_hash_morton(5, 6 - (1 << 21), 7) == cell_hash_morton(5, 6, 7));
  assert_true(cell_hash_morton(5 + (1 << 20), 6, 7) != cell_hash_morton(5, 6, 7));
}

/* Values that later changes must not move. */
TEST(golden_values) {
  assert_true(cell_hash_morton(1, 2, 3) == UINT64_C(53));
  assert_true(cell_hash_fnv1a(0x64636261, 0, 0, 0) == slow_fnv1a("abcd\0\0\0\0\0\0\0\0\0\0\0", 16));
}
