/* Prints the comparison of two records. */
#include "bench_compare.h"

#include "bench_comparison.h"
#include "bench_history.h"
#include "complaint.h"
#include "method_change.h"
#include "plain_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_MOST = 10 };

/* The least common change that is reported with the rows. */
static const double common_least = 0.03;

bool bench_compare_doubts(const bench_history *old, const bench_history *fresh, bool *doubted_out, size_t *count_out) {
  bench_comparison of;
  const bool made = bench_comparison_make(old, fresh, &of);
  *count_out = 0;
  for (size_t i = 0; i < fresh->count && made; i++) {
    doubted_out[i] = of.matches.old_of[i] != NULL && of.results[i].doubted;
    *count_out += doubted_out[i];
  }
  bench_comparison_free(&of);
  return made;
}

/* ---------------------------------------------------------------------------------------------- rows */

static double percent_of(double change) {
  return 100.0 * (exp(change) - 1.0);
}

static void write_columns(FILE *stream) {
  fprintf(stream, "%-8s %-24s %9s %-7s %-8s %-4s %4s %9s %9s %7s %7s %6s\n", "table", "scene", "number", "pairs",
          "method", "on", "thr.", "old ms", "new ms", "time", "proc.", "limit");
}

/* Formats records and their rows; text from files is written without control characters. */

/* Writes a line: file, commit, date, number of rows. */
static void record_write_heading(const bench_history *history, const char *word, FILE *stream) {
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

/* Writes lines about different machines and compilers. */
static void record_write_differences(const bench_history *old, const bench_history *fresh, FILE *stream) {
  if (!same_machine(old, fresh)) {
    fputs("different machines, so times cannot be compared: ", stream);
    write_machine(old, stream);
    fputs(" | ", stream);
    write_machine(fresh, stream);
    fputc('\n', stream);
  }
  if (strcmp(old->compiler, fresh->compiler) == 0 && strcmp(old->flags, fresh->flags) == 0) return;
  fputs("different compilers or flags: ", stream);
  const char *const words[] = {old->compiler, " ", old->flags, " | ", fresh->compiler, " ", fresh->flags, "\n"};
  for (size_t i = 0; i + 1 < sizeof words / sizeof words[0]; i++) write_harmless(stream, words[i]);
  fputc('\n', stream);
}

/* Writes the other members of the key of a row that differ from their usual values. */
static void row_write_setup(const bench_history *history, const past_row *row, FILE *stream) {
  static const struct {
    const char *member, *usual;
  } texts[] = {{"dedup", "owner"},  {"cell_hash", "morton"}, {"test", "sat"},        {"question", "pairs"},
               {"builder", "auto"}, {"axis", "principal"},   {"assign", "covering"}, {"frame", "first"}};
  static const char *const numbers[] = {"clusters", "step"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    const char *text = past_row_text(history, row, texts[i].member);
    if (text[0] == '\0' || strcmp(text, texts[i].usual) == 0) continue;
    fprintf(stream, " %s ", texts[i].member);
    write_harmless(stream, text);
  }
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    const double number = past_row_number(history, row, numbers[i]);
    if (number != 0.0) fprintf(stream, " %s %.0f", numbers[i], number);
  }
}

static void write_padded(FILE *stream, const char *text, int width) {
  write_harmless(stream, text);
  fprintf(stream, "%*s ", width > (int)strlen(text) ? width - (int)strlen(text) : 0, "");
}

/* Writes the columns from `table` to `threads`. */
static void row_write_name(const bench_history *history, const past_row *row, FILE *stream) {
  write_padded(stream, past_row_text(history, row, "table"), 8);
  write_padded(stream, past_row_text(history, row, "scene"), 24);
  fprintf(stream, "%9.0f ", past_row_number(history, row, "primitives"));
  write_padded(stream, past_row_text(history, row, "kind"), 7);
  write_padded(stream, past_row_text(history, row, "method"), 8);
  write_padded(stream, past_row_text(history, row, "backend"), 4);
  fprintf(stream, "%4.0f", past_row_number(history, row, "threads"));
}

static void write_change(const bench_comparison *of, size_t i, const char *word, FILE *stream) {
  const past_row *fresh = &of->fresh->rows[i];
  const change_result *result = &of->results[i];
  row_write_name(of->fresh, fresh, stream);
  fprintf(stream, " %9.3f %9.3f %+6.1f%% %+6.1f%% %5.1f%% %s", result->old_ms, result->fresh_ms,
          percent_of(result->wall), percent_of(result->processor), percent_of(result->limit), word);
  row_write_setup(of->fresh, fresh, stream);
  fputc('\n', stream);
}

/* Rows that only one of the two records has. */
static size_t write_lonely(const bench_history *history, const past_row *const *others, const char *word,
                           FILE *stream) {
  size_t count = 0;
  for (size_t i = 0; i < history->count; i++) {
    if (others[i] != NULL || count++ >= LISTED_MOST) continue;
    fprintf(stream, "%-7s ", word);
    row_write_name(history, &history->rows[i], stream);
    row_write_setup(history, &history->rows[i], stream);
    fputc('\n', stream);
  }
  if (count > LISTED_MOST) fprintf(stream, "%s %s more\n", word, grouped_number(count - LISTED_MOST).text);
  return count;
}

typedef struct change_count {
  size_t both, slower, faster, waited, hashes, added, removed, again;
} change_count;

static const char *word_for(change_verdict verdict, bool same_hash) {
  static const char *const words[] = {"", "slower", "faster", "waited"};
  return same_hash ? words[verdict] : "OTHER HASH";
}

static void count_row(const past_row *row, change_verdict verdict, bool same_hash, change_count *counts) {
  counts->both++;
  counts->slower += verdict == CHANGE_SLOWER;
  counts->faster += verdict == CHANGE_FASTER;
  counts->waited += verdict == CHANGE_WAITED;
  counts->hashes += !same_hash;
  counts->again += row->doubted_passes > 0;
}

static void compare_all(const bench_comparison *of, change_count *counts, FILE *stream) {
  for (size_t i = 0; i < of->fresh->count; i++) {
    const past_row *row = &of->fresh->rows[i], *old = of->matches.old_of[i];
    if (old == NULL) continue;
    const change_verdict verdict = of->results[i].verdict;
    const bool same_hash = strcmp(old->hash, row->hash) == 0;
    const bool is_first = counts->slower + counts->faster + counts->waited + counts->hashes == 0;
    if ((verdict != CHANGE_NONE || !same_hash) && is_first) write_columns(stream);
    if (verdict != CHANGE_NONE || !same_hash) write_change(of, i, word_for(verdict, same_hash), stream);
    count_row(row, verdict, same_hash, counts);
  }
}

/* ---------------------------------------------------------------------------------------------- methods */

/* Returns the number of methods that became slower relative to the others. */
static size_t write_methods(const bench_comparison *of, const method_result *results, FILE *stream) {
  size_t slower = 0;
  for (size_t i = 0; i < of->fresh->count; i++) {
    if (results[i].verdict == CHANGE_NONE) continue;
    slower += results[i].verdict == CHANGE_SLOWER;
    fputs("method ", stream);
    write_harmless(stream, past_row_text(of->fresh, &of->fresh->rows[i], "method"));
    fprintf(stream, ": %+.1f %% relative to the other methods of its %s (limit %.1f %%): %s\n",
            percent_of(results[i].change), counted(results[i].scenes, "scene").text, percent_of(results[i].limit),
            word_for(results[i].verdict, true));
  }
  return slower;
}

/* ---------------------------------------------------------------------------------------------- all together */

/* Prints the change common to all rows, and its cause. */
static void write_common(const change_whole *whole, FILE *stream) {
  static const char *const reasons[] = {"the speed of the machine differs; row changes are relative to that",
                                        "ALL ROWS BECAME SLOWER, and the machine is not the cause",
                                        "all rows became faster, and the machine is not the cause",
                                        "processor time did not change: the machine was busy"};
  if (fmax(fabs(whole->wall), fabs(whole->processor)) <= common_least && fabs(whole->yardstick) <= common_least) return;
  fprintf(stream, "all rows: %+.1f %%, processor time %+.1f %%, fixed work %+.1f %%: %s\n", percent_of(whole->wall),
          percent_of(whole->processor), percent_of(whole->yardstick), reasons[whole->verdict]);
}

static void write_trust(const bench_comparison *of, const change_count *counts, FILE *stream) {
  if (counts->both == 0) return;
  if (counts->again > 0) fprintf(stream, "remeasured %s in doubt\n", counted(counts->again, "row").text);
  fprintf(stream, "noise: in half the rows a change below %.0f %% cannot be detected\n", percent_of(of->whole.limit));
}

static void write_sum(const bench_comparison *of, const change_count *counts, bool bad, FILE *stream) {
  const console screen = console_on(stream);
  write_common(&of->whole, stream);
  if (counts->waited > 0)
    fprintf(stream, "waited: wall time changed but processor time did not; the machine was busy in one of the runs, or "
                    "threads wait\n");
  write_trust(of, counts, stream);
  console_begin(&screen, bad ? TINT_BAD : TINT_GOOD);
  fprintf(stream, "%s in both: %zu slower, %zu faster, %zu waited, the others unchanged within noise; ",
          counted(counts->both, "row").text, counts->slower, counts->faster, counts->waited);
  if (counts->hashes > 0)
    fprintf(stream, "%zu HAVE A DIFFERENT HASH: different pairs were found", counts->hashes);
  else
    fputs("all hashes are equal", stream);
  fprintf(stream, "; %zu added, %zu removed\n", counts->added, counts->removed);
  console_end(&screen);
}

/* Numbers scenes and methods of rows by their first row. Workload: hundreds of rows, each compared with the previous
 * ones. */

/* Whether two rows belong to one scene: equal in everything that does not depend on the method. */
static bool same_scene(const bench_history *history, const past_row *a, const past_row *b) {
  static const char *const texts[] = {"table", "scene", "kind", "test", "question", "frame", "backend"};
  static const char *const numbers[] = {"primitives", "step", "threads"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (strcmp(past_row_text(history, a, texts[i]), past_row_text(history, b, texts[i])) != 0) return false;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (past_row_number(history, a, numbers[i]) != past_row_number(history, b, numbers[i])) return false;
  return true;
}

static bool same_method(const bench_history *history, const past_row *a, const past_row *b) {
  return strcmp(past_row_text(history, a, "method"), past_row_text(history, b, "method")) == 0 &&
         a->on_device == b->on_device;
}

/* The first row in both records that equals this one. */
static size_t first_like(const bench_comparison *of, size_t i,
                         bool (*is_like)(const bench_history *, const past_row *, const past_row *)) {
  const past_row *rows = of->fresh->rows;
  for (size_t j = 0; j < i; j++)
    if (of->matches.old_of[j] != NULL && is_like(of->fresh, &rows[j], &rows[i])) return j;
  return i;
}

/* Scenes and methods are numbered by their first row. */
static size_t list_method_rows(const bench_comparison *of, method_row *rows_out) {
  size_t count = 0;
  for (size_t i = 0; i < of->fresh->count; i++) {
    if (of->matches.old_of[i] == NULL) continue;
    const double change = of->fresh->rows[i].on_device ? of->results[i].wall : of->results[i].processor;
    rows_out[count++] = (method_row){
        .scene = first_like(of, i, same_scene), .method = first_like(of, i, same_method), .change = change};
  }
  return count;
}

/* Returns one result per row of the fresh record. Of rows that share a method, the first that both records have carries
 * it; the others are empty. Release with free; NULL after a complaint. */
static method_result *bench_methods_judge(const bench_comparison *of) {
  method_row *rows = calloc(of->fresh->count + 1, sizeof *rows);
  method_result *results = calloc(of->fresh->count + 1, sizeof *results);
  const bool made = rows != NULL && results != NULL &&
                    method_change_judge(rows, list_method_rows(of, rows), of->fresh->count, results);
  free(rows);
  if (made) return results;
  free(results);
  complain("out of memory");
  return NULL;
}

exit_code bench_compare(const bench_history *old, const bench_history *fresh, FILE *stream) {
  bench_comparison of;
  change_count counts = {0};
  bool bad = false;
  bool made = bench_comparison_make(old, fresh, &of);
  if (made) {
    record_write_heading(old, "old", stream);
    record_write_heading(fresh, "new", stream);
    record_write_differences(old, fresh, stream);
    compare_all(&of, &counts, stream);
    counts.added = write_lonely(fresh, of.matches.old_of, "added", stream);
    counts.removed = write_lonely(old, of.matches.fresh_of, "removed", stream);
    method_result *methods = bench_methods_judge(&of);
    made = methods != NULL;
    const size_t slower = made ? write_methods(&of, methods, stream) : 0;
    bad = counts.slower > 0 || counts.hashes > 0 || of.whole.verdict == CHANGE_SLOWER || slower > 0;
    write_sum(&of, &counts, bad, stream);
    free(methods);
  }
  bench_comparison_free(&of);
  if (!made) return EXIT_CODE_TROUBLE;
  if (counts.both == 0)
    return complain("--compare: the old record has no row that was measured now; repeat its options, such as --scene, "
                    "--size, --method and --threads");
  return bad ? EXIT_CODE_SOMETHING : EXIT_CODE_NOTHING;
}
