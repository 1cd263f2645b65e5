/* The options of `graze bench`: the table, the reading of lists, and the check of combinations. */
#include "bench_options.h"

#include "output_file.h"
#include "page_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  LIST_THREADS_MOST = 1024,
  SIZE_MOST = 100000000,
  DEFAULT_ROUNDS = 5,
  DEFAULT_LEAST_MS = 1000,
  RECORD_PASSES = 5,
  PASSES_MOST = BENCH_PASSES_MAX / 2, /* as many again if rows are in doubt */
  DEFAULT_SHARE = 16
};

/* ---------------------------------------------------------------------------------------------- lists */

static int its_number(size_t number) {
  return (int)number;
}

bool bench_read_words(const command_option *option, char *value, void *member) {
  bench_words *words = member;
  words->count = 0;
  for (char *at = value; at != NULL;) {
    char *const comma = strchr(at, ',');
    if (comma != NULL) *comma = '\0';
    if (at[0] == '\0' || words->count == BENCH_WORDS_MAX)
      return decline(at[0] == '\0' ? "--%s takes words separated by commas, none of them empty"
                                   : "--%s takes at most 16 words",
                     option->name);
    words->words[words->count++] = at;
    at = comma != NULL ? comma + 1 : NULL;
  }
  return true;
}

/* The tables, and "all". */
static size_t table_choice_count(void) {
  return 1 + bench_list_count();
}
static const char *table_choice(size_t number) {
  return number == 0 ? "all" : bench_list_name(number - 1);
}

static bool read_tables(const command_option *option, char *value, void *member) {
  static const name_list names = {table_choice_count, table_choice, its_number};
  bench_settings *settings = member;
  if (!bench_read_words(option, value, &settings->tables)) return false;
  for (size_t i = 0; i < settings->tables.count; i++) {
    int number = 0;
    if (!read_choice(option->name, settings->tables.words[i], &names, &number)) return false;
    settings->all_tables = settings->all_tables || number == 0;
  }
  return true;
}

static bool read_suite(const command_option *option, char *value, void *member) {
  static const name_list names = {bench_suite_count, bench_suite_name, its_number};
  return read_choice(option->name, value, &names, member);
}

static bool read_methods(const command_option *option, char *value, void *member) {
  bench_words *methods = member;
  if (!bench_read_words(option, value, methods)) return false;
  for (size_t i = 0; i < methods->count; i++)
    if (!read_method(option->name, methods->words[i])) return false;
  return true;
}

bool bench_read_backends(const command_option *option, char *value, void *member) {
  bench_settings *settings = member;
  bench_words words;
  if (!bench_read_words(option, value, &words)) return false;
  settings->backend_count = 0;
  for (size_t i = 0; i < words.count && i < BENCH_BACKENDS_MAX; i++) {
    int number;
    if (!read_enumeration(option->name, words.words[i], GRAZE_ENUMERATION_BACKEND, &number)) return false;
    settings->backends[settings->backend_count++].name = graze_enumeration_name(GRAZE_ENUMERATION_BACKEND, number);
  }
  return true;
}

bool bench_read_devices(const command_option *option, char *value, void *member) {
  bench_settings *settings = member;
  return read_device_list(option->name, value, settings->devices, &settings->device_count);
}

/* Numbers from 1 to `most`, separated by commas. */
static bool read_numbers(const command_option *option, char *value, uint64_t most,
                         uint64_t numbers_out[BENCH_WORDS_MAX], size_t *count_out) {
  bench_words words;
  if (!bench_read_words(option, value, &words)) return false;
  for (size_t i = 0; i < words.count; i++)
    if (!read_whole_number(option->name, words.words[i], 1, most, &numbers_out[i])) return false;
  *count_out = words.count;
  return true;
}

bool bench_read_threads(const command_option *option, char *value, void *member) {
  bench_settings *settings = member;
  uint64_t numbers[BENCH_WORDS_MAX];
  if (!read_numbers(option, value, LIST_THREADS_MOST, numbers, &settings->thread_count_count)) return false;
  for (size_t i = 0; i < settings->thread_count_count; i++) settings->threads[i] = (uint32_t)numbers[i];
  return true;
}

bool bench_read_sizes(const command_option *option, char *value, void *member) {
  bench_settings *settings = member;
  uint64_t numbers[BENCH_WORDS_MAX];
  if (!read_numbers(option, value, SIZE_MOST, numbers, &settings->size_count)) return false;
  for (size_t i = 0; i < settings->size_count; i++) settings->sizes[i] = (size_t)numbers[i];
  return true;
}

static size_t approach_count(void) {
  return 2;
}
static const char *approach_name(size_t number) {
  return number == CONFIGURATION_SPHERE ? "sphere" : "grid";
}

static bool read_approach(const command_option *option, char *value, void *member) {
  static const name_list names = {approach_count, approach_name, its_number};
  int number = 0;
  if (!read_choice(option->name, value, &names, &number)) return false;
  *(configuration_method *)member = (configuration_method)number;
  return true;
}

bool bench_read_rounds(const command_option *option, char *value, void *member) {
  bench_settings *settings = member;
  uint64_t number = 0;
  if (!read_whole_number(option->name, value, 1, BENCH_ROUNDS_MAX, &number)) return false;
  settings->rounds = (size_t)number;
  settings->least_ms = 0.0;
  return true;
}

static bool has_rows_written(const bench_options *options) {
  return options->csv != NULL || options->json != NULL || options->report != NULL;
}

static const char *option_of_rows(const bench_options *options) {
  return options->csv != NULL ? "csv" : options->json != NULL ? "json" : "report";
}

/* Records are compared by passes; without a record, rows are printed as soon as they are measured. */
static void choose_passes(bench_options *options) {
  bench_settings *settings = &options->settings;
  const bool is_record = has_rows_written(options) || options->old_path != NULL;
  if (settings->passes > 0) return;
  settings->passes = !is_record ? 1 : settings->rounds < RECORD_PASSES ? settings->rounds : RECORD_PASSES;
}

/* ---------------------------------------------------------------------------------------------- options */

const command_option bench_option_table[] = {
    {"table", 0, "LIST", OPTION_USUAL, OPTION_READ(read_tables, bench_options, settings),
     "tables to run, or all (default scenes)"},
    {"suite", 0, "NAME", OPTION_USUAL, OPTION_READ(read_suite, bench_options, suite),
     "run a benchmark from the literature instead of tables"},
    {"scene", 0, "LIST", OPTION_USUAL, OPTION_READ(bench_read_words, bench_options, settings.scenes),
     "scenes whose name contains one of the words"},
    {"size", 0, "LIST", OPTION_USUAL, OPTION_READ(bench_read_sizes, bench_options, settings),
     "numbers of triangles of built-in scenes, such as 10000,100000"},
    {"method", 0, "LIST", OPTION_USUAL, OPTION_READ(read_methods, bench_options, settings.methods),
     "methods (default: all; brute only for small scenes; grid on a device)"},
    {"backend", 0, "LIST", OPTION_USUAL, OPTION_READ(bench_read_backends, bench_options, settings),
     "cpu (default), cuda, or both; cuda measures a frame with new positions"},
    {"device", 0, "LIST", OPTION_MACHINE, OPTION_READ(bench_read_devices, bench_options, settings),
     "CUDA device, or devices that share a scene (default 0)"},
    {"threads", 0, "LIST", OPTION_MACHINE, OPTION_READ(bench_read_threads, bench_options, settings),
     "numbers of threads (default 1,2)"},
    {"rounds", 0, "N", OPTION_USUAL, OPTION_READ(bench_read_rounds, bench_options, settings),
     "timed rounds (default 5; more for short scenes, one second in all)"},
    {"passes", 0, "N", OPTION_RESEARCH, OPTION_SIZE(bench_options, settings.passes, 1, PASSES_MOST),
     "divide the rounds of the scenes into this number of passes over all of\n"
     "them (default 1; for records the number of rounds, at most 5)"},
    {"quick", 0, NULL, OPTION_USUAL, OPTION_FLAG(bench_options, settings.quick),
     "scenes at a tenth of their size, files of at most 100,000 triangles"},
    {"csv", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(bench_options, csv), "write the rows as CSV; - is standard output"},
    {"json", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(bench_options, json),
     "write the rows and the environment as JSON; - is standard output"},
    {"compare", 0, "OLD.json", OPTION_USUAL, OPTION_TEXT(bench_options, old_path),
     "report rows that are slower or faster than in that record beyond noise;\n"
     "with a second record nothing is measured"},
    {"report", 0, "FILE.html", OPTION_OUTPUT, OPTION_TEXT(bench_options, report),
     "write a page with the rows as bars and tables for any browser"},
    {"figures", 0, "FOLDER", OPTION_OUTPUT, OPTION_TEXT(bench_options, settings.figures),
     "write the drawings of tables and suites as SVG; created if missing"},
    {"folder", 0, "FOLDER", OPTION_RESEARCH, OPTION_TEXT(bench_options, settings.folder),
     "folder for the file of the table reading (default .)"},
    {"share", 0, "N", OPTION_RESEARCH, OPTION_U64(bench_options, settings.suite.share, 1, BENCH_SHARE_MOST),
     "suite rigid: number of paths for distances and for volumes (default 16)"},
    {"all", 0, NULL, OPTION_RESEARCH, OPTION_FLAG(bench_options, settings.suite.all),
     "suite rigid: all paths; takes days"},
    {"seed", 0, "N", OPTION_RESEARCH, OPTION_U64(bench_options, settings.suite.seed, 0, UINT64_MAX),
     "suite rigid: seed of the share (default 1)"},
    {"approach", 0, "NAME", OPTION_RESEARCH, OPTION_READ(read_approach, bench_options, settings.suite.method),
     "suite rigid: from a sphere (default) or from cells of a grid"},
    {"configurations", 0, "FILE", OPTION_RESEARCH, OPTION_TEXT(bench_options, settings.suite.configurations),
     "suite rigid: read the poses from this file, or write them if it is missing"},
    {"quiet", 'q', NULL, OPTION_USUAL, OPTION_FLAG(bench_options, quiet),
     "print no tables; requested files are still written"},
    HELP_OPTION_ROW,
    {0},
};

static bool device_makes_sense(bench_settings *settings) {
  bool has_devices = false;
  for (size_t i = 0; i < settings->backend_count; i++) {
    has_devices = has_devices || bench_backend_has_devices(&settings->backends[i]);
    settings->backends[i].device_count = settings->device_count;
    memcpy(settings->backends[i].devices, settings->devices, sizeof settings->devices);
  }
  if (settings->device_count == 0 || has_devices) return true;
  return decline("--device selects a CUDA device; it requires --backend cuda");
}

static bool refuse_device(const char *option, const char *name, const char *backend) {
  return decline("--%s %s runs only on the processor, not with --backend %s", option, name, backend);
}

static bool suite_takes_device(const bench_options *options, const char *backend) {
  const size_t suite = (size_t)options->suite;
  return bench_suite_of_devices(suite) || refuse_device("suite", bench_suite_name(suite), backend);
}

/* Named tables must run on the requested backend. With "all", tables of the processor are skipped. */
static bool tables_take_device(const bench_settings *settings, const char *backend) {
  const bool on_device = bench_backend_has_devices(&settings->backends[0]);
  const bool named = !settings->all_tables && settings->tables.count > 0;
  bool taken = !named;
  for (size_t i = 0; named && i < bench_list_count(); i++) {
    if (!bench_words_have(&settings->tables, bench_list_name(i))) continue;
    if (on_device && !bench_list_of_devices(i)) return refuse_device("table", bench_list_name(i), backend);
    taken = taken || on_device || bench_list_of_all_backends(i);
  }
  if (!taken) complain("these tables run only on the first backend: --backend %s has no rows", backend);
  return taken;
}

static bool backends_make_sense(const bench_options *options) {
  const bench_settings *const settings = &options->settings;
  const char *backend = NULL;
  for (size_t i = 0; i < settings->backend_count; i++)
    if (bench_backend_has_devices(&settings->backends[i])) backend = settings->backends[i].name;
  if (backend == NULL) return true;
  if (options->suite == BENCH_NO_SUITE) return tables_take_device(settings, backend);
  if (settings->backend_count == 1) return suite_takes_device(options, backend);
  return decline("a suite runs on one backend");
}

/* Checked before the run, which takes minutes. */
static bool is_folder(const char *option, const char *path) {
  struct stat about;
  if (path == NULL || (stat(path, &about) == 0 && S_ISDIR(about.st_mode))) return true;
  return decline("--%s takes a folder, and %s is not one", option, path);
}

/* Creates the folder of drawings if it is missing; its parent must exist. */
static bool make_folder(const char *option, const char *path) {
  struct stat about;
  if (path == NULL || stat(path, &about) == 0) return is_folder(option, path);
  if (mkdir(path, 0777) == 0) return true;
  return decline("--%s: cannot create the folder %s: %s", option, path, strerror(errno));
}

static bool scenes_make_sense(const bench_options *options) {
  const bench_settings *settings = &options->settings;
  if (options->suite != BENCH_NO_SUITE || bench_run_has_scenes(settings)) return true;
  return decline("--scene: no available scene has a name that contains \"%s\"; scenes from files require the variable "
                 "GRAZE_DATA%s",
                 settings->scenes.count > 0 ? settings->scenes.words[0] : "",
                 settings->size_count > 0 ? " and have a fixed size" : "");
}

static bool outputs_make_sense(const bench_options *options) {
  const named_output outputs[] = {{"csv", options->csv, "CSV", ".csv", false, false},
                                  {"json", options->json, "JSON", ".json", false, false},
                                  {"report", options->report, "HTML", ".html", true, false}};
  char *const inputs[] = {(char *)(uintptr_t)options->old_path, (char *)(uintptr_t)options->new_path};
  const size_t input_count = options->new_path != NULL ? 2 : options->old_path != NULL ? 1 : 0;
  return named_outputs_are_apart(outputs, 3, inputs, input_count, "compared") && named_outputs_end_well(outputs, 3) &&
         (options->report == NULL || page_exists("--report")) && is_folder("folder", options->settings.folder) &&
         make_folder("figures", options->settings.figures);
}

static bool suite_makes_sense(const bench_options *options) {
  if (options->suite != BENCH_NO_SUITE && options->old_path != NULL)
    return decline("--compare compares rows of tables; a suite has none");
  if (options->suite != BENCH_NO_SUITE && has_rows_written(options)) {
    return decline("a suite writes its own tables to the folder of --figures; --%s has no rows",
                   option_of_rows(options));
  }
  if (options->suite == BENCH_NO_SUITE || options->settings.tables.count == 0) return true;
  return decline("--suite and --table exclude each other");
}

/* "--compare OLD.json NEW.json": the second path is an operand. */
static bool operands_make_sense(int argument_count, char **arguments, bench_options *options) {
  if (optind < argument_count && options->old_path != NULL) options->new_path = arguments[optind++];
  if (optind < argument_count) return decline("bench takes only options; unexpected operand \"%s\"", arguments[optind]);
  if (options->new_path == NULL || !has_rows_written(options)) return true;
  return decline("comparing two records measures nothing; there are no rows for --%s", option_of_rows(options));
}

static bool combination_makes_sense(int argument_count, char **arguments, bench_options *options) {
  if (!operands_make_sense(argument_count, arguments, options)) return false;
  return suite_makes_sense(options) && bench_options_agree(options) && backends_make_sense(options) &&
         scenes_make_sense(options);
}

bool bench_options_agree(bench_options *options) {
  return device_makes_sense(&options->settings) && outputs_make_sense(options);
}

bench_options bench_options_start(void) {
  return (bench_options){.settings = {.threads = {1, 2},
                                      .thread_count_count = 2,
                                      .rounds = DEFAULT_ROUNDS,
                                      .least_ms = DEFAULT_LEAST_MS,
                                      .backend_count = 1,
                                      .data = getenv("GRAZE_DATA"),
                                      .folder = ".",
                                      .suite = {.share = DEFAULT_SHARE, .seed = 1}},
                         .suite = BENCH_NO_SUITE};
}

options_state bench_options_read(const command *self, int argument_count, char **arguments, bench_options *options) {
  option_set given;
  *options = bench_options_start();
  const options_state state = command_read_options(self, argument_count, arguments, options, &given);
  if (state != OPTIONS_READY) return state;
  choose_passes(options);
  if (combination_makes_sense(argument_count, arguments, options)) return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}

void bench_options_write_names(FILE *stream) {
  fputs("Tables:\n", stream);
  for (size_t i = 0; i < bench_list_count(); i++)
    fprintf(stream, "  %-14s %s\n", bench_list_name(i), bench_list_title(i));
  fputs("\nSuites:\n", stream);
  for (size_t i = 0; i < bench_suite_count(); i++)
    fprintf(stream, "  %-14s %s\n", bench_suite_name(i), bench_suite_title(i));
  fputs("\nScenes:", stream);
  for (size_t i = 0; i < bench_scene_count(); i++)
    fprintf(stream, "%s%-24s", i % 3 == 0 ? "\n  " : " ", bench_scene_name(i));
  fputc('\n', stream);
}
