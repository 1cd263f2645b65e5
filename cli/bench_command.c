/* `graze bench`: measures graze on built-in scenes and real meshes, writes the results, and compares them with an
 * earlier record. */
#include "bench_command.h"

#include "bench_compare.h"
#include "bench_records.h"
#include "interruption.h"
#include "output_file.h"
#include "progress.h"

#include "graze/cuda.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 512, TIMES_AGAIN = 3 };

static exit_code run_bench(const command *self, int argument_count, char **arguments);

const command bench_command = {
    .name = "bench",
    .summary = "measure the speed of graze on this machine",
    .synopsis = "[options] [--compare OLD.json [NEW.json]]",
    .description = "Measures scenes x methods x backends x threads x sizes. Each row has the number of pairs and\n"
                   "the hash of the list, which must be equal in all rows of a scene. Calls are interleaved: a\n"
                   "round visits each row of a scene once. Times are medians; the spread is the interquartile\n"
                   "range in percent of the median. The variable GRAZE_DATA names a folder of real meshes; without\n"
                   "it only built-in models run. Ctrl-C ends a run; the rows measured so far are written.\n"
                   "\n"
                   "Exit status: 0 if everything was measured; 1 if --compare found a slower row or a different\n"
                   "hash; 2 on an error; 130 after Ctrl-C.\n",
    .options = bench_option_table,
    .write_more = bench_options_write_names,
    .examples = "  graze bench --scene rods --size 4000 --rounds 3\n"
                "  graze bench --scene self-blobs,between-knots --size 5000,20000 --method grid,tree --rounds 3\n"
                "  graze bench --scene between-knots --size 10000 --threads 1,2,4 --csv rows.csv\n"
                "  graze bench --scene folded-cloth --size 4000 --method grid --rounds 3 --json cloth.json\n"
                "  graze bench --scene folded-cloth --size 4000 --rounds 3 --report cloth.html\n"
                "  graze bench --compare cloth.json cloth.json\n"
                "  graze bench --quick --table passes --rounds 1 --threads 1\n"
                "  graze bench --quick --suite rigid --scene gear --share 2 --rounds 1\n",
    .run = run_bench,
};

/* ---------------------------------------------------------------------------------------------- where words go */

/* Tables are written to stdout, or to stderr if a record is written to stdout, or nowhere with --quiet. `stdout_was` is
 * a copy of the original stdout. */
typedef struct words_way {
  int stdout_was;
} words_way;

static bool writes_to_output(const bench_options *options) {
  return is_standard_output(options->csv) || is_standard_output(options->json);
}

static bool turn_words(const bench_options *options, words_way *way) {
  *way = (words_way){-1};
  if (!writes_to_output(options) && !options->quiet) return true;
  const int other = options->quiet ? open("/dev/null", O_WRONLY) : dup(STDERR_FILENO);
  way->stdout_was = dup(STDOUT_FILENO);
  const bool turned = other >= 0 && way->stdout_was >= 0 && dup2(other, STDOUT_FILENO) >= 0;
  if (!turned) complain("standard output: %s", strerror(errno));
  if (other >= 0) close(other);
  return turned;
}

static void turn_words_back(words_way *way) {
  fflush(stdout);
  if (way->stdout_was < 0) return;
  dup2(way->stdout_was, STDOUT_FILENO);
  close(way->stdout_was);
  way->stdout_was = -1;
}

/* ---------------------------------------------------------------------------------------------- records */

enum { RECORD_CSV, RECORD_JSON, RECORD_PAGE, RECORD_FORMS };

static const char *record_path(const bench_options *options, int form) {
  return form == RECORD_CSV ? options->csv : form == RECORD_JSON ? options->json : options->report;
}

/* False after a complaint; errors of the stream are left to its owner. */
static bool write_record(const bench_output *out, int form, bool complete, FILE *stream) {
  if (form == RECORD_PAGE) return bench_records_write_page(out, complete, stream);
  if (form == RECORD_JSON)
    bench_records_write_json(out, complete, stream);
  else
    bench_records_write_csv(out, stream);
  return true;
}

/* Files are opened before the run, so that an unwritable path fails at once. */
static bool open_records(const bench_options *options, output_file files[RECORD_FORMS]) {
  for (int form = 0; form < RECORD_FORMS; form++) {
    const char *path = record_path(options, form);
    if (path != NULL && !is_standard_output(path) && !output_file_open(&files[form], path)) return false;
  }
  return true;
}

static bool close_record(const bench_output *out, const char *path, output_file *file, int form, bool complete) {
  if (path == NULL) return true;
  if (is_standard_output(path))
    return write_record(out, form, complete, stdout) && finish_standard_output() == EXIT_CODE_NOTHING;
  return write_record(out, form, complete, file->stream) && output_file_close(file) && output_file_publish(file);
}

/* ---------------------------------------------------------------------------------------------- the run */

static void draw_progress(void *context, const char *table, const char *what, double part) {
  progress *steps = context;
  if (what != NULL)
    progress_measuring(steps, table, what, part);
  else
    progress_bar_done(steps);
}

/* Commas separate the columns of a record, so they are replaced. */
static bool describe_device(const bench_settings *settings, bench_output *out) {
  for (size_t i = 0; i < settings->backend_count; i++) {
    const bench_backend *backend = &settings->backends[i];
    if (!bench_backend_has_devices(backend)) continue;
    char words[256];
    for (size_t k = 0; k < backend->device_count || k == 0; k++)
      if (graze_cuda_describe(backend->devices[k], words, sizeof words) != GRAZE_OK)
        return decline("--backend %s: %s", backend->name, words);
    for (char *c = words; *c != '\0'; c++)
      if (*c == ',') *c = ';';
    char several[32] = "";
    if (backend->device_count > 1) snprintf(several, sizeof several, "%zu times ", backend->device_count);
    snprintf(out->device, sizeof out->device, "%s%.*s", several, (int)(sizeof out->device - sizeof several), words);
  }
  return true;
}

static void print_heading(const bench_options *options, const bench_output *out) {
  const bench_record *record = &out->record;
  printf("graze %s, commit %s, %s %s\n%s; %s%s%s", graze_version(), record->commit, record->compiler, record->flags,
         record->date, record->machine, out->device[0] != '\0' ? "; " : "", out->device);
  if (options->suite == BENCH_NO_SUITE)
    printf("; medians of %zu interleaved rounds%s", options->settings.rounds,
           options->settings.least_ms > 0.0 ? " or more" : "");
  if (options->suite == BENCH_NO_SUITE && options->settings.passes > 1)
    printf(" in %zu passes", options->settings.passes);
  fputc('\n', stdout);
}

static bench_ending measure_all(const bench_options *options, const bench_settings *settings, bench_output *out,
                                char *message, size_t message_bytes) {
  return options->suite == BENCH_NO_SUITE
             ? bench_run(settings, out, message, message_bytes)
             : bench_suite_run((size_t)options->suite, settings, out, message, message_bytes);
}

static bench_ending measure_doubted(const bench_options *options, const bench_settings *settings, bench_output *out,
                                    char *message, size_t message_bytes) {
  (void)options;
  return bench_run_doubted(settings, out, message, message_bytes);
}

/* With a progress bar, and until Ctrl-C. */
static bench_ending measure_suites(const bench_options *options, bench_output *out, bench_measuring *run) {
  char message[MESSAGE_BYTES] = "";
  progress steps = progress_start(options->quiet);
  bench_watch watch = {.should_stop = interruption_came, .report = draw_progress, .context = &steps};
  bench_settings settings = options->settings;
  settings.watch = &watch;
  interruption_watch();
  const bench_ending ending = run(options, &settings, out, message, sizeof message);
  progress_bar_done(&steps);
  if (ending == BENCH_FAILED) complain("%s", message);
  return ending;
}

/* ---------------------------------------------------------------------------------------------- comparing */

/* Converts the rows of this run by way of their record, so that both sides of the comparison are read alike. False
 * after a complaint. */
static bool read_run(const bench_output *out, bool complete, bench_history *fresh_out) {
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (memory != NULL) bench_records_write_json(out, complete, memory);
  const bool written = memory != NULL && fclose(memory) == 0;
  if (!written) complain("out of memory");
  const bool read = written && bench_history_read("this run", text, size, fresh_out);
  free(text);
  return read;
}

static exit_code compare_with_run(const bench_history *old, const bench_output *out, bool complete, FILE *stream) {
  bench_history fresh;
  if (!read_run(out, complete, &fresh)) return EXIT_CODE_TROUBLE;
  const exit_code code = bench_compare(old, &fresh, stream);
  bench_history_free(&fresh);
  return code;
}

/* Marks lines whose rows are in doubt; false after a complaint. */
static bool mark_doubted(const bench_history *old, bench_output *out, size_t *count_out) {
  bench_history fresh;
  bool *const doubted = calloc(out->lines.count + 1, sizeof *doubted);
  if (doubted == NULL) complain("out of memory");
  bool good = doubted != NULL && read_run(out, true, &fresh);
  if (good) {
    good = bench_compare_doubts(old, &fresh, doubted, count_out);
    bench_history_free(&fresh);
  }
  for (size_t i = 0; i < out->lines.count && good; i++) out->lines.lines[i].doubted = doubted[i];
  free(doubted);
  return good;
}

/* Rows that seem to have changed are measured some more times before they are reported. */
static bench_ending settle_doubts(const bench_options *options, const bench_history *old, bench_output *out) {
  size_t count = 0;
  if (!mark_doubted(old, out, &count)) return BENCH_FAILED;
  bench_ending ending = BENCH_DONE;
  for (size_t i = 0; i < TIMES_AGAIN && count > 0 && ending == BENCH_DONE; i++)
    ending = measure_suites(options, out, measure_doubted);
  return ending;
}

static exit_code compare_files(const bench_options *options) {
  bench_history old, fresh;
  if (!bench_history_read_file(options->old_path, &old)) return EXIT_CODE_TROUBLE;
  exit_code code = EXIT_CODE_TROUBLE;
  if (bench_history_read_file(options->new_path, &fresh)) {
    code = bench_compare(&old, &fresh, stdout);
    bench_history_free(&fresh);
  }
  bench_history_free(&old);
  const exit_code reported = finish_standard_output();
  return reported == EXIT_CODE_NOTHING ? code : reported;
}

/* However the run ends, the rows measured so far are written. */
static bool write_records(const bench_options *options, const bench_output *out, bool complete,
                          output_file files[RECORD_FORMS]) {
  bool written = true;
  for (int form = 0; form < RECORD_FORMS; form++)
    written = close_record(out, record_path(options, form), &files[form], form, complete) && written;
  return written;
}

static exit_code report_stop(const bench_options *options, const bench_output *out) {
  const bool written = options->csv != NULL || options->json != NULL || options->report != NULL;
  if (options->suite != BENCH_NO_SUITE)
    complain("stopped");
  else
    complain("stopped; %zu rows were measured%s", out->lines.count, written ? " and written" : "");
  return EXIT_CODE_STOPPED;
}

static exit_code finish_record(const bench_options *options, const bench_history *old, bench_output *out,
                               bench_ending ending, output_file files[RECORD_FORMS]) {
  const bool complete = ending == BENCH_DONE;
  if (ending == BENCH_FAILED && out->lines.count == 0) return EXIT_CODE_TROUBLE;
  if (!write_records(options, out, complete, files) || ending == BENCH_FAILED) return EXIT_CODE_TROUBLE;
  exit_code code = EXIT_CODE_NOTHING;
  if (old != NULL) code = compare_with_run(old, out, complete, writes_to_output(options) ? stderr : stdout);
  if (!complete) return report_stop(options, out);
  return finish_standard_output() == EXIT_CODE_NOTHING ? code : EXIT_CODE_TROUBLE;
}

/* Tables of repeated measurements are not printed. */
static bench_ending settle_quietly(const bench_options *options, const bench_history *old, bench_output *out) {
  bench_options quiet = *options;
  words_way way;
  quiet.quiet = true;
  if (!turn_words(&quiet, &way)) return BENCH_FAILED;
  const bench_ending ending = settle_doubts(options, old, out);
  turn_words_back(&way);
  return ending;
}

static exit_code bench_and_report(const bench_options *options, const bench_history *old, bench_measuring *run) {
  bench_output out = {0};
  output_file files[RECORD_FORMS] = {{0}, {0}, {0}};
  words_way way;
  bench_record_fill(&out.record);
  exit_code code = EXIT_CODE_TROUBLE;
  if (describe_device(&options->settings, &out) && open_records(options, files) && turn_words(options, &way)) {
    print_heading(options, &out);
    bench_ending ending = measure_suites(options, &out, run);
    turn_words_back(&way);
    if (ending == BENCH_DONE && old != NULL) ending = settle_quietly(options, old, &out);
    code = finish_record(options, old, &out, ending, files);
  }
  for (size_t i = 0; i < RECORD_FORMS; i++) output_file_discard(&files[i]);
  bench_lines_free(&out.lines);
  return code;
}

exit_code bench_measure_and_write(const bench_options *options, bench_measuring *run) {
  return bench_and_report(options, NULL, run);
}

/* The old record is read first, so that an unreadable record fails before the run. */
static exit_code bench_and_compare(const bench_options *options) {
  bench_history old;
  if (!bench_history_read_file(options->old_path, &old)) return EXIT_CODE_TROUBLE;
  const exit_code code = bench_and_report(options, &old, measure_all);
  bench_history_free(&old);
  return code;
}

static exit_code run_bench(const command *self, int argument_count, char **arguments) {
  bench_options options;
  const options_state state = bench_options_read(self, argument_count, arguments, &options);
  return state != OPTIONS_READY     ? command_end(state)
         : options.new_path != NULL ? compare_files(&options)
         : options.old_path != NULL ? bench_and_compare(&options)
                                    : bench_and_report(&options, NULL, measure_all);
}
