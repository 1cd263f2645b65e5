/* The options of `graze pack`: the table, the reading, and the check of combinations. */
#include "pack_options.h"

#include "frame_list.h"
#include "option_values.h"
#include "output_file.h"
#include "page_file.h"

#include "mesh_io/mesh_format.h"

#include <math.h>

/* More spheres than any body needs, and far below the range of an index. */
enum { COUNT_MOST = 100000000 };

enum {
  CODE_COUNT = OPTION_CODE_FIRST,
  CODE_FILL,
  CODE_SMALLEST,
  CODE_SEED,
  CODE_CARRIED,
  CODE_JSON,
  CODE_PICTURE,
  CODE_REPORT
};

const command_option pack_option_table[] = {
    {"count", CODE_COUNT, "N", "at most N spheres (default 10000)"},
    {"fill", CODE_FILL, "PART", "stop when the spheres fill this fraction of the volume, such as 0.9"},
    {"smallest", CODE_SMALLEST, "RADIUS", "radius of the smallest sphere (default: 1e-6 of the diagonal)"},
    {"seed", CODE_SEED, "N", "random seed of the initial prototypes"},
    {"output", 'o', "FILE", "write the spheres: .csv or .ply, also with .gz"},
    {"carried", CODE_CARRIED, "NAME", "write the spheres of each frame, to a name with %d or %04d"},
    {"json", CODE_JSON, "FILE", "write the result as JSON; - is standard output"},
    {"picture", CODE_PICTURE, "FILE.png", "draw the spheres"},
    {"report", CODE_REPORT, "FILE.html", "write a page that shows the spheres by level in any browser"},
    CAMERA_OPTION_ROWS,
    BACKEND_OPTION_ROWS,
    ALLOW_LARGE_ROW,
    {"quiet", 'q', NULL, "print only errors; requested files are still written"},
    HELP_OPTION_ROW,
    {0},
};

static bool read_count(const char *value, pack_options *options) {
  uint64_t number = 0;
  if (!read_whole_number("count", value, 1, COUNT_MOST, &number)) return false;
  options->limits.count = (size_t)number;
  return true;
}

static bool read_option(int code, void *context) {
  pack_options *options = context;
  switch (code) {
  case CODE_COUNT:
    return read_count(optarg, options);
  case CODE_FILL:
    return read_positive_number("fill", optarg, 1.0, &options->limits.fill_rate);
  case CODE_SMALLEST:
    return read_positive_number("smallest", optarg, HUGE_VAL, &options->limits.smallest_radius);
  case CODE_SEED:
    return read_whole_number("seed", optarg, 0, UINT64_MAX, &options->limits.seed);
  case 'o':
    return (options->output = optarg) != NULL;
  case CODE_CARRIED:
    return (options->carried = optarg) != NULL;
  case CODE_JSON:
    return (options->json = optarg) != NULL;
  case CODE_PICTURE:
    return (options->picture = optarg) != NULL;
  case CODE_REPORT:
    return (options->report = optarg) != NULL;
  case CODE_BACKEND:
  case CODE_DEVICE:
  case CODE_THREADS:
    return read_backend_option(code, optarg, &options->run);
  case CODE_ALLOW_LARGE:
    return options->allow_large = true;
  case 'q':
    return options->quiet = true;
  default:
    return is_drawing_option(code) && read_drawing_option(code, optarg, &options->drawing);
  }
}

/* Checked before packing, which may take minutes. */
static bool output_can_hold_spheres(const char *output) {
  bool compressed;
  if (output == NULL) return true;
  if (mesh_format_is_written(mesh_format_of_name(output, &compressed), MESH_SPHERES)) return true;
  complain("%s: spheres are written to %s files", output, mesh_endings_storing(STORES_SPHERES).text);
  return false;
}

static bool carried_makes_sense(const pack_options *options) {
  number_place place;
  if (options->carried == NULL) return true;
  if (options->frame_count == 0) {
    complain("--carried %s: there are no frames; give their files after the body", options->carried);
    return false;
  }
  if (number_place_find(options->carried, &place))
    return number_place_is_only(&place, options->carried, "--carried ") && output_can_hold_spheres(options->carried);
  complain("--carried %s: each frame needs its own file: give a name with %%04d", options->carried);
  return false;
}

static bool outputs_make_sense(const pack_options *options) {
  const named_output outputs[] = {{"output", options->output, "spheres", "", false},
                                  {"json", options->json, "JSON", ".json", false},
                                  {"picture", options->picture, "PNG", ".png", true},
                                  {"report", options->report, "HTML", ".html", true}};
  char *const inputs[] = {(char *)(uintptr_t)options->file};
  return named_outputs_are_apart(outputs, 4, inputs, 1, "packed") && named_outputs_end_well(outputs + 1, 3) &&
         output_can_hold_spheres(options->output) && carried_makes_sense(options) &&
         drawing_options_have_picture(&options->drawing, options->picture, options->report) &&
         (options->report == NULL || page_exists("--report"));
}

static bool combination_makes_sense(int argument_count, char **arguments, pack_options *options) {
  if (optind == argument_count) {
    complain("pack needs a mesh");
    return false;
  }
  options->file = arguments[optind];
  options->frames = arguments + optind + 1;
  options->frame_count = (size_t)(argument_count - optind - 1);
  return operands_are_names(arguments + optind, options->frame_count + 1, "pack reads files") &&
         outputs_make_sense(options);
}

options_state pack_options_read(const command *self, int argument_count, char **arguments, pack_options *options) {
  *options = (pack_options){
      .limits = graze_packing_options_default(), .run = backend_options_start(), .drawing = drawing_options_start()};
  const options_state state = command_read_options(self, argument_count, arguments, read_option, options);
  if (state != OPTIONS_READY) return state;
  if (backend_options_finish(&options->run) && combination_makes_sense(argument_count, arguments, options))
    return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}
