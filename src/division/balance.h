/* Decides when to divide the curve again, and computes the weights. The decision depends only on its numbers, so ranks
 * with the same numbers decide the same. */
#ifndef GRAZE_DIVISION_BALANCE_H
#define GRAZE_DIVISION_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

/* The work of all parts in one frame. */
typedef struct division_work {
  uint64_t sum_us, greatest_us;     /* time of updates and queries */
  uint64_t sum_held, greatest_held; /* primitives in the parts */
} division_work;

/* Hysteresis: a division stays until the greatest load is UNEVEN_PERCENT of the mean in UNEVEN_FRAMES consecutive
 * frames. If the last division did not help, it stays twice as many frames as the time before. */
enum { UNEVEN_PERCENT = 115, UNEVEN_FRAMES = 2, LEAST_US = 1000, LEAST_HELD = 1024, LONGEST_WAIT = 64 };

typedef struct division_balance {
  bool divided;
  uint32_t uneven;      /* consecutive frames */
  uint32_t wait, pause; /* frames until the next division is allowed; length of the next pause */
  uint64_t divisions;   /* so far */
} division_balance;

/* Call after a frame. */
void balance_note(division_balance *balance, const division_work *work, uint32_t part_count);

/* Whether to divide the curve before the next frame. */
bool balance_is_due(const division_balance *balance);

/* Call after a division. */
void balance_divided(division_balance *balance, bool has_primitives);

/* Computes the time per primitive of each part in hundredths of the mean, clamped to a factor between 0.1 and 50: a
 * part slowed by a random delay does not empty itself. `counts` are the primitives that each part owns. */
void balance_weigh(const uint64_t *work_us, const uint64_t *counts, uint32_t part_count, uint32_t *weights_out);

#endif
