/* `graze analyze`: reads files or folders, measures the k of each, and writes the requested outputs. */
#include "analyze_outcome.h"
#include "backend_options.h"
#include "output_file.h"

#include <string.h>

static exit_code run_analyze(const command *self, int argument_count, char **arguments);

const command analyze_command = {
    .name = "analyze",
    .summary = "measure how crowded meshes are, and bound their number of pairs",
    .synopsis = "FILE|FOLDER [FILE|FOLDER ...] [options]",
    .description = "Measures the k-free constant of meshes. The k of a primitive is one more than the number of\n"
                   "other primitives that are at least as large and within a quarter of its diameter. The k of a\n"
                   "mesh is the largest. Ordinary meshes have a small k that does not grow with their size; the\n"
                   "number of intersecting pairs is then linear in the number of primitives.\n"
                   "A folder stands for all mesh files in it and its subfolders; .csv files count if they have a\n"
                   "header of spheres. Several files give a table. Files that cannot be read are listed at the\n"
                   "end.\n"
                   "\n"
                   "Exit status: 0 if at least one file was measured, 2 if none was, or on an error.\n",
    .options = analyze_option_table,
    .examples = "  graze make torus --primitives 2000 --output torus.obj\n"
                "  graze make blob --primitives 5000 --output blob.ply\n"
                "  graze analyze torus.obj\n"
                "  graze analyze torus.obj blob.ply --csv measures.csv --plot k.svg\n"
                "  graze analyze torus.obj --report torus.html\n"
                "  graze analyze . --threads 2 --quiet --json -\n",
    .run = run_analyze,
};

static exit_code write_file(const analyze_outcome *outcome, const char *path, output_file *file,
                            void (*write)(const analyze_outcome *, FILE *)) {
  if (path == NULL || strcmp(path, "-") == 0) return EXIT_CODE_NOTHING;
  if (!output_file_open(file, path)) return EXIT_CODE_TROUBLE;
  write(outcome, file->stream);
  return output_file_close(file) ? EXIT_CODE_NOTHING : EXIT_CODE_TROUBLE;
}

/* All files are written before the first is renamed, so that a full disk leaves no partial or incomplete set of
 * files. */
static exit_code write_files(const analyze_outcome *outcome) {
  const analyze_options *options = outcome->options;
  output_file json = {0}, csv = {0}, plot = {0}, report = {0};
  exit_code code = write_file(outcome, options->json, &json, analyze_outcome_write_json);
  if (code == EXIT_CODE_NOTHING) code = write_file(outcome, options->csv, &csv, analyze_outcome_write_csv);
  if (code == EXIT_CODE_NOTHING) code = write_file(outcome, options->plot, &plot, analyze_outcome_write_plot);
  if (code == EXIT_CODE_NOTHING && options->report != NULL) {
    const bool written = output_file_open(&report, options->report) &&
                         analyze_outcome_write_page(outcome, report.stream) && output_file_close(&report);
    if (!written) code = EXIT_CODE_TROUBLE;
  }
  output_file *const files[] = {&json, &csv, &plot, &report};
  for (size_t i = 0; i < 4 && code == EXIT_CODE_NOTHING; ++i) {
    if (files[i]->path != NULL && !output_file_publish(files[i])) code = EXIT_CODE_TROUBLE;
  }
  for (size_t i = 0; i < 4; ++i) output_file_discard(files[i]);
  return code;
}

static bool is_standard_output(const char *path) {
  return path != NULL && strcmp(path, "-") == 0;
}

static exit_code report_outcome(const analyze_outcome *outcome) {
  const analyze_options *options = outcome->options;
  if (write_files(outcome) != EXIT_CODE_NOTHING) return EXIT_CODE_TROUBLE;
  if (is_standard_output(options->json)) analyze_outcome_write_json(outcome, stdout);
  if (is_standard_output(options->csv)) analyze_outcome_write_csv(outcome, stdout);
  const bool taken = is_standard_output(options->json) || is_standard_output(options->csv);
  if (!options->quiet) analyze_outcome_write_words(outcome, taken ? stderr : stdout);
  return finish_standard_output();
}

/* Reports skipped elements and files. If there is one file, its failure is an error; of several files, it is
 * skipped. */
static void name_skipped(const analyze_outcome *outcome) {
  for (size_t i = 0; i < outcome->count; ++i) {
    const char *trouble = outcome->measures[i].trouble, *note = outcome->measures[i].note;
    if (note != NULL && !outcome->options->quiet) remark("%s: %s", outcome->measures[i].file, note);
    if (trouble == NULL) continue;
    if (outcome->measured_count == 0)
      complain("%s", trouble);
    else
      remark("skipped: %s", trouble);
  }
}

static exit_code analyze_files(const analyze_options *options, const mesh_file_list *files) {
  progress steps = progress_start(options->quiet);
  mesh_measure *measures = NULL;
  exit_code code = EXIT_CODE_TROUBLE;
  const mesh_read_options reading = {.allow_large = options->allow_large};
  const measure_options how = {&reading, &options->scene, options->worst_count,
                               options->report != NULL && files->count == 1};
  if (mesh_measure_files(files, &how, &steps, &measures)) {
    analyze_outcome outcome = {.options = options, .measures = measures, .count = files->count};
    for (size_t i = 0; i < files->count; ++i) outcome.measured_count += measures[i].trouble == NULL;
    if (outcome.measured_count > 0) code = report_outcome(&outcome);
    name_skipped(&outcome);
  }
  mesh_measure_release(measures, files->count);
  return code;
}

static exit_code analyze_paths(const analyze_options *options) {
  if (!backend_is_available(&options->scene)) return EXIT_CODE_TROUBLE;
  mesh_file_list files = {0};
  exit_code code = EXIT_CODE_TROUBLE;
  if (mesh_file_list_add_all(&files, options->paths, options->path_count)) code = analyze_files(options, &files);
  mesh_file_list_release(&files);
  return code;
}

static exit_code run_analyze(const command *self, int argument_count, char **arguments) {
  analyze_options options;
  switch (analyze_options_read(self, argument_count, arguments, &options)) {
  case OPTIONS_READY:
    return analyze_paths(&options);
  case OPTIONS_ANSWERED:
    return finish_standard_output();
  case OPTIONS_REFUSED:
    break;
  }
  return EXIT_CODE_TROUBLE;
}
