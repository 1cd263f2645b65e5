/* Two records side by side. Rows are matched by all that they are known by; of several that are alike in this the first
 * belongs to the first. */
#include "bench_compare.h"

#include "plain_words.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double least_change = 0.03;

enum { LISTED_MOST = 10, WAY_BYTES = 96 };

/* ---------------------------------------------------------------------------------------------- the rule */

/* How much faster or slower the machine itself was: 0.1 where fixed work took 10 % longer, or the other way round. */
static double drift_of(const past_row *old, const past_row *fresh) {
  const double a = old->yardstick_ms, b = fresh->yardstick_ms;
  return a > 0.0 && b > 0.0 ? fmax(a / b, b / a) - 1.0 : 0.0;
}

static int side_of(double old, double fresh, double limit) {
  return fresh > old * (1.0 + limit) ? 1 : fresh * (1.0 + limit) < old ? -1 : 0;
}

static double noise_of(const past_row *old, const past_row *fresh) {
  return fmax(old->upper_ms - old->lower_ms, 0.0) + fmax(fresh->upper_ms - fresh->lower_ms, 0.0);
}

bench_verdict bench_compare_rows(const past_row *old, const past_row *fresh) {
  const double limit = least_change + 2.0 * drift_of(old, fresh);
  const int side = side_of(old->median_ms, fresh->median_ms, limit);
  if (side == 0 || side_of(old->least_ms, fresh->least_ms, limit) != side) return BENCH_SAME;
  if (fabs(fresh->median_ms - old->median_ms) <= noise_of(old, fresh)) return BENCH_SAME;
  if (!old->on_device && side_of(old->least_processor_ms, fresh->least_processor_ms, limit) != side)
    return BENCH_WAITED;
  return side > 0 ? BENCH_SLOWER : BENCH_FASTER;
}

/* ---------------------------------------------------------------------------------------------- matching */

/* Numbers of rows, sorted by key; those of one key stay in their order. */
static int compare_rows(const void *a, const void *b) {
  const past_row *x = *(const past_row *const *)a, *y = *(const past_row *const *)b;
  const int order = strcmp(x->key, y->key);
  return order != 0 ? order : (x > y) - (x < y);
}

static const past_row **sort_rows(const bench_history *history) {
  const past_row **sorted = malloc((history->count + 1) * sizeof *sorted);
  if (sorted == NULL) return NULL;
  for (size_t i = 0; i < history->count; ++i) sorted[i] = &history->rows[i];
  qsort(sorted, history->count, sizeof *sorted, compare_rows);
  return sorted;
}

/* For each row of one record that of the other, or NULL. */
typedef struct row_matches {
  const past_row **old_of;   /* by the numbers of the fresh rows */
  const past_row **fresh_of; /* by those of the old rows */
} row_matches;

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

static bool matches_make(const bench_history *old, const bench_history *fresh, row_matches *matches) {
  const past_row **old_sorted = sort_rows(old), **fresh_sorted = sort_rows(fresh);
  *matches = (row_matches){calloc(fresh->count + 1, sizeof *matches->old_of),
                           calloc(old->count + 1, sizeof *matches->fresh_of)};
  const bool made = old_sorted != NULL && fresh_sorted != NULL && matches->old_of != NULL && matches->fresh_of != NULL;
  if (made) match_rows(old, old_sorted, fresh, fresh_sorted, matches);
  free(old_sorted);
  free(fresh_sorted);
  return made;
}

static void matches_free(row_matches *matches) {
  free(matches->old_of);
  free(matches->fresh_of);
}

/* ---------------------------------------------------------------------------------------------- words */

static void write_heading(const bench_history *history, const char *word, FILE *stream) {
  fprintf(stream, "%s: ", word);
  write_harmless(stream, history->path);
  fputs(", commit ", stream);
  write_harmless(stream, history->commit);
  fputs(", ", stream);
  write_harmless(stream, history->date);
  fprintf(stream, ", %s%s\n", counted(history->count, "row").text, history->complete ? "" : ", stopped before its end");
}

static bool same_machine(const bench_history *a, const bench_history *b) {
  return strcmp(a->architecture, b->architecture) == 0 && strcmp(a->processor, b->processor) == 0 &&
         a->processors == b->processors && strcmp(a->device, b->device) == 0;
}

static void write_machine(const bench_history *history, FILE *stream) {
  write_harmless(stream, history->architecture);
  fputc(' ', stream);
  write_harmless(stream, history->processor);
  fprintf(stream, ", %.0f processors", history->processors);
  if (history->device[0] != '\0') fputs("; ", stream);
  write_harmless(stream, history->device);
}

static void write_differences(const bench_history *old, const bench_history *fresh, FILE *stream) {
  if (!same_machine(old, fresh)) {
    fputs("different machines, so that times say little: ", stream);
    write_machine(old, stream);
    fputs(" | ", stream);
    write_machine(fresh, stream);
    fputc('\n', stream);
  }
  if (strcmp(old->compiler, fresh->compiler) == 0 && strcmp(old->flags, fresh->flags) == 0) return;
  fputs("different compilers or flags: ", stream);
  const char *const words[] = {old->compiler, " ", old->flags, " | ", fresh->compiler, " ", fresh->flags, "\n"};
  for (size_t i = 0; i + 1 < sizeof words / sizeof words[0]; ++i) write_harmless(stream, words[i]);
  fputc('\n', stream);
}

/* What a row is beside scene, method and threads, where that is not what most rows are. */
static void write_way(const bench_history *history, const past_row *row, FILE *stream) {
  static const struct {
    const char *member, *usual;
  } texts[] = {{"dedup", "owner"},  {"cell_hash", "morton"}, {"test", "sat"},        {"question", "pairs"},
               {"builder", "auto"}, {"axis", "principal"},   {"assign", "covering"}, {"frame", "first"}};
  static const char *const numbers[] = {"clusters", "step"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    const char *text = past_row_text(history, row, texts[i].member);
    if (strcmp(text, texts[i].usual) == 0) continue;
    fprintf(stream, " %s ", texts[i].member);
    write_harmless(stream, text);
  }
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    const double number = past_row_number(history, row, numbers[i]);
    if (number != 0.0) fprintf(stream, " %s %.0f", numbers[i], number);
  }
}

static void write_padded(FILE *stream, const char *text, int width) {
  write_harmless(stream, text);
  fprintf(stream, "%*s ", width > (int)strlen(text) ? width - (int)strlen(text) : 0, "");
}

static void write_name(const bench_history *history, const past_row *row, FILE *stream) {
  write_padded(stream, past_row_text(history, row, "table"), 8);
  write_padded(stream, past_row_text(history, row, "scene"), 24);
  fprintf(stream, "%9.0f ", past_row_number(history, row, "primitives"));
  write_padded(stream, past_row_text(history, row, "kind"), 7);
  write_padded(stream, past_row_text(history, row, "method"), 8);
  write_padded(stream, past_row_text(history, row, "backend"), 4);
  fprintf(stream, "%4.0f", past_row_number(history, row, "threads"));
}

static void write_change(const bench_history *history, const past_row *old, const past_row *fresh, const char *word,
                         FILE *stream) {
  const double percent = 100.0 / (old->median_ms > 0.0 ? old->median_ms : 1.0);
  write_name(history, fresh, stream);
  fprintf(stream, " %10.3f %10.3f %+7.1f %% %6.1f %%  %s", old->median_ms, fresh->median_ms,
          percent * (fresh->median_ms - old->median_ms), percent * noise_of(old, fresh), word);
  write_way(history, fresh, stream);
  fputc('\n', stream);
}

/* Rows that only one of the two has. */
static size_t write_lonely(const bench_history *history, const past_row *const *others, const char *word,
                           FILE *stream) {
  size_t count = 0;
  for (size_t i = 0; i < history->count; ++i) {
    if (others[i] != NULL || count++ >= LISTED_MOST) continue;
    fprintf(stream, "%s ", word);
    write_name(history, &history->rows[i], stream);
    write_way(history, &history->rows[i], stream);
    fputc('\n', stream);
  }
  if (count > LISTED_MOST) fprintf(stream, "%s %s more\n", word, grouped_number(count - LISTED_MOST).text);
  return count;
}

/* ---------------------------------------------------------------------------------------------- comparing */

typedef struct change_count {
  size_t both, slower, faster, waited, hashes, came, went;
  double drift; /* the largest */
} change_count;

static const char *word_for(bench_verdict verdict, bool same_hash) {
  static const char *const words[] = {"", "slower", "faster", "waited"};
  return same_hash ? words[verdict] : "OTHER HASH";
}

static void compare_all(const bench_history *fresh, const row_matches *matches, change_count *counts, FILE *stream) {
  for (size_t i = 0; i < fresh->count; ++i) {
    const past_row *row = &fresh->rows[i], *old = matches->old_of[i];
    if (old == NULL) continue;
    const bench_verdict verdict = bench_compare_rows(old, row);
    const bool same_hash = strcmp(old->hash, row->hash) == 0;
    if ((verdict != BENCH_SAME || !same_hash) && counts->slower + counts->faster + counts->waited + counts->hashes == 0)
      fprintf(stream, "%-8s %-24s %9s %-7s %-8s %-4s %4s %10s %10s %9s %8s\n", "table", "scene", "number", "pairs",
              "method", "on", "thr.", "old ms", "new ms", "change", "noise");
    if (verdict != BENCH_SAME || !same_hash) write_change(fresh, old, row, word_for(verdict, same_hash), stream);
    ++counts->both;
    counts->drift = fmax(counts->drift, drift_of(old, row));
    counts->slower += verdict == BENCH_SLOWER;
    counts->faster += verdict == BENCH_FASTER;
    counts->waited += verdict == BENCH_WAITED;
    counts->hashes += !same_hash;
  }
}

static void write_sum(const change_count *counts, FILE *stream) {
  const console screen = console_on(stream);
  const bool bad = counts->slower > 0 || counts->hashes > 0;
  if (counts->drift > least_change)
    fprintf(
        stream,
        "the machine was not the same: fixed work beside the rows took up to %.0f %% more or less time; changes below "
        "twice that are not told\n",
        100.0 * counts->drift);
  if (counts->waited > 0)
    fprintf(stream,
            "waited: wall time changed and processor time did not; the machine had other work in one of the runs, or "
            "threads wait\n");
  console_begin(&screen, bad ? TINT_BAD : TINT_GOOD);
  fprintf(stream, "%s in both: %zu slower, %zu faster, %zu waited, the others the same within noise; ",
          counted(counts->both, "row").text, counts->slower, counts->faster, counts->waited);
  if (counts->hashes > 0)
    fprintf(stream, "%zu HAVE ANOTHER HASH: other pairs were found", counts->hashes);
  else
    fputs("all hashes are the same", stream);
  fprintf(stream, "; %zu came, %zu went\n", counts->came, counts->went);
  console_end(&screen);
}

exit_code bench_compare(const bench_history *old, const bench_history *fresh, FILE *stream) {
  row_matches matches;
  change_count counts = {0};
  const bool made = matches_make(old, fresh, &matches);
  if (made) {
    write_heading(old, "old", stream);
    write_heading(fresh, "new", stream);
    write_differences(old, fresh, stream);
    compare_all(fresh, &matches, &counts, stream);
    counts.came = write_lonely(fresh, matches.old_of, "came", stream);
    counts.went = write_lonely(old, matches.fresh_of, "went", stream);
    write_sum(&counts, stream);
  }
  matches_free(&matches);
  if (!made) return complain("out of memory");
  return counts.slower > 0 || counts.hashes > 0 ? EXIT_CODE_SOMETHING : EXIT_CODE_NOTHING;
}
