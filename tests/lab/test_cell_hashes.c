/* Compares the cell hashes of papers with known values, and finds each by its name. */
#include "lab/cell_hashes.h"
#include "testing.h"

#include <stddef.h>

static uint64_t slow_djb2(const char *bytes, size_t count) {
  uint64_t hash = 5381;
  for (size_t i = 0; i < count; i++) hash = ((hash << 5) + hash) + (unsigned char)bytes[i];
  return hash;
}

TEST(djb2_gives_known_values) {
  assert_true(slow_djb2("", 0) == 5381);
  assert_true(slow_djb2("a", 1) == 177670);
  assert_true(slow_djb2("ab", 2) == 5863208);
  assert_true(cell_hash_djb2(0, 0, 0, 0) == slow_djb2("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16));
  assert_true(cell_hash_djb2(0x64636261, 0, -1, 7) == slow_djb2("abcd\0\0\0\0\xff\xff\xff\xff\x07\0\0", 16));
}

TEST(primes_give_known_values) {
  assert_true(cell_hash_primes(0, 0, 0, 0) == 0);
  assert_true(cell_hash_primes(1, 0, 0, 0) == 73856093);
  assert_true(cell_hash_primes(0, 1, 0, 0) == 19349663);
  assert_true(cell_hash_primes(0, 0, 1, 0) == 83492791);
  assert_true(cell_hash_primes(0, 0, -1, 0) == UINT64_MAX - 83492790);
  assert_true(cell_hash_primes(2, 3, 0, 0) == (UINT64_C(147712186) ^ UINT64_C(58048989)));
  assert_true(cell_hash_primes(1, 2, 3, 4) != cell_hash_primes(1, 2, 3, 5));
}

TEST(hashes_are_chosen_by_name) {
  assert_true(lab_cell_hash(LAB_HASH_MORTON, 1, 2, 3, 4) == UINT64_C(53));
  assert_true(lab_cell_hash(LAB_HASH_DJB2, 1, 2, 3, 4) == cell_hash_djb2(1, 2, 3, 4));
  assert_true(lab_cell_hash(LAB_HASH_FNV1A, 1, 2, 3, 4) == cell_hash_fnv1a(1, 2, 3, 4));
  assert_true(lab_cell_hash(LAB_HASH_PRIMES, 1, 2, 3, 4) == cell_hash_primes(1, 2, 3, 4));
}
