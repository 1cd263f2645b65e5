/* The options of `graze bench`: the table, the reading of lists, and the check of combinations. */
#include "bench_options.h"

#include "option_values.h"
#include "output_file.h"
#include "page_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  THREADS_MOST = 1024,
  SIZE_MOST = 100000000,
  DEFAULT_ROUNDS = 5,
  DEFAULT_LEAST_MS = 1000,
  RECORD_PASSES = 5,
  PASSES_MOST = BENCH_PASSES_MAX / 2, /* as many again if rows are in doubt */
  DEFAULT_SHARE = 16,
  SHARE_MOST = 1000000
};

const command_option bench_option_table[] = {
    {"table", CODE_TABLE, "LIST", "tables to run, or all (default scenes)"},
    {"suite", CODE_SUITE, "NAME", "run a benchmark from the literature instead of tables"},
    {"scene", CODE_SCENE, "LIST", "scenes whose name contains one of the words"},
    {"size", CODE_SIZE, "LIST", "numbers of triangles of built-in scenes, such as 10000,100000"},
    {"method", CODE_METHOD, "LIST", "methods (default: all; brute only for small scenes; grid on a device)"},
    {"backend", CODE_BACKENDS, "LIST", "cpu (default), cuda, or both; cuda measures a frame with new positions"},
    {"device", CODE_DEVICE_NUMBER, "LIST", "CUDA device, or devices that share a scene (default 0)"},
    {"threads", CODE_THREAD_COUNTS, "LIST", "numbers of threads (default 1,2)"},
    {"rounds", CODE_ROUNDS, "N", "timed rounds (default 5; more for short scenes, one second in all)"},
    {"passes", CODE_PASSES, "N",
     "divide the rounds of the scenes into this number of passes over all of\n"
     "them (default 1; for records the number of rounds, at most 5)"},
    {"quick", CODE_QUICK, NULL, "scenes at a tenth of their size, files of at most 100,000 triangles"},
    {"csv", CODE_CSV, "FILE", "write the rows as CSV; - is standard output"},
    {"json", CODE_JSON, "FILE", "write the rows and the environment as JSON; - is standard output"},
    {"compare", CODE_COMPARE, "OLD.json",
     "report rows that are slower or faster than in that record beyond noise;\n"
     "with a second record nothing is measured"},
    {"report", CODE_REPORT, "FILE.html", "write a page with the rows as bars and tables for any browser"},
    {"figures", CODE_FIGURES, "FOLDER", "write the drawings of tables and suites as SVG; created if missing"},
    {"folder", CODE_FOLDER, "FOLDER", "folder for the file of the table reading (default .)"},
    {"share", CODE_SHARE, "N", "suite rigid: number of paths for distances and for volumes (default 16)"},
    {"all", CODE_ALL, NULL, "suite rigid: all paths; takes days"},
    {"seed", CODE_SEED, "N", "suite rigid: seed of the share (default 1)"},
    {"approach", CODE_APPROACH, "NAME", "suite rigid: from a sphere (default) or from cells of a grid"},
    {"configurations", CODE_CONFIGURATIONS, "FILE",
     "suite rigid: read the poses from this file, or write them if it is missing"},
    {"quiet", 'q', NULL, "print no tables; requested files are still written"},
    HELP_OPTION_ROW,
    {0},
};

/* ---------------------------------------------------------------------------------------------- lists */

static int its_number(size_t number) {
  return (int)number;
}

/* The tables, and "all". */
static size_t table_choice_count(void) {
  return 1 + bench_list_count();
}
static const char *table_choice(size_t number) {
  return number == 0 ? "all" : bench_list_name(number - 1);
}
static const name_list table_list = {table_choice_count, table_choice, its_number};
static const name_list suite_list = {bench_suite_count, bench_suite_name, its_number};

bool bench_split_list(const char *option, char *value, bench_words *words_out) {
  words_out->count = 0;
  for (char *at = value; at != NULL;) {
    char *const comma = strchr(at, ',');
    if (comma != NULL) *comma = '\0';
    if (at[0] == '\0' || words_out->count == BENCH_WORDS_MAX) {
      complain(at[0] == '\0' ? "--%s takes words separated by commas, none of them empty"
                             : "--%s takes at most 16 words",
               option);
      return false;
    }
    words_out->words[words_out->count++] = at;
    at = comma != NULL ? comma + 1 : NULL;
  }
  return true;
}

static bool read_tables(char *value, bench_settings *settings) {
  bench_words words;
  if (!bench_split_list("table", value, &words)) return false;
  for (size_t i = 0; i < words.count; ++i) {
    int number = 0;
    if (!read_choice("table", words.words[i], &table_list, &number)) return false;
    settings->all_tables = settings->all_tables || number == 0;
  }
  settings->tables = words;
  return true;
}

static bool read_methods(char *value, bench_settings *settings) {
  if (!bench_split_list("method", value, &settings->methods)) return false;
  for (size_t i = 0; i < settings->methods.count; ++i)
    if (!read_method("method", settings->methods.words[i])) return false;
  return true;
}

static bool read_backends(char *value, bench_settings *settings) {
  bench_words words;
  if (!bench_split_list("backend", value, &words)) return false;
  settings->backend_count = 0;
  for (size_t i = 0; i < words.count && i < BENCH_BACKENDS_MAX; ++i) {
    bench_backend *backend = &settings->backends[settings->backend_count++];
    if (!read_backend("backend", words.words[i], &backend->name)) return false;
  }
  return true;
}

/* Numbers from 1 to `most`, separated by commas. */
static bool read_numbers(const char *option, char *value, uint64_t most, uint64_t numbers_out[BENCH_WORDS_MAX],
                         size_t *count_out) {
  bench_words words;
  if (!bench_split_list(option, value, &words)) return false;
  for (size_t i = 0; i < words.count; ++i)
    if (!read_whole_number(option, words.words[i], 1, most, &numbers_out[i])) return false;
  *count_out = words.count;
  return true;
}

static bool read_threads(char *value, bench_settings *settings) {
  uint64_t numbers[BENCH_WORDS_MAX];
  if (!read_numbers("threads", value, THREADS_MOST, numbers, &settings->thread_count_count)) return false;
  for (size_t i = 0; i < settings->thread_count_count; ++i) settings->threads[i] = (uint32_t)numbers[i];
  return true;
}

static bool read_sizes(char *value, bench_settings *settings) {
  uint64_t numbers[BENCH_WORDS_MAX];
  if (!read_numbers("size", value, SIZE_MOST, numbers, &settings->size_count)) return false;
  for (size_t i = 0; i < settings->size_count; ++i) settings->sizes[i] = (size_t)numbers[i];
  return true;
}

static size_t approach_count(void) {
  return 2;
}
static const char *approach_name(size_t number) {
  return number == CONFIGURATION_SPHERE ? "sphere" : "grid";
}
static const name_list approach_list = {approach_count, approach_name, its_number};

static bool read_approach(const char *value, bench_settings *settings) {
  int number = 0;
  if (!read_choice("approach", value, &approach_list, &number)) return false;
  settings->suite.method = (configuration_method)number;
  return true;
}

static bool read_rounds(const char *value, bench_settings *settings) {
  uint64_t number = 0;
  if (!read_whole_number("rounds", value, 1, BENCH_ROUNDS_MAX, &number)) return false;
  settings->rounds = (size_t)number;
  settings->least_ms = 0.0;
  return true;
}

static bool read_passes(const char *value, bench_settings *settings) {
  uint64_t number = 0;
  if (!read_whole_number("passes", value, 1, PASSES_MOST, &number)) return false;
  settings->passes = (size_t)number;
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

bool bench_options_take(int code, void *context) {
  bench_options *options = context;
  bench_settings *settings = &options->settings;
  switch (code) {
  case CODE_TABLE:
    return read_tables(optarg, settings);
  case CODE_SUITE:
    return read_choice("suite", optarg, &suite_list, &options->suite);
  case CODE_SCENE:
    return bench_split_list("scene", optarg, &settings->scenes);
  case CODE_SIZE:
    return read_sizes(optarg, settings);
  case CODE_METHOD:
    return read_methods(optarg, settings);
  case CODE_BACKENDS:
    return read_backends(optarg, settings);
  case CODE_DEVICE_NUMBER:
    return read_device_list("device", optarg, settings->devices, &settings->device_count);
  case CODE_THREAD_COUNTS:
    return read_threads(optarg, settings);
  case CODE_ROUNDS:
    return read_rounds(optarg, settings);
  case CODE_PASSES:
    return read_passes(optarg, settings);
  case CODE_QUICK:
    return settings->quick = true;
  case CODE_CSV:
    return (options->csv = optarg) != NULL;
  case CODE_JSON:
    return (options->json = optarg) != NULL;
  case CODE_REPORT:
    return (options->report = optarg) != NULL;
  case CODE_COMPARE:
    return (options->old_path = optarg) != NULL;
  case CODE_FIGURES:
    return (settings->figures = optarg) != NULL;
  case CODE_FOLDER:
    return (settings->folder = optarg) != NULL;
  case CODE_SHARE:
    return read_whole_number("share", optarg, 1, SHARE_MOST, &settings->suite.share);
  case CODE_ALL:
    return settings->suite.all = true;
  case CODE_SEED:
    return read_whole_number("seed", optarg, 0, UINT64_MAX, &settings->suite.seed);
  case CODE_APPROACH:
    return read_approach(optarg, settings);
  case CODE_CONFIGURATIONS:
    return (settings->suite.configurations = optarg) != NULL;
  case 'q':
    return options->quiet = true;
  default:
    return false;
  }
}

static bool device_makes_sense(bench_settings *settings) {
  bool has_devices = false;
  for (size_t i = 0; i < settings->backend_count; ++i) {
    has_devices = has_devices || bench_backend_has_devices(&settings->backends[i]);
    settings->backends[i].device_count = settings->device_count;
    memcpy(settings->backends[i].devices, settings->devices, sizeof settings->devices);
  }
  if (settings->device_count == 0 || has_devices) return true;
  complain("--device selects a CUDA device; it requires --backend cuda");
  return false;
}

static bool refuse_device(const char *option, const char *name, const char *backend) {
  complain("--%s %s runs only on the processor, not with --backend %s", option, name, backend);
  return false;
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
  for (size_t i = 0; named && i < bench_list_count(); ++i) {
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
  for (size_t i = 0; i < settings->backend_count; ++i)
    if (bench_backend_has_devices(&settings->backends[i])) backend = settings->backends[i].name;
  if (backend == NULL) return true;
  if (options->suite == BENCH_NO_SUITE) return tables_take_device(settings, backend);
  if (settings->backend_count == 1) return suite_takes_device(options, backend);
  complain("a suite runs on one backend");
  return false;
}

/* Checked before the run, which takes minutes. */
static bool is_folder(const char *option, const char *path) {
  struct stat about;
  if (path == NULL || (stat(path, &about) == 0 && S_ISDIR(about.st_mode))) return true;
  complain("--%s takes a folder, and %s is not one", option, path);
  return false;
}

/* Creates the folder of drawings if it is missing; its parent must exist. */
static bool make_folder(const char *option, const char *path) {
  struct stat about;
  if (path == NULL || stat(path, &about) == 0) return is_folder(option, path);
  if (mkdir(path, 0777) == 0) return true;
  complain("--%s: cannot create the folder %s: %s", option, path, strerror(errno));
  return false;
}

static bool scenes_make_sense(const bench_options *options) {
  const bench_settings *settings = &options->settings;
  if (options->suite != BENCH_NO_SUITE || bench_run_has_scenes(settings)) return true;
  complain("--scene: no available scene has a name that contains \"%s\"; scenes from files require the variable "
           "GRAZE_DATA%s",
           settings->scenes.count > 0 ? settings->scenes.words[0] : "",
           settings->size_count > 0 ? " and have a fixed size" : "");
  return false;
}

static bool outputs_make_sense(const bench_options *options) {
  const named_output outputs[] = {{"csv", options->csv, "CSV", ".csv", false},
                                  {"json", options->json, "JSON", ".json", false},
                                  {"report", options->report, "HTML", ".html", true}};
  char *const inputs[] = {(char *)(uintptr_t)options->old_path, (char *)(uintptr_t)options->new_path};
  const size_t input_count = options->new_path != NULL ? 2 : options->old_path != NULL ? 1 : 0;
  return named_outputs_are_apart(outputs, 3, inputs, input_count, "compared") && named_outputs_end_well(outputs, 3) &&
         (options->report == NULL || page_exists("--report")) && is_folder("folder", options->settings.folder) &&
         make_folder("figures", options->settings.figures);
}

static bool suite_makes_sense(const bench_options *options) {
  if (options->suite != BENCH_NO_SUITE && options->old_path != NULL) {
    complain("--compare compares rows of tables; a suite has none");
    return false;
  }
  if (options->suite != BENCH_NO_SUITE && has_rows_written(options)) {
    complain("a suite writes its own tables to the folder of --figures; --%s has no rows", option_of_rows(options));
    return false;
  }
  if (options->suite == BENCH_NO_SUITE || options->settings.tables.count == 0) return true;
  complain("--suite and --table exclude each other");
  return false;
}

/* "--compare OLD.json NEW.json": the second path is an operand. */
static bool operands_make_sense(int argument_count, char **arguments, bench_options *options) {
  if (optind < argument_count && options->old_path != NULL) options->new_path = arguments[optind++];
  if (optind < argument_count) {
    complain("bench takes only options; unexpected operand \"%s\"", arguments[optind]);
    return false;
  }
  if (options->new_path == NULL || !has_rows_written(options)) return true;
  complain("comparing two records measures nothing; there are no rows for --%s", option_of_rows(options));
  return false;
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
  *options = bench_options_start();
  const options_state state = command_read_options(self, argument_count, arguments, bench_options_take, options);
  if (state != OPTIONS_READY) return state;
  choose_passes(options);
  if (combination_makes_sense(argument_count, arguments, options)) return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}

void bench_options_write_names(FILE *stream) {
  fputs("Tables:\n", stream);
  for (size_t i = 0; i < bench_list_count(); ++i)
    fprintf(stream, "  %-14s %s\n", bench_list_name(i), bench_list_title(i));
  fputs("\nSuites:\n", stream);
  for (size_t i = 0; i < bench_suite_count(); ++i)
    fprintf(stream, "  %-14s %s\n", bench_suite_name(i), bench_suite_title(i));
  fputs("\nScenes:", stream);
  for (size_t i = 0; i < bench_scene_count(); ++i)
    fprintf(stream, "%s%-24s", i % 3 == 0 ? "\n  " : " ", bench_scene_name(i));
  fputc('\n', stream);
}
