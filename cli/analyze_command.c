/* `graze analyze`: reads files or folders, measures the k of each, and writes the requested outputs. */
#include "analyze_outcome.h"
#include "output_file.h"
#include "page_file.h"

/* More primitives than anyone would read. */
enum { WORST_MOST = 1000, WORST_USUAL = 5 };

static const command_option analyze_option_table[] = {
    {"worst", 0, "N", OPTION_USUAL, OPTION_SIZE(analyze_options, worst_count, 0, WORST_MOST),
     "list the N most crowded primitives of a mesh (default 5)"},
    {"plot", 0, "FILE.svg", OPTION_OUTPUT, OPTION_TEXT(analyze_options, plot),
     "draw box plots of k over the number of primitives, for several files"},
    {"json", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(analyze_options, json),
     "write everything as JSON; - is standard output"},
    {"csv", 0, "FILE", OPTION_OUTPUT, OPTION_TEXT(analyze_options, csv),
     "write a row for each file as CSV; - is standard output"},
    {"report", 0, "FILE.html", OPTION_OUTPUT, OPTION_TEXT(analyze_options, report),
     "write a page with the mesh and a histogram of k for any browser"},
    BACKEND_OPTION_ROWS(analyze_options, scene),
    ALLOW_LARGE_ROW(analyze_options),
    {"quiet", 'q', NULL, OPTION_USUAL, OPTION_FLAG(analyze_options, quiet),
     "print only errors; requested files are still written"},
    HELP_OPTION_ROW,
    {0},
};

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

enum analyze_output { ANALYZE_JSON, ANALYZE_CSV, ANALYZE_PLOT, ANALYZE_REPORT, ANALYZE_OUTPUTS };

static void list_outputs(const analyze_options *options, named_output outputs_out[ANALYZE_OUTPUTS]) {
  outputs_out[ANALYZE_JSON] = (named_output){"json", options->json, "JSON", ".json", false, false};
  outputs_out[ANALYZE_CSV] = (named_output){"csv", options->csv, "CSV", ".csv", false, false};
  outputs_out[ANALYZE_PLOT] = (named_output){"plot", options->plot, "SVG", ".svg", true, false};
  outputs_out[ANALYZE_REPORT] = (named_output){"report", options->report, "HTML", ".html", true, false};
}

static bool outputs_make_sense(const analyze_options *options) {
  named_output outputs[ANALYZE_OUTPUTS];
  list_outputs(options, outputs);
  return named_outputs_are_apart(outputs, ANALYZE_OUTPUTS, options->paths, options->path_count, "analyzed") &&
         named_outputs_end_well(outputs, ANALYZE_OUTPUTS) && (options->report == NULL || page_exists("--report"));
}

static bool combination_makes_sense(const analyze_options *options) {
  if (options->path_count == 0) return decline("analyze needs a file or a folder");
  return operands_are_names(options->paths, options->path_count, "analyze reads files and folders") &&
         outputs_make_sense(options);
}

static options_state read_options(const command *self, int argument_count, char **arguments, analyze_options *options) {
  *options = (analyze_options){.scene = backend_options_start(), .worst_count = WORST_USUAL};
  option_set given;
  const options_state state = command_read_options(self, argument_count, arguments, options, &given);
  if (state != OPTIONS_READY) return state;
  options->paths = arguments + optind;
  options->path_count = (size_t)(argument_count - optind);
  if (backend_options_finish(&options->scene) && combination_makes_sense(options)) return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}

static void write_result(const void *outcome, FILE *stream) {
  analyze_outcome_write_json(outcome, stream);
}

/* For one file, the mesh with the k of each primitive; for several, only the record. */
static bool write_page(const analyze_outcome *outcome, FILE *stream) {
  const mesh_measure *measure = &outcome->measures[0];
  object_list objects = {0};
  const page_heading heading = {.command = "analyze",
                                .title = outcome->options->paths[0],
                                .more_files = outcome->options->path_count - 1,
                                .write_result = write_result,
                                .outcome = outcome};
  const page_frame frame = {.objects = &objects, .crowding = &measure->kept_crowding};
  bool written = outcome->count > 1 || object_list_copy(&objects, measure->file, &measure->kept, 1);
  written = written && page_file_write_frame(&heading, objects.count == 0 ? NULL : &frame, stream);
  object_list_release(&objects);
  return written;
}

static bool write_output(const void *context, size_t output, const output_file *file) {
  static void (*const writers[])(const analyze_outcome *outcome,
                                 FILE *stream) = {[ANALYZE_JSON] = analyze_outcome_write_json,
                                                  [ANALYZE_CSV] = analyze_outcome_write_csv,
                                                  [ANALYZE_PLOT] = analyze_outcome_write_plot};
  if (output == ANALYZE_REPORT) return write_page(context, file->stream);
  writers[output](context, file->stream);
  return true;
}

static exit_code report_outcome(const analyze_outcome *outcome) {
  named_output outputs[ANALYZE_OUTPUTS];
  list_outputs(outcome->options, outputs);
  if (!outputs_write(outputs, ANALYZE_OUTPUTS, write_output, outcome)) return EXIT_CODE_TROUBLE;
  const bool taken = outputs_take_standard_output(outputs, ANALYZE_OUTPUTS);
  if (!outcome->options->quiet) analyze_outcome_write_words(outcome, taken ? stderr : stdout);
  return finish_standard_output();
}

/* Reports skipped elements and files. If there is one file, its failure is an error; of several files, it is
 * skipped. */
static void name_skipped(const analyze_outcome *outcome) {
  for (size_t i = 0; i < outcome->count; i++) {
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
    for (size_t i = 0; i < files->count; i++) outcome.measured_count += measures[i].trouble == NULL;
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
  const options_state state = read_options(self, argument_count, arguments, &options);
  return state != OPTIONS_READY ? command_end(state) : analyze_paths(&options);
}
