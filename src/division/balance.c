/* Decides when to divide the curve again, and computes the weights; see balance.h.
 *
 * Workload: one decision a frame. */
#include "division/balance.h"

#include <math.h>

static bool is_uneven(uint64_t greatest, uint64_t sum, uint64_t least, uint32_t percent, uint32_t part_count) {
  return greatest >= least && (double)greatest * 100.0 * part_count > (double)sum * percent;
}

void balance_note(division_balance *balance, const division_work *work, uint32_t part_count) {
  const bool uneven = is_uneven(work->greatest_us, work->sum_us, LEAST_US, UNEVEN_PERCENT, part_count) ||
                      is_uneven(work->greatest_held, work->sum_held, LEAST_HELD, 2 * UNEVEN_PERCENT, part_count);
  balance->uneven = uneven ? balance->uneven + 1 : 0;
  if (balance->wait > 0) balance->wait--;
  if (!uneven) balance->pause = 0;
}

bool balance_is_due(const division_balance *balance) {
  return !balance->divided || (balance->uneven >= UNEVEN_FRAMES && balance->wait == 0);
}

void balance_divided(division_balance *balance, bool has_primitives) {
  balance->divided = has_primitives; /* no primitives yet: divide by number the next time too */
  balance->uneven = 0;
  balance->pause = balance->pause == 0 ? 1 : balance->pause < LONGEST_WAIT ? 2 * balance->pause : LONGEST_WAIT;
  balance->wait = balance->pause;
  balance->divisions++;
}

void balance_weigh(const uint64_t *work_us, const uint64_t *counts, uint32_t part_count, uint32_t *weights_out) {
  double all_us = 0, all_count = 0;
  for (uint32_t i = 0; i < part_count; i++) {
    all_us += (double)work_us[i];
    all_count += (double)counts[i];
  }
  for (uint32_t i = 0; i < part_count; i++) {
    const bool known = counts[i] > 0 && all_us > 0;
    const double weight = known ? 100.0 * ((double)work_us[i] / (double)counts[i]) / (all_us / all_count) : 100.0;
    weights_out[i] = (uint32_t)fmin(fmax(weight, 10.0), 5000.0);
  }
}
