/* What became slower or faster between two records of `graze bench`, beyond what is noise. */
#ifndef GRAZE_BENCH_COMPARE_H
#define GRAZE_BENCH_COMPARE_H

#include "bench_history.h"
#include "complaint.h"

typedef enum bench_verdict { BENCH_SAME, BENCH_SLOWER, BENCH_FASTER, BENCH_WAITED } bench_verdict;

/* Slower or faster is what differs by more than a limit in the median and, to the same side, in the least time and in
 * the least time of processors, and whose medians are further apart than the quartiles of both rows together. The limit
 * is 3 % and twice what the yardstick, fixed work in the same rounds, changed by. Where all but the time of processors
 * says so it waited: the machine had other work in one of the runs, or threads wait for each other. On a device the
 * processor's time says nothing and is not looked at. */
bench_verdict bench_compare_rows(const past_row *old, const past_row *fresh);

/* Says on `stream` what changed. EXIT_CODE_SOMETHING where a row became slower or has another hash; EXIT_CODE_TROUBLE
 * after a complaint. */
exit_code bench_compare(const bench_history *old, const bench_history *fresh, FILE *stream);

#endif
