/* graze-lab: reproduces the figures of papers, and compares the library with variants from papers. It is not installed.
 */
#include "bench_command.h"
#include "command_line.h"
#include "option_values.h"

#include "bench/bench_suite.h"
#include "lab/lab_list.h"

#include <string.h>

#define MEASURING_ROWS                                                                                                 \
  {"threads",                                                                                                          \
   0,                                                                                                                  \
   "LIST",                                                                                                             \
   OPTION_MACHINE,                                                                                                     \
   OPTION_READ(bench_read_threads, bench_options, settings),                                                           \
   "numbers of threads: the first and the largest are used (default 1,2)"},                                            \
      {"rounds",                                                                                                       \
       0,                                                                                                              \
       "N",                                                                                                            \
       OPTION_USUAL,                                                                                                   \
       OPTION_READ(bench_read_rounds, bench_options, settings),                                                        \
       "timed rounds (default 5)"},                                                                                    \
      {"quick",                                                                                                        \
       0,                                                                                                              \
       NULL,                                                                                                           \
       OPTION_USUAL,                                                                                                   \
       OPTION_FLAG(bench_options, settings.quick),                                                                     \
       "bodies at a tenth of their size, fewer frames"},                                                               \
      {"figures",                                                                                                      \
       0,                                                                                                              \
       "FOLDER",                                                                                                       \
       OPTION_USUAL,                                                                                                   \
       OPTION_TEXT(bench_options, settings.figures),                                                                   \
       "write drawings as SVG and tables as CSV"},                                                                     \
      {"quiet", 'q', NULL, OPTION_USUAL, OPTION_FLAG(bench_options, quiet), "print no tables"}, HELP_OPTION_ROW, {     \
    0                                                                                                                  \
  }

/* ---------------------------------------------------------------------------------------------- names */

static int its_number(size_t number) {
  return (int)number;
}
static size_t table_count(void) {
  return lab_table_count;
}
static const char *table_name(size_t number) {
  return lab_tables[number].name;
}
static void write_tables(FILE *stream) {
  fputs("Tables:\n", stream);
  for (size_t i = 0; i < lab_table_count; i++) fprintf(stream, "  %-14s %s\n", lab_tables[i].name, lab_tables[i].title);
}

static void write_papers(FILE *stream) {
  fputs("Papers, and their tables and figures:\n", stream);
  papers_write_names(stream);
}

static bool read_names(const command_option *option, char *value, const name_list *list, bench_words *words_out) {
  int number = 0;
  if (!bench_read_words(option, value, words_out)) return false;
  for (size_t i = 0; i < words_out->count; i++)
    if (!read_choice(option->name, words_out->words[i], list, &number)) return false;
  return true;
}

static bool read_tables(const command_option *option, char *value, void *member) {
  static const name_list names = {table_count, table_name, its_number};
  return read_names(option, value, &names, member);
}

static bool read_figures(const command_option *option, char *value, void *member) {
  static const name_list names = {papers_name_count, papers_name, its_number};
  return read_names(option, value, &names, member);
}

/* ---------------------------------------------------------------------------------------------- commands */

static bench_ending measure_papers(const bench_options *options, const bench_settings *settings, bench_output *out,
                                   char *message, size_t message_bytes) {
  (void)options;
  return bench_suite_run_by("papers", "tables and figures of papers, reproduced, beside the published numbers",
                            suite_papers, settings, out, message, message_bytes);
}

static bench_ending measure_quality(const bench_options *options, const bench_settings *settings, bench_output *out,
                                    char *message, size_t message_bytes) {
  (void)options;
  return bench_suite_run_by("quality", "forces of packings and voxmaps along four paths, compared with analytic models",
                            study_quality, settings, out, message, message_bytes);
}

static bench_ending measure_tables(const bench_options *options, const bench_settings *settings, bench_output *out,
                                   char *message, size_t message_bytes) {
  (void)options;
  return lab_tables_run(settings, out, message, message_bytes);
}

/* Named figures must run on the requested backend. If none is named, figures of the processor are skipped. */
static bool figures_take_backend(const bench_settings *settings) {
  if (settings->backend_count > 1) {
    complain("figures run on one backend");
    return false;
  }
  for (size_t i = 0; i < papers_name_count() && settings->scenes.count > 0; i++) {
    if (!bench_words_have(&settings->scenes, papers_name(i)) || papers_of_devices(i)) continue;
    if (!bench_backend_has_devices(&settings->backends[0])) continue;
    complain("--figure %s runs only on the processor, not with --backend %s", papers_name(i),
             settings->backends[0].name);
    return false;
  }
  return true;
}

static exit_code run_measuring(const command *self, int argument_count, char **arguments, bench_measuring *measure) {
  bench_options options = bench_options_start();
  option_set given;
  const options_state state = command_read_options(self, argument_count, arguments, &options, &given);
  if (state == OPTIONS_ANSWERED) return finish_standard_output();
  if (state != OPTIONS_READY) return EXIT_CODE_TROUBLE;
  options.settings.least_ms = 0.0;
  if (measure != measure_tables) options.suite = 0; /* it has no rows */
  if (optind < argument_count) {
    complain("%s takes only options; unexpected operand \"%s\"", self->name, arguments[optind]);
    return command_hint(self);
  }
  if (!bench_options_agree(&options) || !figures_take_backend(&options.settings)) return command_hint(self);
  return bench_measure_and_write(&options, measure);
}

static exit_code run_papers(const command *self, int argument_count, char **arguments) {
  return run_measuring(self, argument_count, arguments, measure_papers);
}
static exit_code run_quality(const command *self, int argument_count, char **arguments) {
  return run_measuring(self, argument_count, arguments, measure_quality);
}
static exit_code run_tables(const command *self, int argument_count, char **arguments) {
  return run_measuring(self, argument_count, arguments, measure_tables);
}

static const command_option papers_options[] = {
    {"figure", 0, "LIST", OPTION_USUAL, OPTION_READ(read_figures, bench_options, settings.scenes),
     "papers and figures by name, such as kdet or kdet-table1 (default all)"},
    {"size", 0, "N", OPTION_USUAL, OPTION_READ(bench_read_sizes, bench_options, settings),
     "maximum number of primitives of a scene"},
    {"backend", 0, "NAME", OPTION_MACHINE, OPTION_READ(bench_read_backends, bench_options, settings),
     "cpu (default) or cuda"},
    {"device", 0, "N", OPTION_MACHINE, OPTION_READ(bench_read_devices, bench_options, settings),
     "number of the CUDA device, for --backend cuda (default 0)"},
    {"share", 0, "N", OPTION_USUAL, OPTION_U64(bench_options, settings.suite.share, 1, BENCH_SHARE_MOST),
     "clusters-fig5.25: number of paths for distances and for volumes (default 16)"},
    MEASURING_ROWS};
static const command_option quality_options[] = {{"scenario", 0, "LIST", OPTION_USUAL,
                                                  OPTION_READ(bench_read_words, bench_options, settings.scenes),
                                                  "Ia, Ib, II, III and IV (default all)"},
                                                 MEASURING_ROWS};
static const command_option tables_options[] = {
    {"table", 0, "LIST", OPTION_USUAL, OPTION_READ(read_tables, bench_options, settings.tables),
     "tables by name (default all)"},
    {"csv", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(bench_options, csv), "write the rows as CSV; - is standard output"},
    {"json", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(bench_options, json),
     "write the rows and the environment as JSON; - is standard output"},
    MEASURING_ROWS};

static const command commands[] = {
    {.program = "graze-lab",
     .name = "papers",
     .summary = "reproduce tables and figures of papers",
     .synopsis = "[options]",
     .description =
         "Reproduces tables and figures of papers, with the published numbers beside those of this machine.\n"
         "The variable GRAZE_DATA names a folder of real meshes.\n",
     .options = papers_options,
     .write_more = write_papers,
     .examples = "  graze-lab papers --figure kdet-size --quick --size 1000 --rounds 1\n",
     .run = run_papers},
    {.program = "graze-lab",
     .name = "quality",
     .summary = "compare forces of packings and voxmaps with analytic models",
     .synopsis = "[options]",
     .description =
         "Compares forces and torques of sphere packings and of a voxmap with analytic models, along four paths.\n",
     .options = quality_options,
     .examples = "  graze-lab quality --quick --scenario III --rounds 1\n",
     .run = run_quality},
    {.program = "graze-lab",
     .name = "tables",
     .summary = "compare the library with variants that it does not include",
     .synopsis = "[options]",
     .description = "Compares the methods of the library with variants described in papers.\n",
     .options = tables_options,
     .write_more = write_tables,
     .examples = "  graze-lab tables --quick --table dedup --rounds 1 --threads 1\n",
     .run = run_tables},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static exit_code write_overview(FILE *stream) {
  fputs("graze-lab draws figures of papers and measures variants of graze's methods.\n\n"
        "usage: graze-lab COMMAND [options]\n\nCommands:\n",
        stream);
  for (size_t i = 0; i < COMMAND_COUNT; i++) fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fputs("\nTry 'graze-lab COMMAND --help'.\n", stream);
  return finish_standard_output();
}

int main(int argument_count, char **arguments) {
  const char *const name = argument_count > 1 ? arguments[1] : "";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return write_overview(stdout);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(commands[i].name, name) == 0) return commands[i].run(&commands[i], argument_count - 1, arguments + 1);
  write_overview(stderr);
  return EXIT_CODE_TROUBLE;
}
