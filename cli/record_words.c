/* Formats records and their rows; text from files is written without control characters. */
#include "record_words.h"

#include "plain_words.h"

#include <string.h>

void record_write_heading(const bench_history *history, const char *word, FILE *stream) {
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

void record_write_differences(const bench_history *old, const bench_history *fresh, FILE *stream) {
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

void row_write_setup(const bench_history *history, const past_row *row, FILE *stream) {
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

void row_write_name(const bench_history *history, const past_row *row, FILE *stream) {
  write_padded(stream, past_row_text(history, row, "table"), 8);
  write_padded(stream, past_row_text(history, row, "scene"), 24);
  fprintf(stream, "%9.0f ", past_row_number(history, row, "primitives"));
  write_padded(stream, past_row_text(history, row, "kind"), 7);
  write_padded(stream, past_row_text(history, row, "method"), 8);
  write_padded(stream, past_row_text(history, row, "backend"), 4);
  fprintf(stream, "%4.0f", past_row_number(history, row, "threads"));
}
