/* Reads rows from JSON. A record may come from anywhere, so anything missing or of another kind is refused. */
#include "bench_history.h"

#include "bench_records.h"
#include "complaint.h"
#include "file_bytes.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The least assumed spread of a row of one pass, because the difference between passes is unknown. */
static const double least_spread = 0.05, clock_ms = 1e-4;

_Static_assert((int)CHANGE_PASSES_MAX >= (int)BENCH_PASSES_MAX, "what is written can be read again");

/* The largest runs write some hundred kilobytes. */
enum { FILE_BYTES_MAX = 64 << 20, KEY_BYTES = 512, MESSAGE_BYTES = 256 };

static bool refuse_member(const bench_history *history, const json_value *object, const char *member) {
  return decline("%s:%zu: not a record of graze bench: \"%s\" is missing or invalid", history->path, object->line,
                 member);
}

static bool take_text(const bench_history *history, const json_value *object, const char *member,
                      const char **text_out) {
  const json_value *value = json_find(&history->document, object, member, JSON_STRING);
  if (value != NULL) *text_out = value->text;
  return value != NULL || refuse_member(history, object, member);
}

static bool take_number(const bench_history *history, const json_value *object, const char *member,
                        double *number_out) {
  const json_value *value = json_find(&history->document, object, member, JSON_NUMBER);
  if (value != NULL && value->number >= 0.0) *number_out = value->number;
  return (value != NULL && value->number >= 0.0) || refuse_member(history, object, member);
}

/* ---------------------------------------------------------------------------------------------- rows */

/* Writes nothing if the row has the usual value, or no such member. */
static size_t add_retired(const bench_history *history, const past_row *row, const retired_member *member, char *key,
                          size_t bytes) {
  const char *text = past_row_text(history, row, member->name);
  if (text[0] == '\0' || strcmp(text, member->usual) == 0) return 0;
  return (size_t)snprintf(key, bytes, "%s\n", text);
}

/* Identities are concatenated, each ended by a line break, which no name contains. */
static bool make_key(const bench_history *history, past_row *row) {
  char key[KEY_BYTES];
  size_t used = 0;
  for (const char *const *member = bench_record_identity; *member != NULL; member++) {
    const json_value *text = json_find(&history->document, row->value, *member, JSON_STRING);
    const json_value *number = json_find(&history->document, row->value, *member, JSON_NUMBER);
    if (text == NULL && number == NULL) return refuse_member(history, row->value, *member);
    used += (size_t)(text != NULL ? snprintf(key + used, sizeof key - used, "%s\n", text->text)
                                  : snprintf(key + used, sizeof key - used, "%.17g\n", number->number));
    if (used >= sizeof key) return refuse_member(history, row->value, *member);
  }
  for (const retired_member *member = bench_record_retired; member->name != NULL; member++) {
    used += add_retired(history, row, member, key + used, sizeof key - used);
    if (used >= sizeof key) return refuse_member(history, row->value, member->name);
  }
  row->key = malloc(used + 1);
  if (row->key == NULL) return decline("%s: out of memory", history->path);
  memcpy(row->key, key, used + 1);
  return true;
}

/* For a row of one pass: its medians, and the spread of its rounds, which is less than that between passes. */
static bool read_one_pass(const bench_history *history, const json_value *value, change_side *times) {
  double lower = 0.0, upper = 0.0;
  change_pass *const pass = &times->passes[0];
  times->count = 1;
  if (!take_number(history, value, "total_ms", &pass->wall_ms) ||
      !take_number(history, value, "processor_ms", &pass->processor_ms) ||
      !take_number(history, value, "yardstick_ms", &pass->yardstick_ms) ||
      !take_number(history, value, "lower_quartile_ms", &lower) ||
      !take_number(history, value, "upper_quartile_ms", &upper))
    return false;
  times->spread = fmax((upper - lower) / fmax(pass->wall_ms, clock_ms), least_spread);
  return true;
}

/* The member must be an array of numbers, as long as the others. */
static bool read_passes_of(const bench_history *history, const json_value *value, const char *member, size_t offset,
                           change_side *times) {
  const json_value *list = json_find(&history->document, value, member, JSON_ARRAY);
  if (list == NULL || list->count != times->count) return refuse_member(history, value, member);
  char *place = (char *)times->passes + offset;
  for (size_t i = list->first; i != 0; i = history->document.values[i].next, place += sizeof times->passes[0]) {
    const json_value *number = &history->document.values[i];
    if (number->kind != JSON_NUMBER || number->number < 0.0) return refuse_member(history, value, member);
    memcpy(place, &number->number, sizeof number->number);
  }
  return true;
}

static bool read_passes(const bench_history *history, const json_value *value, past_row *row) {
  static const char *const names[] = {"pass_total_ms", "pass_processor_ms", "pass_yardstick_ms"};
  static const size_t offsets[] = {offsetof(change_pass, wall_ms), offsetof(change_pass, processor_ms),
                                   offsetof(change_pass, yardstick_ms)};
  if (!read_one_pass(history, value, &row->times)) return false;
  const json_value *list = json_find(&history->document, value, names[0], JSON_ARRAY);
  if (list == NULL) return true;
  if (list->count == 0 || list->count > CHANGE_PASSES_MAX) return refuse_member(history, value, names[0]);
  row->times.count = list->count;
  double doubted = 0.0;
  for (size_t i = 0; i < 3; i++)
    if (!read_passes_of(history, value, names[i], offsets[i], &row->times)) return false;
  if (!take_number(history, value, "doubted_passes", &doubted)) return false;
  if (doubted >= (double)list->count) return refuse_member(history, value, "doubted_passes");
  row->doubted_passes = (size_t)doubted;
  return true;
}

static bool read_row(const bench_history *history, const json_value *value, past_row *row) {
  *row = (past_row){.value = value};
  if (!read_passes(history, value, row) || !take_text(history, value, "hash", &row->hash)) return false;
  row->on_device = strcmp(past_row_text(history, row, "backend"), "cpu") != 0;
  if (strlen(row->hash) != 16 || strspn(row->hash, "0123456789abcdef") != 16)
    return refuse_member(history, value, "hash");
  return make_key(history, row);
}

static bool read_rows(bench_history *history, const json_value *whole) {
  const json_value *list = json_find(&history->document, whole, "rows", JSON_ARRAY);
  if (list == NULL) return refuse_member(history, whole, "rows");
  history->rows = calloc(list->count + 1, sizeof *history->rows);
  if (history->rows == NULL) return decline("%s: out of memory", history->path);
  for (size_t i = list->first; i != 0; i = history->document.values[i].next)
    if (!read_row(history, &history->document.values[i], &history->rows[history->count++])) return false;
  return true;
}

/* ---------------------------------------------------------------------------------------------- the record */

static bool read_heading(bench_history *history, const json_value *whole) {
  const char *record = "";
  const json_value *machine = json_find(&history->document, whole, "machine", JSON_OBJECT);
  const json_value *complete = json_find(&history->document, whole, "complete", JSON_BOOLEAN);
  if (!take_text(history, whole, "record", &record)) return false;
  if (strcmp(record, "bench") != 0) return refuse_member(history, whole, "record");
  if (machine == NULL) return refuse_member(history, whole, "machine");
  if (complete == NULL) return refuse_member(history, whole, "complete");
  history->complete = complete->boolean;
  return take_text(history, whole, "commit", &history->commit) && take_text(history, whole, "date", &history->date) &&
         take_text(history, whole, "compiler", &history->compiler) &&
         take_text(history, whole, "flags", &history->flags) && take_text(history, whole, "device", &history->device) &&
         take_text(history, machine, "architecture", &history->architecture) &&
         take_text(history, machine, "processor", &history->processor) &&
         take_number(history, machine, "processors", &history->processors);
}

bool bench_history_read(const char *path, const char *bytes, size_t size, bench_history *history) {
  char message[MESSAGE_BYTES] = "";
  *history = (bench_history){.path = path};
  if (!json_read(bytes, size, &history->document, message, sizeof message)) return decline("%s:%s", path, message);
  const json_value *whole = &history->document.values[0];
  if (read_heading(history, whole) && read_rows(history, whole)) return true;
  bench_history_free(history);
  return false;
}

bool bench_history_read_file(const char *path, bench_history *history) {
  size_t size = 0;
  char *bytes = file_bytes_read(path, false, FILE_BYTES_MAX, "a record of graze bench", &size);
  const bool read = bytes != NULL && bench_history_read(path, bytes, size, history);
  free(bytes);
  return read;
}

void bench_history_free(bench_history *history) {
  for (size_t i = 0; i < history->count; i++) free(history->rows[i].key);
  free(history->rows);
  json_document_free(&history->document);
  *history = (bench_history){0};
}

const char *past_row_text(const bench_history *history, const past_row *row, const char *member) {
  const json_value *value = json_find(&history->document, row->value, member, JSON_STRING);
  return value != NULL ? value->text : "";
}

double past_row_number(const bench_history *history, const past_row *row, const char *member) {
  const json_value *value = json_find(&history->document, row->value, member, JSON_NUMBER);
  return value != NULL ? value->number : 0.0;
}
