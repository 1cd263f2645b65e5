/* Two records of `graze bench`: their rows matched and judged by the rule of bench_change.h. */
#ifndef GRAZE_BENCH_COMPARISON_H
#define GRAZE_BENCH_COMPARISON_H

#include "bench_change.h"
#include "bench_history.h"

/* For each row of one record, the matching row of the other, or NULL. */
typedef struct row_matches {
  const past_row **old_of;   /* by fresh row */
  const past_row **fresh_of; /* by old row */
} row_matches;

typedef struct bench_comparison {
  const bench_history *old, *fresh;
  row_matches matches;
  change_result *results; /* by fresh row; unset for added rows */
  change_whole whole;
} bench_comparison;

/* Refers to both records. False after a complaint; free it in any case. */
bool bench_comparison_make(const bench_history *old, const bench_history *fresh, bench_comparison *of);

void bench_comparison_free(bench_comparison *of);

#endif
