/* Rows that both records have are judged; added and removed rows are not. */
#include "bench_comparison.h"

#include "bench_history.h"
#include "complaint.h"

#include <stdlib.h>
#include <string.h>

static change_row row_to_judge(const past_row *old, const past_row *fresh) {
  return (change_row){.old = old->times,
                      .fresh = fresh->times,
                      .first_again = fresh->times.count - fresh->doubted_passes,
                      .on_device = old->on_device};
}

/* Judges the rows that both records have, and stores the results by fresh row. */
static bool judge_rows(bench_comparison *of, change_row *rows, change_result *results) {
  size_t count = 0;
  for (size_t i = 0; i < of->fresh->count; i++)
    if (of->matches.old_of[i] != NULL) rows[count++] = row_to_judge(of->matches.old_of[i], &of->fresh->rows[i]);
  if (!change_judge(rows, count, results, &of->whole)) return false;
  count = 0;
  for (size_t i = 0; i < of->fresh->count; i++)
    if (of->matches.old_of[i] != NULL) of->results[i] = results[count++];
  return true;
}

/* Matches rows of two records: both are sorted by key and merged. */

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

/* False when out of memory; free it in any case. */
static bool row_matches_make(const bench_history *old, const bench_history *fresh, row_matches *matches) {
  const past_row **old_sorted = sort_rows(old), **fresh_sorted = sort_rows(fresh);
  *matches = (row_matches){calloc(fresh->count + 1, sizeof *matches->old_of),
                           calloc(old->count + 1, sizeof *matches->fresh_of)};
  const bool made = old_sorted != NULL && fresh_sorted != NULL && matches->old_of != NULL && matches->fresh_of != NULL;
  if (made) match_rows(old, old_sorted, fresh, fresh_sorted, matches);
  free(old_sorted);
  free(fresh_sorted);
  return made;
}

static void row_matches_free(row_matches *matches) {
  free(matches->old_of);
  free(matches->fresh_of);
}

bool bench_comparison_make(const bench_history *old, const bench_history *fresh, bench_comparison *of) {
  *of = (bench_comparison){.old = old, .fresh = fresh, .results = calloc(fresh->count + 1, sizeof *of->results)};
  change_row *rows = calloc(fresh->count + 1, sizeof *rows);
  change_result *results = calloc(fresh->count + 1, sizeof *results);
  const bool made = row_matches_make(old, fresh, &of->matches) && rows != NULL && results != NULL &&
                    of->results != NULL && judge_rows(of, rows, results);
  free(rows);
  free(results);
  if (!made) complain("out of memory");
  return made;
}

void bench_comparison_free(bench_comparison *of) {
  row_matches_free(&of->matches);
  free(of->results);
}
