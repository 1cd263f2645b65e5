/* The options of `graze play`: the table, the reading, and the check of combinations. */
#include "play_options.h"

#include "option_values.h"
#include "output_file.h"
#include "page_file.h"
#include "scene_file.h"
#include "scene_source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  CODE_SELF = OPTION_CODE_FIRST,
  CODE_SEPARATE,
  CODE_EXCLUDE,
  CODE_EXCLUDE_FILE,
  CODE_JSON,
  CODE_CSV,
  CODE_PICTURE,
  CODE_PICTURE_FRAME,
  CODE_PLOT,
  CODE_REPORT,
  CODE_COMPARE_METHODS,
  CODE_KEEP_GOING,
  CODE_PRIMITIVES,
  CODE_FRAMES,
  CODE_SEED,
  CODE_LIST
};

const command_option play_option_table[] = {
    {"primitives", CODE_PRIMITIVES, "N", "built-in scenes: approximate number of triangles, tetrahedra or spheres"},
    {"frames", CODE_FRAMES, "N", "built-in scenes: number of frames"},
    {"seed", CODE_SEED, "N", "built-in scenes: random seed"},
    {"list", CODE_LIST, NULL, "list the built-in scenes"},
    {"self", CODE_SELF, NULL, "with several sequences: also find the pairs within each object"},
    {"separate", CODE_SEPARATE, NULL,
     "make each part of a file an object, tested against the others as well:\n"
     "groups of an OBJ file, solids of an STL file, placed meshes of a glTF or\n"
     "3MF file"},
    {"exclude", CODE_EXCLUDE, "A,B",
     "skip all pairs between two objects, each given by number or by its name\n"
     "in the first frame; may be repeated"},
    {"exclude-file", CODE_EXCLUDE_FILE, "FILE",
     "read such pairs from a file, one A,B on each line; # begins a comment"},
    {"csv", CODE_CSV, "FILE", "write a row for each frame as CSV; - is standard output"},
    {"json", CODE_JSON, "FILE", "write everything as JSON; - is standard output"},
    {"picture", CODE_PICTURE, "FILE.png", "draw a frame and mark primitives that intersect"},
    {"picture-frame", CODE_PICTURE_FRAME, "N", "the frame to draw, from 1 (default: the last)"},
    DRAWING_OPTION_ROWS,
    {"plot", CODE_PLOT, "FILE.svg", "plot the milliseconds of each frame"},
    {"report", CODE_REPORT, "FILE.html", "write a page that shows all frames and their clashes in any browser"},
    {"compare-methods", CODE_COMPARE_METHODS, NULL,
     "find the pairs of every frame with all methods, and report whether they\n"
     "agree; the exit status is 2 if they do not"},
    {"keep-going", CODE_KEEP_GOING, NULL, "skip frames that cannot be read, and list them at the end"},
    SEARCH_OPTION_ROWS("skip"),
    ALLOW_LARGE_ROW,
    {"quiet", 'q', NULL, "print only errors; the exit status is the result"},
    HELP_OPTION_ROW,
    {0},
};

static bool read_option(int code, void *context) {
  play_options *options = context;
  switch (code) {
  case CODE_SELF:
    return options->self = true;
  case CODE_SEPARATE:
    return options->separate = true;
  case CODE_EXCLUDE:
  case CODE_EXCLUDE_FILE:
    options->exclusions[options->exclusion_count++] = (exclusion_source){optarg, code == CODE_EXCLUDE_FILE};
    return true;
  case CODE_ALLOW_LARGE:
    return options->allow_large = true;
  case CODE_COMPARE_METHODS:
    return options->compare_methods = true;
  case CODE_KEEP_GOING:
    return options->keep_going = true;
  case 'q':
    return options->quiet = true;
  case CODE_JSON:
    return (options->json = optarg) != NULL;
  case CODE_CSV:
    return (options->csv = optarg) != NULL;
  case CODE_PICTURE:
    return (options->picture = optarg) != NULL;
  case CODE_LIST:
    return options->list = true;
  case CODE_PRIMITIVES:
    return read_whole_number("primitives", optarg, 1, SCENE_PRIMITIVE_LIMIT, &options->parameters.primitives);
  case CODE_FRAMES:
    return read_whole_number("frames", optarg, 1, SCENE_FRAME_LIMIT, &options->parameters.frames);
  case CODE_SEED:
    options->has_seed = true;
    return read_whole_number("seed", optarg, 0, UINT64_MAX, &options->parameters.seed);
  case CODE_PLOT:
    return (options->plot = optarg) != NULL;
  case CODE_REPORT:
    return (options->report = optarg) != NULL;
  case CODE_PICTURE_FRAME:
    return read_whole_number("picture-frame", optarg, 1, SIZE_MAX, &options->picture_frame);
  default:
    if (is_drawing_option(code)) return read_drawing_option(code, optarg, &options->drawing);
    return read_search_option(code, optarg, &options->search);
  }
}

static bool outputs_make_sense(const play_options *options) {
  const named_output outputs[] = {{"json", options->json, "JSON", ".json", false},
                                  {"csv", options->csv, "CSV", ".csv", false},
                                  {"picture", options->picture, "PNG", ".png", true},
                                  {"plot", options->plot, "SVG", ".svg", true},
                                  {"report", options->report, "HTML", ".html", true}};
  const size_t count = sizeof outputs / sizeof outputs[0];
  return named_outputs_are_apart(outputs, count, options->operands, options->operand_count, "played") &&
         named_outputs_end_well(outputs, count);
}

/* An existing path is a file. A missing one that does not look like a file is a misspelled scene. */
static bool choose_scene(play_options *options) {
  const char *name = options->operands[0];
  const bool exists = access(name, F_OK) == 0;
  options->scene = exists ? NULL : moving_scene_find(name);
  if (options->scene == NULL && !exists && options->operand_count == 1 && strpbrk(name, "./%*?[") == NULL) {
    refuse_scene(name);
    return false;
  }
  if (options->scene != NULL && options->operand_count > 1) {
    complain("play plays one scene at a time; unexpected operand \"%s\"", options->operands[1]);
    return false;
  }
  const scene_parameters *asked = &options->parameters;
  if (options->scene == NULL && (asked->primitives != 0 || asked->frames != 0 || options->has_seed)) {
    complain("--primitives, --frames and --seed require a built-in scene, see 'graze play --list'");
    return false;
  }
  if (options->scene != NULL && options->separate) {
    complain("--separate is for files; the objects of a scene are separate");
    return false;
  }
  return true;
}

/* A scene file contains all objects of the scene, and its frames. */
static bool scene_file_stands_alone(play_options *options) {
  for (size_t i = 0; i < options->operand_count; ++i) {
    if (!scene_file_is_named(options->operands[i])) continue;
    options->is_scene_file = true;
    if (options->operand_count == 1) break;
    complain("%s is a scene file, which must be played alone; add the other files to its objects",
             options->operands[i]);
    return false;
  }
  if (!options->is_scene_file || !options->separate) return true;
  complain("--separate is for mesh files; the objects of a scene file are separate");
  return false;
}

static bool combination_makes_sense(play_options *options) {
  if (options->operand_count == 0) {
    complain("play needs frames (a folder, a pattern or files) or the name of a scene");
    return false;
  }
  if (!operands_are_names(options->operands, options->operand_count, "play reads files")) return false;
  if (!choose_scene(options) || !scene_file_stands_alone(options) || !outputs_make_sense(options)) return false;
  if (options->picture == NULL && options->picture_frame != 0) {
    complain("--picture-frame requires --picture FILE.png");
    return false;
  }
  if (options->drawing.zoom_to != ZOOM_TO_ALL && options->search.query.candidates_only) {
    complain("--zoom-to needs pairs that intersect; --candidates does not test them");
    return false;
  }
  return drawing_options_have_picture(&options->drawing, options->picture, options->report) &&
         (options->report == NULL || page_exists("--report"));
}

options_state play_options_read(const command *self, int argument_count, char **arguments, play_options *options) {
  *options = (play_options){.search = search_options_start(),
                            .drawing = drawing_options_start(),
                            .exclusions = calloc((size_t)argument_count, sizeof(exclusion_source))};
  if (options->exclusions == NULL) {
    complain("out of memory");
    return OPTIONS_REFUSED;
  }
  const options_state state = command_read_options(self, argument_count, arguments, read_option, options);
  if (state != OPTIONS_READY) return state;
  if (options->list) {
    write_scenes(stdout);
    return OPTIONS_ANSWERED;
  }
  options->operands = arguments + optind;
  options->operand_count = (size_t)(argument_count - optind);
  if (backend_options_finish(&options->search.scene) && combination_makes_sense(options)) return OPTIONS_READY;
  command_hint(self);
  return OPTIONS_REFUSED;
}

void play_options_release(play_options *options) {
  free(options->exclusions);
  *options = (play_options){0};
}
