/* What became slower or faster between two records of `graze bench`, beyond what is noise. */
#ifndef GRAZE_BENCH_COMPARE_H
#define GRAZE_BENCH_COMPARE_H

#include "bench_history.h"
#include "complaint.h"

/* Which fresh rows should be measured again before anything is told of them; how many they are. False after a
 * complaint. */
bool bench_compare_doubts(const bench_history *old, const bench_history *fresh, bool *doubted_out, size_t *count_out);

/* Says on `stream` what changed, by the rule of bench_change.h. EXIT_CODE_SOMETHING where a row, or all rows together,
 * became slower, or one has another hash; EXIT_CODE_TROUBLE after a complaint. */
exit_code bench_compare(const bench_history *old, const bench_history *fresh, FILE *stream);

#endif
