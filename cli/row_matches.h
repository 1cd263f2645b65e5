/* Finds the rows of two records of `graze bench` that are the same measurement: those with equal keys, matched in
 * order. */
#ifndef GRAZE_ROW_MATCHES_H
#define GRAZE_ROW_MATCHES_H

#include "bench_history.h"

/* For each row of one record, the matching row of the other, or NULL. */
typedef struct row_matches {
  const past_row **old_of;   /* by fresh row */
  const past_row **fresh_of; /* by old row */
} row_matches;

/* False when out of memory; free it in any case. */
bool row_matches_make(const bench_history *old, const bench_history *fresh, row_matches *matches);

void row_matches_free(row_matches *matches);

#endif
