/* Reports changes between two records of `graze bench` beyond noise. */
#ifndef GRAZE_BENCH_COMPARE_H
#define GRAZE_BENCH_COMPARE_H

#include "bench_history.h"
#include "complaint.h"

/* Determines which fresh rows should be measured again before they are reported, and their number. False after a
 * complaint. */
bool bench_compare_doubts(const bench_history *old, const bench_history *fresh, bool *doubted_out, size_t *count_out);

/* Prints the changes by the rule of bench_change.h. EXIT_CODE_SOMETHING if a row, or all rows together, became slower,
 * or a row has a different hash; EXIT_CODE_TROUBLE after a complaint. */
exit_code bench_compare(const bench_history *old, const bench_history *fresh, FILE *stream);

#endif
