/* The options of `graze analyze`: the table, the reading, and the combinations that make no sense. */
#include "analyze_options.h"

#include "backend_options.h"
#include "complaint.h"
#include "output_file.h"

#include <string.h>

/* More workers than any machine has; more primitives than anyone reads through. */
enum { THREADS_MOST = 1024, WORST_MOST = 1000, WORST_USUAL = 5 };

enum { CODE_WORST = OPTION_CODE_FIRST, CODE_PLOT, CODE_JSON, CODE_CSV, CODE_BACKEND, CODE_DEVICE, CODE_THREADS };

const command_option analyze_option_table[] = {
    {"worst", CODE_WORST, "N", "name the N most crowded primitives of a mesh (default 5)"},
    {"plot", CODE_PLOT, "FILE.svg", "draw box plots of k over the number of primitives, for many files"},
    {"json", CODE_JSON, "FILE", "write everything as JSON; - is standard output"},
    {"csv", CODE_CSV, "FILE", "write a line for each file as CSV; - is standard output"},
    {"backend", CODE_BACKEND, "NAME", BACKEND_WORDS},
    {"device", CODE_DEVICE, "N", DEVICE_WORDS},
    {"threads", CODE_THREADS, "N", "number of threads (default: one for each processor)"},
    {"quiet", 'q', NULL, "say nothing; files that are asked for are written all the same"},
    {"help", 'h', NULL, "this text"},
    {0},
};

static bool read_option(int code, analyze_options *options) {
  uint64_t number = 0;
  switch (code) {
  case CODE_WORST:
    if (!read_whole_number("worst", optarg, 0, WORST_MOST, &number)) return false;
    options->worst_count = (size_t)number;
    return true;
  case CODE_THREADS:
    if (!read_whole_number("threads", optarg, 1, THREADS_MOST, &number)) return false;
    options->scene.worker_count = (uint32_t)number;
    return true;
  case CODE_BACKEND:
    return read_backend(optarg, &options->scene);
  case CODE_DEVICE:
    return read_device(optarg, &options->scene);
  case CODE_PLOT:
    return (options->plot = optarg) != NULL;
  case CODE_JSON:
    return (options->json = optarg) != NULL;
  case CODE_CSV:
    return (options->csv = optarg) != NULL;
  case 'q':
    return options->quiet = true;
  default:
    return false;
  }
}

static bool outputs_are_apart(const analyze_options *options) {
  const named_output outputs[] = {{"json", options->json}, {"csv", options->csv}, {"plot", options->plot}};
  return named_outputs_are_apart(outputs, sizeof outputs / sizeof outputs[0], options->paths, options->path_count,
                                 "analyzed");
}

static bool combination_makes_sense(const analyze_options *options) {
  if (options->path_count == 0) {
    complain("analyze needs a file or a folder");
    return false;
  }
  for (size_t path = 0; path < options->path_count; ++path) {
    if (strcmp(options->paths[path], "-") != 0) continue;
    complain("analyze reads files and folders, not standard input");
    return false;
  }
  return outputs_are_apart(options);
}

options_state analyze_options_read(const command *self, int argument_count, char **arguments,
                                   analyze_options *options) {
  *options = (analyze_options){.scene = backend_options_start(), .worst_count = WORST_USUAL};
  option_walk walk;
  option_walk_start(&walk, self, argument_count, arguments);
  for (int code; (code = option_walk_next(&walk)) != OPTION_CODE_END;) {
    if (code == OPTION_CODE_REFUSED) return OPTIONS_REFUSED;
    if (code == 'h') {
      command_write_help(self, stdout);
      return OPTIONS_ANSWERED;
    }
    if (!read_option(code, options)) {
      command_hint(self);
      return OPTIONS_REFUSED;
    }
  }
  options->paths = arguments + optind;
  options->path_count = (size_t)(argument_count - optind);
  if (backend_options_finish(&options->scene) && combination_makes_sense(options)) return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}
