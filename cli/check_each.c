/* `graze check --each`: a row for each file, as a table, CSV and JSON. Scripts read the latter two, so their formats
 * are stable.
 *
 * Workload: one to ten thousand files. If they exceed a screenful, those with most pairs are shown; --csv writes
 * all. */
#include "check_each.h"

#include "csv_text.h"
#include "file_check.h"
#include "json_record.h"

#include "graze/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 40 };

typedef struct each_outcome {
  const check_options *options;
  const file_check *checks;
  size_t count, failed_count, intersecting_count;
  double total_ms;
} each_outcome;

static const char *verdict_of(const file_check *check) {
  if (check->trouble != NULL) return "unreadable";
  return check->pair_count > 0 ? "intersects" : "does not intersect";
}

/* ---------------------------------------------------------------------------------------------- records */

/* Numbers of a surface, for JSON and CSV. */
#define SURFACE_LIST(X)                                                                                                \
  X(open_edges)                                                                                                        \
  X(non_manifold_edges)                                                                                                \
  X(zero_area_triangles)                                                                                               \
  X(duplicate_triangles)

static void csv_number(bool known, uint64_t number, FILE *stream) {
  fputc(',', stream);
  if (known) write_digits(stream, number);
}

static void csv_verdict(const file_check *check, FILE *stream) {
  fputc(',', stream);
  const char *parts[] = {verdict_of(check), ": ", check->trouble};
  if (check->trouble == NULL) {
    csv_write_text(parts[0], stream);
    return;
  }
  const size_t room = strlen(parts[0]) + strlen(parts[1]) + strlen(parts[2]) + 1;
  char *whole = malloc(room);
  if (whole != NULL) snprintf(whole, room, "%s%s%s", parts[0], parts[1], parts[2]);
  csv_write_text(whole != NULL ? whole : parts[0], stream);
  free(whole);
}

/* A cell without a number is empty: for unreadable files, and for surface columns of solids. */
static void write_csv(const each_outcome *outcome, FILE *stream) {
#define WRITE_HEADER(name) "," #name
  fputs("file,triangles,pairs,clashes" SURFACE_LIST(WRITE_HEADER) ",skipped,verdict\n", stream);
#undef WRITE_HEADER
  for (size_t i = 0; i < outcome->count; ++i) {
    const file_check *check = &outcome->checks[i];
    const bool read = check->trouble == NULL;
    csv_write_text(check->file, stream);
    csv_number(read && check->is_surface, check->triangle_count, stream);
    csv_number(read, check->pair_count, stream);
    csv_number(read, check->region_count, stream);
#define WRITE_CSV(name) csv_number(read && check->is_surface, check->defects.name, stream);
    SURFACE_LIST(WRITE_CSV)
#undef WRITE_CSV
    csv_number(read, check->skipped, stream);
    csv_verdict(check, stream);
    fputc('\n', stream);
  }
}

static void write_number(const char *key, uint64_t number, json_writer *json) {
  json_key(json, key);
  json_unsigned(json, number);
}

static void write_text(const char *key, const char *text, json_writer *json) {
  json_key(json, key);
  json_string(json, text);
}

static void write_numbers(const file_check *check, json_writer *json) {
  char hash[24];
  snprintf(hash, sizeof hash, "%016" PRIx64, check->hash);
  write_text("kind", graze_kind_text(check->kind, 1), json);
  write_number("vertices", check->vertex_count, json);
  write_number("primitives", check->primitive_count, json);
  write_number("skipped", check->skipped, json);
  write_number("pairs", check->pair_count, json);
  write_number("clashes", check->region_count, json);
  write_text("hash", hash, json);
  if (!check->is_surface) return;
  write_number("triangles", check->triangle_count, json);
#define WRITE_JSON(name) write_number(#name, check->defects.name, json);
  SURFACE_LIST(WRITE_JSON)
#undef WRITE_JSON
}

static void write_json(const each_outcome *outcome, FILE *stream) {
  json_writer json = {.stream = stream};
  json_begin_record(&json, "check_each");
  json_key(&json, "files");
  json_begin_array(&json);
  for (size_t i = 0; i < outcome->count; ++i) {
    const file_check *check = &outcome->checks[i];
    json_break_line(&json);
    json_begin_object(&json);
    write_text("file", check->file, &json);
    write_text("verdict", verdict_of(check), &json);
    if (check->trouble != NULL)
      write_text("trouble", check->trouble, &json);
    else
      write_numbers(check, &json);
    json_key(&json, "timings_ms");
    json_begin_object(&json);
    json_key(&json, "reading");
    json_double(&json, check->reading_ms);
    json_key(&json, "checking");
    json_double(&json, check->checking_ms);
    json_end_object(&json);
    json_end_object(&json);
  }
  json_end_array(&json);
  json_end_object(&json);
  fputc('\n', stream);
}

/* ---------------------------------------------------------------------------------------------- words */

static void write_verdict(const each_outcome *outcome, const console *screen) {
  FILE *stream = screen->stream;
  const size_t bad = outcome->intersecting_count, failed = outcome->failed_count;
  console_begin(screen, bad + failed == 0 ? TINT_GOOD : TINT_BAD);
  if (failed == outcome->count)
    fputs("No file was checked", stream);
  else if (bad == 0)
    fprintf(stream, "None of %s intersects itself", counted(outcome->count - failed, "file").text);
  else
    fprintf(stream, "%s of %s %s", grouped_number(bad).text, counted(outcome->count - failed, "file").text,
            bad == 1 ? "intersects itself" : "intersect themselves");
  if (failed > 0) fprintf(stream, "; %s could not be checked", counted(failed, "file").text);
  console_end(screen);
  fprintf(stream, " (%s).\n", spelled_duration(outcome->total_ms).text);
}

static int by_pairs(const void *a, const void *b) {
  const file_check *p = *(const file_check *const *)a, *q = *(const file_check *const *)b;
  if (p->pair_count != q->pair_count) return p->pair_count > q->pair_count ? -1 : 1;
  return p < q ? -1 : p > q;
}

static void write_cell(bool known, uint64_t number, int width, FILE *stream) {
  fprintf(stream, "  %*s", width, known ? grouped_number(number).text : "-");
}

static void write_row(const file_check *check, const console *screen) {
  FILE *stream = screen->stream;
  const bool surface = check->is_surface;
  write_cell(true, check->primitive_count, 11, stream);
  fprintf(stream, "  %-10s", graze_kind_text(check->kind, 2));
  write_cell(true, check->skipped, 7, stream);
  write_cell(true, check->pair_count, 11, stream);
  write_cell(true, check->region_count, 7, stream);
  write_cell(surface, check->defects.open_edges, 10, stream);
  write_cell(surface, check->defects.non_manifold_edges, 12, stream);
  write_cell(surface, check->defects.zero_area_triangles, 9, stream);
  write_cell(surface, check->defects.duplicate_triangles, 10, stream);
  fputs("  ", stream);
  console_begin(screen, check->pair_count == 0 ? TINT_GOOD : TINT_BAD);
  write_harmless(stream, check->file);
  console_end(screen);
  fputc('\n', stream);
}

static void write_rows(const each_outcome *outcome, const console *screen) {
  const file_check **rows = calloc(outcome->count + 1, sizeof *rows);
  size_t count = 0;
  for (size_t i = 0; rows != NULL && i < outcome->count; ++i)
    if (outcome->checks[i].trouble == NULL) rows[count++] = &outcome->checks[i];
  const bool many = count > ROWS_SHOWN;
  if (many) qsort(rows, count, sizeof *rows, by_pairs);
  if (count > 0) {
    console_begin(screen, TINT_HEADING);
    fputs("\n   primitives  kind        skipped        pairs  clashes  open edges  non-manifold  zero area  duplicates "
          " file\n",
          screen->stream);
    console_end(screen);
  }
  for (size_t i = 0; i < count && i < ROWS_SHOWN; ++i) write_row(rows[i], screen);
  if (many)
    fprintf(screen->stream, "and %s with as many pairs or fewer%s\n", counted(count - ROWS_SHOWN, "file").text,
            outcome->options->csv == NULL ? "; --csv FILE lists them all" : "");
  free(rows);
}

/* ---------------------------------------------------------------------------------------------- the run */

static bool write_output(const void *outcome, size_t output, const output_file *file) {
  (output == CHECK_JSON ? write_json : write_csv)(outcome, file->stream);
  return true;
}

static void name_troubles(const each_outcome *outcome) {
  for (size_t i = 0; i < outcome->count; ++i) {
    const file_check *check = &outcome->checks[i];
    if (check->note != NULL && !outcome->options->quiet) remark("%s: %s", check->file, check->note);
    if (check->trouble != NULL) complain("%s: %s", check->file, check->trouble);
  }
}

static exit_code report_outcome(const each_outcome *outcome) {
  const check_options *options = outcome->options;
  name_troubles(outcome);
  named_output outputs[CHECK_OUTPUTS];
  check_options_list_outputs(options, outputs);
  if (!outputs_write(outputs, CHECK_OUTPUTS, write_output, outcome)) return EXIT_CODE_TROUBLE;
  const bool taken = outputs_take_standard_output(outputs, CHECK_OUTPUTS);
  if (!options->quiet) {
    const console screen = console_on(taken ? stderr : stdout);
    write_verdict(outcome, &screen);
    write_rows(outcome, &screen);
  }
  if (finish_standard_output() != EXIT_CODE_NOTHING || outcome->failed_count > 0) return EXIT_CODE_TROUBLE;
  return outcome->intersecting_count > 0 ? EXIT_CODE_SOMETHING : EXIT_CODE_NOTHING;
}

exit_code check_each_file(const check_options *options) {
  if (!backend_is_available(&options->search.scene)) return EXIT_CODE_TROUBLE;
  progress steps = progress_start(options->quiet);
  const mesh_read_options how = {.allow_large = options->allow_large};
  const mesh_file_list *files = &options->inputs;
  const double start = clock_milliseconds();
  file_check *checks = NULL;
  exit_code code = EXIT_CODE_TROUBLE;
  if (file_check_all(files, &how, &options->search, &steps, &checks)) {
    each_outcome outcome = {
        .options = options, .checks = checks, .count = files->count, .total_ms = clock_milliseconds() - start};
    for (size_t i = 0; i < files->count; ++i) {
      outcome.failed_count += checks[i].trouble != NULL;
      outcome.intersecting_count += checks[i].trouble == NULL && checks[i].pair_count > 0;
    }
    code = report_outcome(&outcome);
  }
  file_check_release(checks, files->count);
  return code;
}
