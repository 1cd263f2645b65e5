/* Compares the kernel of the scan, thread by thread, with a loop: lengths near those of vectors, warps and tiles,
 * counts at every alignment, sums beyond 32 bits, consecutive scans without clearing, and a sum that is known to be
 * zero. */
#include "emulated_kernels.h"
#include "testing.h"

#include "base/number_sequence.h"

#include <stddef.h>
#include <stdlib.h>

enum { TILE = 8192, MARGIN = 8, LONGEST = 5 * TILE };
#define MARGIN_WORD 0xabcdef01u /* around the counts: nothing else may be written */

static void check_scan(uint32_t *row, size_t skew, size_t length, uint64_t *sequence, void *states) {
  uint32_t *counts = row + MARGIN + skew;
  uint32_t *wanted = malloc((length + 1) * sizeof *wanted), *before = malloc((length + 1) * sizeof *before), sum = 0;
  assert_non_null(wanted);
  assert_non_null(before);
  for (size_t i = 0; i < LONGEST + 2 * MARGIN; i++) row[i] = MARGIN_WORD;
  for (size_t i = 0; i < length; i++) {
    counts[i] = (uint32_t)sequence_below(sequence, UINT64_C(1) << (length % 2 == 0 ? 4 : 32));
    wanted[i] = sum;
    sum += counts[i];
  }
  const uint64_t known = 0, not_zero = 1; /* as if: then nothing is to be done */
  for (size_t i = 0; i < length; i++) before[i] = counts[i];
  emulated_scan(counts, length, &known, states);
  assert_memory_equal(counts, before, length * sizeof *counts);
  emulated_scan(counts, length, length % 2 == 0 ? &not_zero : NULL, states);
  for (size_t i = 0; i < length; i++) assert_int_equal(counts[i], wanted[i]);
  free(before);
  for (size_t i = 0; i < LONGEST + 2 * MARGIN; i++)
    if (row + i < counts || row + i >= counts + length) assert_int_equal(row[i], MARGIN_WORD);
  free(wanted);
}

static const size_t lengths[] = {
    1,        2,        3,    5,        31,       33,           127,          129,          1023, 1025,
    TILE - 4, TILE - 1, TILE, TILE + 1, 2 * TILE, 2 * TILE + 3, 3 * TILE - 2, 4 * TILE + 5, 700,  3 * TILE + 17};

TEST(scans_are_those_of_a_loop) {
  OWNED_MEMORY uint32_t *row = aligned_alloc(16, (LONGEST + 2 * MARGIN) * sizeof *row);
  OWNED_MEMORY uint64_t *states = calloc(1, emulated_scan_bytes(LONGEST));
  assert_non_null(row);
  assert_non_null(states);
  uint64_t sequence = 11;
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
    for (size_t skew = 0; skew < 4; skew++) check_scan(row, skew, lengths[i], &sequence, states);
  for (size_t i = 0; i < emulated_scan_bytes(LONGEST) / sizeof *states; i++) assert_int_equal(states[i], 0);
}
