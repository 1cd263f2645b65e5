/* The options of `graze analyze`: the table, the reading, and the check of combinations. */
#include "analyze_options.h"

#include "backend_options.h"
#include "complaint.h"
#include "option_values.h"
#include "output_file.h"
#include "page_file.h"

/* More primitives than anyone would read. */
enum { WORST_MOST = 1000, WORST_USUAL = 5 };

enum { CODE_WORST = OPTION_CODE_FIRST, CODE_PLOT, CODE_JSON, CODE_CSV, CODE_REPORT };

const command_option analyze_option_table[] = {
    {"worst", CODE_WORST, "N", "list the N most crowded primitives of a mesh (default 5)"},
    {"plot", CODE_PLOT, "FILE.svg", "draw box plots of k over the number of primitives, for several files"},
    {"json", CODE_JSON, "FILE", "write everything as JSON; - is standard output"},
    {"csv", CODE_CSV, "FILE", "write a row for each file as CSV; - is standard output"},
    {"report", CODE_REPORT, "FILE.html", "write a page with the mesh and a histogram of k for any browser"},
    BACKEND_OPTION_ROWS,
    ALLOW_LARGE_ROW,
    {"quiet", 'q', NULL, "print only errors; requested files are still written"},
    HELP_OPTION_ROW,
    {0},
};

static bool read_option(int code, void *context) {
  analyze_options *options = context;
  uint64_t number = 0;
  switch (code) {
  case CODE_WORST:
    if (!read_whole_number("worst", optarg, 0, WORST_MOST, &number)) return false;
    options->worst_count = (size_t)number;
    return true;
  case CODE_ALLOW_LARGE:
    return options->allow_large = true;
  case CODE_PLOT:
    return (options->plot = optarg) != NULL;
  case CODE_JSON:
    return (options->json = optarg) != NULL;
  case CODE_CSV:
    return (options->csv = optarg) != NULL;
  case CODE_REPORT:
    return (options->report = optarg) != NULL;
  case 'q':
    return options->quiet = true;
  default:
    return read_backend_option(code, optarg, &options->scene);
  }
}

static bool outputs_make_sense(const analyze_options *options) {
  const named_output outputs[] = {{"json", options->json, "JSON", ".json", false},
                                  {"csv", options->csv, "CSV", ".csv", false},
                                  {"plot", options->plot, "SVG", ".svg", true},
                                  {"report", options->report, "HTML", ".html", true}};
  const size_t count = sizeof outputs / sizeof outputs[0];
  return named_outputs_are_apart(outputs, count, options->paths, options->path_count, "analyzed") &&
         named_outputs_end_well(outputs, count) && (options->report == NULL || page_exists("--report"));
}

static bool combination_makes_sense(const analyze_options *options) {
  if (options->path_count == 0) {
    complain("analyze needs a file or a folder");
    return false;
  }
  return operands_are_names(options->paths, options->path_count, "analyze reads files and folders") &&
         outputs_make_sense(options);
}

options_state analyze_options_read(const command *self, int argument_count, char **arguments,
                                   analyze_options *options) {
  *options = (analyze_options){.scene = backend_options_start(), .worst_count = WORST_USUAL};
  const options_state state = command_read_options(self, argument_count, arguments, read_option, options);
  if (state != OPTIONS_READY) return state;
  options->paths = arguments + optind;
  options->path_count = (size_t)(argument_count - optind);
  if (backend_options_finish(&options->scene) && combination_makes_sense(options)) return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}
