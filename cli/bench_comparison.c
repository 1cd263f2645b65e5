/* Rows that both records have are judged; added and removed rows are not. */
#include "bench_comparison.h"

#include "complaint.h"

#include <stdlib.h>

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
