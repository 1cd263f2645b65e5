/* Two records side by side. Rows are matched by all that they are known by; of several that are alike in this the first
 * belongs to the first. */
#include "bench_compare.h"

#include "method_change.h"
#include "plain_words.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_MOST = 10 };

/* What is said of all rows together begins here. */
static const double common_least = 0.03;

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

/* ---------------------------------------------------------------------------------------------- judging */

typedef struct comparison {
  const bench_history *old, *fresh;
  row_matches matches;
  change_told *told; /* by the numbers of the fresh rows; nothing is told of those that came */
  change_whole whole;
} comparison;

static change_row row_to_judge(const past_row *old, const past_row *fresh) {
  return (change_row){.old = old->times,
                      .fresh = fresh->times,
                      .first_again = fresh->times.count - fresh->doubted_passes,
                      .on_device = old->on_device};
}

/* Rows that both have, one after the other, and back. */
static bool judge_rows(comparison *of, change_row *rows, change_told *told) {
  size_t count = 0;
  for (size_t i = 0; i < of->fresh->count; ++i)
    if (of->matches.old_of[i] != NULL) rows[count++] = row_to_judge(of->matches.old_of[i], &of->fresh->rows[i]);
  if (!change_judge(rows, count, told, &of->whole)) return false;
  count = 0;
  for (size_t i = 0; i < of->fresh->count; ++i)
    if (of->matches.old_of[i] != NULL) of->told[i] = told[count++];
  return true;
}

static void comparison_free(comparison *of) {
  matches_free(&of->matches);
  free(of->told);
}

/* False after a complaint; to be freed in any case. */
static bool comparison_make(const bench_history *old, const bench_history *fresh, comparison *of) {
  *of = (comparison){.old = old, .fresh = fresh, .told = calloc(fresh->count + 1, sizeof *of->told)};
  change_row *rows = calloc(fresh->count + 1, sizeof *rows);
  change_told *told = calloc(fresh->count + 1, sizeof *told);
  const bool made = matches_make(old, fresh, &of->matches) && rows != NULL && told != NULL && of->told != NULL &&
                    judge_rows(of, rows, told);
  free(rows);
  free(told);
  if (!made) complain("out of memory");
  return made;
}

bool bench_compare_doubts(const bench_history *old, const bench_history *fresh, bool *doubted_out, size_t *count_out) {
  comparison of;
  const bool made = comparison_make(old, fresh, &of);
  *count_out = 0;
  for (size_t i = 0; i < fresh->count && made; ++i) {
    doubted_out[i] = of.matches.old_of[i] != NULL && of.told[i].doubted;
    *count_out += doubted_out[i];
  }
  comparison_free(&of);
  return made;
}

/* ---------------------------------------------------------------------------------------------- methods */

/* Whether two rows are of one scene: alike in all that is not the method's. */
static bool same_scene(const bench_history *history, const past_row *a, const past_row *b) {
  static const char *const texts[] = {"table", "scene", "kind", "test", "question", "frame", "backend"};
  static const char *const numbers[] = {"primitives", "step", "threads"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    if (strcmp(past_row_text(history, a, texts[i]), past_row_text(history, b, texts[i])) != 0) return false;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
    if (past_row_number(history, a, numbers[i]) != past_row_number(history, b, numbers[i])) return false;
  return true;
}

static bool same_method(const bench_history *history, const past_row *a, const past_row *b) {
  return strcmp(past_row_text(history, a, "method"), past_row_text(history, b, "method")) == 0 &&
         a->on_device == b->on_device;
}

/* The first row that both records have and that is like this one. */
static size_t first_like(const comparison *of, size_t i,
                         bool (*is_like)(const bench_history *, const past_row *, const past_row *)) {
  const past_row *rows = of->fresh->rows;
  for (size_t j = 0; j < i; ++j)
    if (of->matches.old_of[j] != NULL && is_like(of->fresh, &rows[j], &rows[i])) return j;
  return i;
}

/* Scenes and methods are numbered by the first row that is of them. */
static size_t list_method_rows(const comparison *of, method_row *rows_out) {
  size_t count = 0;
  for (size_t i = 0; i < of->fresh->count; ++i) {
    if (of->matches.old_of[i] == NULL) continue;
    const double change = of->fresh->rows[i].on_device ? of->told[i].wall : of->told[i].processor;
    rows_out[count++] = (method_row){
        .scene = first_like(of, i, same_scene), .method = first_like(of, i, same_method), .change = change};
  }
  return count;
}

/* By the numbers of the rows that methods are numbered by; NULL where memory runs out. */
static method_told *judge_methods(const comparison *of) {
  method_row *rows = calloc(of->fresh->count + 1, sizeof *rows);
  method_told *told = calloc(of->fresh->count + 1, sizeof *told);
  const bool made =
      rows != NULL && told != NULL && method_change_judge(rows, list_method_rows(of, rows), of->fresh->count, told);
  free(rows);
  if (made) return told;
  free(told);
  complain("out of memory");
  return NULL;
}

/* ---------------------------------------------------------------------------------------------- words */

static double percent_of(double change) {
  return 100.0 * (exp(change) - 1.0);
}

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

static void write_change(const comparison *of, size_t i, const char *word, FILE *stream) {
  const past_row *fresh = &of->fresh->rows[i];
  const change_told *told = &of->told[i];
  write_name(of->fresh, fresh, stream);
  fprintf(stream, " %10.3f %10.3f %+7.1f %% %+7.1f %% %6.1f %%  %s", told->old_ms, told->fresh_ms,
          percent_of(told->wall), percent_of(told->processor), percent_of(told->limit), word);
  write_way(of->fresh, fresh, stream);
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
  size_t both, slower, faster, waited, hashes, came, went, again;
} change_count;

static const char *word_for(change_verdict verdict, bool same_hash) {
  static const char *const words[] = {"", "slower", "faster", "waited"};
  return same_hash ? words[verdict] : "OTHER HASH";
}

static void write_columns(FILE *stream) {
  fprintf(stream, "%-8s %-24s %9s %-7s %-8s %-4s %4s %10s %10s %9s %9s %8s\n", "table", "scene", "number", "pairs",
          "method", "on", "thr.", "old ms", "new ms", "time", "of proc.", "limit");
}

static void count_row(const past_row *row, change_verdict verdict, bool same_hash, change_count *counts) {
  ++counts->both;
  counts->slower += verdict == CHANGE_SLOWER;
  counts->faster += verdict == CHANGE_FASTER;
  counts->waited += verdict == CHANGE_WAITED;
  counts->hashes += !same_hash;
  counts->again += row->doubted_passes > 0;
}

static void compare_all(const comparison *of, change_count *counts, FILE *stream) {
  for (size_t i = 0; i < of->fresh->count; ++i) {
    const past_row *row = &of->fresh->rows[i], *old = of->matches.old_of[i];
    if (old == NULL) continue;
    const change_verdict verdict = of->told[i].verdict;
    const bool same_hash = strcmp(old->hash, row->hash) == 0;
    const bool is_first = counts->slower + counts->faster + counts->waited + counts->hashes == 0;
    if ((verdict != CHANGE_NONE || !same_hash) && is_first) write_columns(stream);
    if (verdict != CHANGE_NONE || !same_hash) write_change(of, i, word_for(verdict, same_hash), stream);
    count_row(row, verdict, same_hash, counts);
  }
}

/* Returns how many methods became slower beside the others. */
static size_t write_methods(const comparison *of, const method_told *told, FILE *stream) {
  size_t slower = 0;
  for (size_t i = 0; i < of->fresh->count; ++i) {
    if (told[i].verdict == CHANGE_NONE) continue;
    slower += told[i].verdict == CHANGE_SLOWER;
    fputs("method ", stream);
    write_harmless(stream, past_row_text(of->fresh, &of->fresh->rows[i], "method"));
    fprintf(stream, ": %+.1f %% beside the other methods of its %s (limit %.1f %%): %s\n", percent_of(told[i].change),
            counted(told[i].scenes, "scene").text, percent_of(told[i].limit), word_for(told[i].verdict, true));
  }
  return slower;
}

/* What all rows have in common, and whose it is. */
static void write_common(const change_whole *whole, FILE *stream) {
  static const char *const reasons[] = {"the machine was not the same; changes of rows are beyond that",
                                        "ALL ROWS BECAME SLOWER, and not by the machine",
                                        "all rows became faster, and not by the machine",
                                        "the time of processors did not change: the machine had other work"};
  if (fmax(fabs(whole->wall), fabs(whole->processor)) <= common_least && fabs(whole->yardstick) <= common_least) return;
  fprintf(stream, "all rows together %+.1f %%, of processors %+.1f %%, fixed work beside them %+.1f %%: %s\n",
          percent_of(whole->wall), percent_of(whole->processor), percent_of(whole->yardstick), reasons[whole->verdict]);
}

static void write_trust(const comparison *of, const change_count *counts, FILE *stream) {
  if (counts->both == 0) return;
  if (counts->again > 0) fprintf(stream, "%s in doubt measured again\n", counted(counts->again, "row").text);
  fprintf(stream, "noise: of half the rows a change below %.0f %% could not be told\n", percent_of(of->whole.limit));
}

static void write_sum(const comparison *of, const change_count *counts, bool bad, FILE *stream) {
  const console screen = console_on(stream);
  write_common(&of->whole, stream);
  if (counts->waited > 0)
    fprintf(stream,
            "waited: wall time changed and processor time did not; the machine had other work in one of the runs, or "
            "threads wait\n");
  write_trust(of, counts, stream);
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
  comparison of;
  change_count counts = {0};
  bool bad = false;
  bool made = comparison_make(old, fresh, &of);
  if (made) {
    write_heading(old, "old", stream);
    write_heading(fresh, "new", stream);
    write_differences(old, fresh, stream);
    compare_all(&of, &counts, stream);
    counts.came = write_lonely(fresh, of.matches.old_of, "came", stream);
    counts.went = write_lonely(old, of.matches.fresh_of, "went", stream);
    method_told *methods = judge_methods(&of);
    made = methods != NULL;
    const size_t slower = made ? write_methods(&of, methods, stream) : 0;
    bad = counts.slower > 0 || counts.hashes > 0 || of.whole.verdict == CHANGE_SLOWER || slower > 0;
    write_sum(&of, &counts, bad, stream);
    free(methods);
  }
  comparison_free(&of);
  if (!made) return EXIT_CODE_TROUBLE;
  return bad ? EXIT_CODE_SOMETHING : EXIT_CODE_NOTHING;
}
