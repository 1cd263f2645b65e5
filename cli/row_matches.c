/* Matches rows of two records: both are sorted by key and merged. */
#include "row_matches.h"

#include <stdlib.h>
#include <string.h>

/* By key; rows with equal keys keep their order. */
static int compare_rows(const void *a, const void *b) {
  const past_row *x = *(const past_row *const *)a, *y = *(const past_row *const *)b;
  const int order = strcmp(x->key, y->key);
  return order != 0 ? order : (x > y) - (x < y);
}

static const past_row **sort_rows(const bench_history *history) {
  const past_row **sorted = malloc((history->count + 1) * sizeof *sorted);
  if (sorted == NULL) return NULL;
  for (size_t i = 0; i < history->count; i++) sorted[i] = &history->rows[i];
  qsort(sorted, history->count, sizeof *sorted, compare_rows);
  return sorted;
}

static void match_rows(const bench_history *old, const past_row *const *old_sorted, const bench_history *fresh,
                       const past_row *const *fresh_sorted, row_matches *matches) {
  for (size_t i = 0, j = 0; i < old->count && j < fresh->count;) {
    const int order = strcmp(old_sorted[i]->key, fresh_sorted[j]->key);
    if (order == 0) {
      matches->old_of[fresh_sorted[j] - fresh->rows] = old_sorted[i];
      matches->fresh_of[old_sorted[i] - old->rows] = fresh_sorted[j];
    }
    i += order <= 0;
    j += order >= 0;
  }
}

bool row_matches_make(const bench_history *old, const bench_history *fresh, row_matches *matches) {
  const past_row **old_sorted = sort_rows(old), **fresh_sorted = sort_rows(fresh);
  *matches = (row_matches){calloc(fresh->count + 1, sizeof *matches->old_of),
                           calloc(old->count + 1, sizeof *matches->fresh_of)};
  const bool made = old_sorted != NULL && fresh_sorted != NULL && matches->old_of != NULL && matches->fresh_of != NULL;
  if (made) match_rows(old, old_sorted, fresh, fresh_sorted, matches);
  free(old_sorted);
  free(fresh_sorted);
  return made;
}

void row_matches_free(row_matches *matches) {
  free(matches->old_of);
  free(matches->fresh_of);
}
