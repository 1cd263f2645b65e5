/* `graze check --each`: a row for each file, as a table, CSV and JSON. Scripts read the latter two, so their formats
 * are stable.
 *
 * Workload: one to ten thousand files. If they exceed a screenful, those with most pairs are shown; --csv writes
 * all. */
#include "check_each.h"

#include "file_check.h"
#include "record_columns.h"

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

COLUMN_FINDER(find_verdict, const char *, file_check, verdict_of(row))
COLUMN_FINDER(find_kind, const char *, file_check, graze_kind_text(row->kind, 1))

/* Of files that were read, and of surfaces. */
enum { READ = COLUMN_OTHER, SURFACE = 2 * COLUMN_OTHER };

static const record_column file_columns[] = {
    COLUMN("file", file_check, file),
    COLUMN_FOUND_IN(COLUMN_JSON, "verdict", COLUMN_TEXT, find_verdict),
    COLUMN_IN(COLUMN_JSON, "trouble", file_check, trouble),
    COLUMN_FOUND_IN(COLUMN_JSON | READ, "kind", COLUMN_TEXT, find_kind),
    COLUMN_IN(COLUMN_JSON | READ, "vertices", file_check, vertex_count),
    COLUMN_IN(COLUMN_JSON | READ, "primitives", file_check, primitive_count),
    COLUMN_IN(COLUMN_JSON | READ, "skipped", file_check, skipped),
    COLUMN_IN(COLUMN_CSV | SURFACE, "triangles", file_check, triangle_count),
    COLUMN_IN(READ, "pairs", file_check, pair_count),
    COLUMN_IN(READ, "clashes", file_check, region_count),
    COLUMN_AS(COLUMN_JSON | READ, "hash", COLUMN_HASH, file_check, hash),
    COLUMN_IN(COLUMN_JSON | SURFACE, "triangles", file_check, triangle_count),
    COLUMN_IN(SURFACE, "open_edges", file_check, defects.open_edges),
    COLUMN_IN(SURFACE, "non_manifold_edges", file_check, defects.non_manifold_edges),
    COLUMN_IN(SURFACE, "zero_area_triangles", file_check, defects.zero_area_triangles),
    COLUMN_IN(SURFACE, "duplicate_triangles", file_check, defects.duplicate_triangles),
    COLUMN_IN(COLUMN_CSV | READ, "skipped", file_check, skipped),
    {0}};

static const record_column time_columns[] = {
    COLUMN("reading", file_check, reading_ms), COLUMN("checking", file_check, checking_ms), {0}};

static unsigned known_of(const file_check *check) {
  return check->trouble != NULL ? 0u : check->is_surface ? READ | SURFACE : READ;
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
  columns_write_header(file_columns, READ | SURFACE, stream);
  fputs(",verdict\n", stream);
  for (size_t i = 0; i < outcome->count; i++) {
    columns_write_cells(file_columns, READ | SURFACE, known_of(&outcome->checks[i]), &outcome->checks[i], stream);
    csv_verdict(&outcome->checks[i], stream);
    fputc('\n', stream);
  }
}

static void write_json(const each_outcome *outcome, FILE *stream) {
  json_writer json = record_begin("check_each", stream);
  json_key_array(&json, "files");
  for (size_t i = 0; i < outcome->count; i++) {
    const file_check *check = &outcome->checks[i];
    json_break_line(&json);
    json_begin_object(&json);
    columns_write_members(file_columns, known_of(check), check, &json);
    json_key_object(&json, "timings_ms");
    columns_write_members(time_columns, 0, check, &json);
    json_end_object(&json);
    json_end_object(&json);
  }
  json_end_array(&json);
  record_end(&json);
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
  for (size_t i = 0; rows != NULL && i < outcome->count; i++)
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
  for (size_t i = 0; i < count && i < ROWS_SHOWN; i++) write_row(rows[i], screen);
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
  for (size_t i = 0; i < outcome->count; i++) {
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
    for (size_t i = 0; i < files->count; i++) {
      outcome.failed_count += checks[i].trouble != NULL;
      outcome.intersecting_count += checks[i].trouble == NULL && checks[i].pair_count > 0;
    }
    code = report_outcome(&outcome);
  }
  file_check_release(checks, files->count);
  return code;
}
