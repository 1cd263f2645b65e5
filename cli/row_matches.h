/* Which rows of two records of `graze bench` are the same measurement: those alike in all that they are known by; of
 * several that are alike in this the first belongs to the first. */
#ifndef GRAZE_ROW_MATCHES_H
#define GRAZE_ROW_MATCHES_H

#include "bench_history.h"

/* For each row of one record that of the other, or NULL. */
typedef struct row_matches {
  const past_row **old_of;   /* by the numbers of the fresh rows */
  const past_row **fresh_of; /* by those of the old rows */
} row_matches;

/* False where memory runs out; to be freed in any case. */
bool row_matches_make(const bench_history *old, const bench_history *fresh, row_matches *matches);

void row_matches_free(row_matches *matches);

#endif
